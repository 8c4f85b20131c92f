import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/platform/config.ts';
import { encryptionKeysOf } from '../../../src/platform/security/encryption-keys.ts';
import { verifies } from '../../requirements.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-keys-'));
});
afterEach(() => rm(folder, { recursive: true }));

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const keysIn = (DATA_DIR: string) => encryptionKeysOf({ DATA_DIR, ENCRYPTION_KEYS: undefined });
const bytesOf = (keys: Awaited<ReturnType<typeof keysIn>>) =>
  keys.map(({ id, key }) => `${id}:${key.export().toString('base64')}`);

describe('the keys of the setting', () => {
  it('come in its order, and no file is made', async () => {
    const setting = `new:${key(1)},old:${key(2)},k-_3:${key(255)}`;
    const keys = await encryptionKeysOf({ DATA_DIR: folder, ENCRYPTION_KEYS: setting });
    expect(bytesOf(keys)).toEqual(setting.split(','));
    expect(await readdir(folder)).toEqual([]);
  });

  it('are not shown by inspect or JSON', async () => {
    const keys = await encryptionKeysOf({ DATA_DIR: folder, ENCRYPTION_KEYS: `k1:${key(7)}` });
    const shown = inspect(keys, { depth: 9, showHidden: true }) + JSON.stringify(keys);
    expect(shown).not.toContain(key(7).slice(0, 8));
    expect(shown).not.toContain('07 07');
  });
});

describe('without the setting', () => {
  it(
    'a key is made once, in a folder that may be missing, readable by its owner only',
    verifies('platform.secrets.made-key'),
    async () => {
      const dataDir = path.join(folder, 'not', 'yet');
      const first = await keysIn(dataDir);
      expect(first).toHaveLength(1);
      expect((await stat(path.join(dataDir, 'encryption-key'))).mode & 0o777).toBe(0o600);
      expect(bytesOf(await keysIn(dataDir))).toEqual(bytesOf(first));
      expect(await readdir(dataDir)).toEqual(['encryption-key']);
    },
  );

  it('the key of another folder has another id, and both can stand in the setting', async () => {
    const keys = [...(await keysIn(path.join(folder, 'a'))), ...(await keysIn(path.join(folder, 'b')))];
    const files = await Promise.all(
      ['a', 'b'].map((name) => readFile(path.join(folder, name, 'encryption-key'), 'utf8')),
    );
    const ENCRYPTION_KEYS = files.map((line) => line.trim()).join(',');
    expect(bytesOf(await encryptionKeysOf({ DATA_DIR: folder, ENCRYPTION_KEYS }))).toEqual(bytesOf(keys));
    expect(new Set(keys.map(({ id }) => id)).size).toBe(2);
  });

  it('many that start at once agree on one', verifies('platform.secrets.made-key'), async () => {
    const contents = new Set<string>();
    const watch = setInterval(() => {
      if (existsSync(path.join(folder, 'encryption-key')))
        contents.add(readFileSync(path.join(folder, 'encryption-key'), 'utf8'));
    });
    const all = await Promise.all(Array.from({ length: 50 }, () => keysIn(folder)));
    clearInterval(watch);
    expect(new Set(all.flatMap(bytesOf)).size).toBe(1);
    // No process ever saw another key in it, or half of one.
    contents.add(readFileSync(path.join(folder, 'encryption-key'), 'utf8'));
    expect([...contents]).toEqual([`${all.map(bytesOf)[0]}\n`]);
    expect(await readdir(folder)).toEqual(['encryption-key']);
  });

  it('processes that start at once agree on one', async () => {
    const module = new URL('../../../src/platform/security/encryption-keys.ts', import.meta.url);
    const script = `
      import { encryptionKeysOf } from ${JSON.stringify(module)};
      process.stdin.once('data', async () => {
        const [one] = await encryptionKeysOf({ DATA_DIR: process.argv[1] });
        console.log(one.key.export().toString('hex'));
        process.exit();
      });
      console.log('ready');`;
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script, folder], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    await Promise.all(children.map((child) => once(child.stdout, 'readable')));
    for (const child of children) child.stdin.write('go\n');
    const said = await Promise.all(children.map((child) => text(child.stdout)));
    expect(said[0]).toMatch(/^ready\n[0-9a-f]{64}\n$/);
    expect(new Set(said).size).toBe(1);
  });

  it('a file that holds something else is named in the error, and not repeated', async () => {
    const file = path.join(folder, 'encryption-key');
    for (const content of ['', 'canary-secret\n', `k1:${key(1)},k1:${key(2)}\n`]) {
      await writeFile(file, content);
      const error = await keysIn(folder).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ConfigError);
      expect(String(error)).toContain(file);
      expect(String(error)).not.toMatch(/canary|AQEB/);
      expect(await readFile(file, 'utf8')).toBe(content);
    }
  });

  it('a folder that cannot be is an error, not a key in memory', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    await expect(keysIn(file)).rejects.toThrow('ENOTDIR');
    await expect(keysIn(path.join(file, 'data'))).rejects.toThrow('ENOTDIR');
  });
});
