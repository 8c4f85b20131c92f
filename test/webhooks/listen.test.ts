import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { signatureOf } from '../../src/webhooks/signature.ts';
import { verifies } from '../requirements.ts';
import { signedBody } from '../support/signed-body.ts';
import { post, type Receiver, startReceiver, stopReceiver } from './examples.ts';
import { eventOf, payloads, secretsToSignWith } from './payloads.ts';

const root = path.resolve(import.meta.dirname, '../..');
const program = path.join(root, 'docs/webhooks/listen.ts');
const [secret] = secretsToSignWith as [string];
const previous = 'whsec_of-yesterday';

let receiver: Receiver;
const started: Receiver[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await stopReceiver(one);
});

async function listen(args: readonly string[] = [], environment: Record<string, string> = {}): Promise<void> {
  receiver = await startReceiver(process.execPath, [program, '--port', '0', ...args], environment);
  started.push(receiver);
}

const deliver = (data: object, { id = 'event-1', key = secret, retries = 0, event = 'server.installed' } = {}) => {
  const { body, signature } = signedBody({ ...eventOf(data, retries), id, event }, key);
  return post(receiver.url, body, { 'X-Service-Signature': signature });
};

async function ended(...args: string[]): Promise<{ code: number; stderr: string }> {
  const child = spawn(process.execPath, [program, ...args], { env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code, stderr };
}

describe('npm run webhooks:listen', () => {
  it('is this program', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    expect(scripts['webhooks:listen']).toBe(`exec node ${path.relative(root, program)}`);
  });

  it('shows what comes, verified, and tells duplicates', verifies('webhooks.signature.verify'), async () => {
    await listen(['--secret', secret]);
    for (const [name, data] of Object.entries(payloads)) expect(await deliver(data, { id: name }), name).toBe(200);
    expect(await deliver({ a: 1 }, { id: 'empty', retries: 1 })).toBe(200);
    const line = await receiver.lineWith('retry 1');
    expect(line).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z {2}server\.installed {2}empty {2}retry 1 {2}verified {2}duplicate: came 2 times {2}answered 200/,
    );
    expect(receiver.lines.find((one) => one.includes('  empty  retry 0'))).toContain('verified  new  answered 200');
    expect(receiver.lines).toContain('  "a": 1');
    expect(receiver.lines.join('\n')).toMatch(/… \d+ characters more/);
  });

  it('answers 401 to what does not match, and does not count it', async () => {
    await listen([], { WEBHOOK_SECRET: secret });
    expect(await deliver({}, { key: 'another-secret-of-somebody' })).toBe(401);
    expect(await post(receiver.url, 'canary')).toBe(401);
    expect(await post(receiver.url, '')).toBe(401);
    expect(await deliver({})).toBe(200);
    expect(await receiver.lineWith('  verified')).toContain('  new  ');
    expect(receiver.lines.filter((line) => line.includes('NOT VERIFIED: answered 401'))).toHaveLength(3);
  });

  it('takes both signatures of a rotation, and tells which it was', async () => {
    await listen(['--secret', secret, '--previous', previous]);
    expect(await deliver({}, { id: 'event-old', key: previous })).toBe(200);
    expect(await receiver.lineWith('event-old')).toContain('  verified with --previous  ');
    const { body, signature } = signedBody({ ...eventOf({}), id: 'event-new' }, 'whsec_of-tomorrow');
    const headers = { 'X-Service-Signature': signature, 'X-Service-Signature-Previous': signatureOf(body, secret) };
    expect(await post(receiver.url, body, headers)).toBe(200);
    expect(await receiver.lineWith('event-new')).toContain('  verified  ');
  });

  it('answers with the status and after the delay that it is told', async () => {
    await listen(['--secret', secret, '--status', '503', '--delay', '300']);
    const start = performance.now();
    expect(await deliver({})).toBe(503);
    expect(performance.now() - start).toBeGreaterThanOrEqual(290);
    expect(await receiver.lineWith('verified')).toContain('answered 503');
  });

  it('goes on after garbage, bodies too long, broken connections and senders who do not wait', async () => {
    await listen(['--secret', secret, '--delay', '50']);
    const { hostname, port } = new URL(receiver.url);
    const garbage = [
      '\0\xff\r\n\r\n',
      'POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf',
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    ];
    for (const bytes of garbage) {
      const socket = createConnection(Number(port), hostname);
      socket.on('error', () => undefined);
      await new Promise<void>((resolve) => socket.write(bytes, 'latin1', () => resolve()));
      socket.destroy();
    }
    expect((await fetch(receiver.url)).status).toBe(405);
    expect(await post(receiver.url, 'x'.repeat(8_000_000))).toSatisfy(
      (status) => status === 413 || status === 'broken off',
    );
    expect(await post(receiver.url, new Uint8Array(70_000).fill(0xff))).toBe(401);
    for (const body of ['null', '[]', '7', '"x"', '{"id":{},"event":[],"data":null}', '{']) {
      const headers = { 'X-Service-Signature': signatureOf(body, secret) };
      expect(await post(receiver.url, body, headers), body).toBe(200);
    }
    const impatient = new AbortController();
    const { body, signature } = signedBody({ ...eventOf({}), id: 'impatient' }, secret);
    const gone = fetch(receiver.url, {
      method: 'POST',
      body,
      headers: { 'X-Service-Signature': signature },
      signal: impatient.signal,
    });
    await receiver.lineWith('impatient');
    impatient.abort();
    await expect(gone).rejects.toThrow();
    expect(await deliver({}, { id: 'the-last' })).toBe(200);
    expect(receiver.child.exitCode).toBeNull();
  });

  it('prints nothing that a terminal would obey', async () => {
    await listen(['--secret', secret]);
    const evil = '\u001b[2J\u0007\u009b31m\u202e\r';
    expect(await deliver({ [evil]: evil }, { id: `${evil}\nid`, event: evil })).toBe(200);
    expect(await post(receiver.url, `${evil}\u0000`)).toBe(401);
    await receiver.lineWith('NOT VERIFIED');
    expect(await deliver({}, { id: 'the-last' })).toBe(200);
    await receiver.lineWith('the-last');
    expect(receiver.lines.join('\n')).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    expect(receiver.lines.join('\n')).toContain('\\u001b[2J');
  });

  it('that is asked wrongly says how to ask, and does not start', async () => {
    await listen(['--secret', secret]);
    const { port } = new URL(receiver.url);
    for (const wrong of [
      [],
      ['--secrets', 'x'],
      ['--secret', 'x', '--port', '99999'],
      ['--secret', 'x', '--status', '42'],
    ]) {
      const { code, stderr } = await ended(...wrong);
      expect(code).toBe(2);
      expect(stderr).toContain('npm run webhooks:listen -- --secret whsec_…');
    }
    const taken = await ended('--secret', 'x', '--port', port);
    expect(taken.code).toBe(1);
    expect(taken.stderr).toBe(`Port ${port} cannot be used: EADDRINUSE. Choose another with --port.\n`);
  });
});
