import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { startTestServer, tenantOf } from '../support/server.ts';

const root = path.resolve(import.meta.dirname, '../..');
const program = path.join(import.meta.dirname, 'client.ts');
const folder = mkdtempSync(path.join(tmpdir(), 'patchbay-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

const server = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8', RATE_LIMITS: '{}' });
const run = promisify(execFile);
const node = (...args: string[]) => run(process.execPath, args, { cwd: root });

/** What client.ts exports. It is compiled by itself, with types that do not exist before the test. */
interface Program {
  createPatchbay(
    baseUrl: string,
    apiKey: string | null,
  ): {
    useClipboard(): Promise<object[]>;
    createWebhook(url: string): Promise<object>;
    listNotifications(): Promise<object[]>;
    meetErrors(): Promise<object>;
  };
}

describe('a client that openapi-typescript generates', () => {
  it('compiles in strict mode with the types of the served document', {
    ...verifies('rest.openapi'),
    timeout: 120_000,
  }, async () => {
    const types = path.join(folder, 'patchbay-openapi.ts');
    writeFileSync(path.join(folder, 'openapi.json'), await (await fetch(`${server.base}/openapi.json`)).text());
    const generator = path.join(root, 'node_modules/openapi-typescript/bin/cli.js');
    const hook = path.join(root, '.config/typescript-6.cjs');
    await node('--require', hook, generator, path.join(folder, 'openapi.json'), '--output', types);
    const compilerOptions = {
      paths: { 'patchbay-openapi': [types] },
      typeRoots: [path.join(root, 'node_modules/@types')],
      lib: ['ES2024', 'DOM', 'DOM.Iterable'],
      types: [],
    };
    const project = path.join(folder, 'tsconfig.json');
    writeFileSync(
      project,
      JSON.stringify({ extends: path.join(root, 'tsconfig.json'), compilerOptions, include: [program], exclude: [] }),
    );
    const compiled = await node(path.join(root, 'node_modules/typescript/bin/tsc'), '--project', project).catch(
      ({ stdout }: { stdout: string }) => ({ stdout }),
    );
    expect(compiled.stdout).toBe('');
  });

  it(
    'works with the clipboard, webhooks and notifications, and has the shape of every error',
    verifies('rest.openapi'),
    async () => {
      const { createPatchbay } = (await import(/* @vite-ignore */ program)) as Program;
      const { secret } = await tenantOf(server);
      const client = createPatchbay(server.base, secret);
      expect(await client.useClipboard()).toMatchObject([
        { name: 'note', value: 'one' },
        { idx: 0, value: 'two' },
        { name: 'note', value: 'one' },
      ]);
      expect(await client.createWebhook('http://127.0.0.1:65531/hook')).toMatchObject({
        events: ['document.deleted'],
        active: true,
        secret: expect.stringMatching(/^whsec_/),
        deliveries: [],
      });
      expect(await client.listNotifications()).toMatchObject([{ message: 'hello', severity: 'INFO', read: false }]);
      expect(await client.meetErrors()).toMatchObject({
        ofClipboard: { success: false, error: 'Entry not found' },
        general: { error: { code: 'NOT_FOUND' } },
        ofRegistry: { status: 404 },
        ofProxy: { code: 'VALIDATION_ERROR', error: 'message must not be empty' },
        limit: expect.stringMatching(/^\d+$/),
      });
      expect(await createPatchbay(server.base, null).meetErrors()).toMatchObject({
        ofClipboard: { success: false, error: 'Unauthorized' },
        general: { error: { code: 'UNAUTHORIZED' } },
      });
    },
  );
});
