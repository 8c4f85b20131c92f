import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Config, ConfigError, encryptionKeyList } from '../config.ts';

export interface EncryptionKey {
  /** 1 to 32 letters, digits, underscores and hyphens; readable in every secret that the key has sealed. */
  readonly id: string;
  /** 32 bytes, in the form that no log and no `inspect` shows. */
  readonly key: KeyObject;
}

/**
 * The keys for secrets at rest, the first for new ones. Without the setting there is one key in `DATA_DIR/encryption-key`,
 * made at the first start: mode 0600, one line in the form of the setting, so that it can be copied into the setting later.
 * Processes that start at once agree on one. In production the setting is demanded (`readConfig`), and no file is made.
 *
 * @throws {ConfigError} naming the file when it holds something else.
 */
export async function encryptionKeysOf(
  config: Pick<Config, 'ENCRYPTION_KEYS' | 'DATA_DIR'>,
): Promise<readonly EncryptionKey[]> {
  if (config.ENCRYPTION_KEYS !== undefined) return parsed(config.ENCRYPTION_KEYS);
  const file = path.resolve(config.DATA_DIR, 'encryption-key');
  const kept = encryptionKeyList.safeParse((await textOf(file)) ?? (await made(file)));
  if (kept.success) return parsed(kept.data);
  throw new ConfigError(kept.error.issues.map(({ message }) => `${file}: expected ${message}`));
}

/** @param list In the form of the setting, already validated. */
const parsed = (list: string): EncryptionKey[] =>
  list.split(',').map((pair) => {
    const [id = '', key = ''] = pair.split(':');
    return { id, key: createSecretKey(key, 'base64') };
  });

async function textOf(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/**
 * Creates the key, or takes that of another process that was faster. The file appears complete and flushed, or not at
 * all: sealed secrets must not outlive their key in a power cut.
 */
async function made(file: string): Promise<string> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true });
  const staging = `${file}.${randomBytes(4).toString('hex')}`;
  // A unique id: the keys of two folders can be in one list.
  const text = `made-${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}`;
  try {
    await writeFile(staging, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await link(staging, file);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(staging, { force: true });
  }
  await using directory = await open(folder);
  await directory.sync();
  return (await readFile(file, 'utf8')).trim();
}

const isCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException | null)?.code === code;
