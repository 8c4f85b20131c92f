import type { Clock } from '../clock.ts';
import { ConfigError } from '../config.ts';
import { type Database, isUnavailable } from '../database/database.ts';
import type { Logger } from '../logger.ts';
import type { EncryptionKey } from './encryption-keys.ts';
import { createSecrets } from './secrets.ts';

/** PostgreSQL's code for a table that does not exist. */
const undefinedTable = '42P01';

const canary = 'the secrets of this database';
const context = (id: string): string => `encryption key ${id}`;

interface NotedKey {
  id: string;
  sealed: string;
}

/**
 * Records in the database which keys seal its secrets, and rejects keys of another installation: a worker whose
 * `DATA_DIR` differs from that of the web processes would generate its own key, open no secret, and seal secrets that
 * the others cannot open.
 *
 * A key that the database knows and this process lacks causes only a warning: it may have been removed on purpose.
 * While the database is unavailable, nothing is checked.
 *
 * @param options.keys As `encryptionKeysOf` returns them.
 * @throws {ConfigError} if none of the keys is one of the database's, or one has the id of another key.
 */
export async function checkEncryptionKeys(options: {
  database: Database;
  clock: Clock;
  log: Logger;
  keys: readonly EncryptionKey[];
}): Promise<void> {
  const { database, clock, log, keys } = options;
  try {
    await database.transaction(async (tx) => {
      // Two first starts at once agree on whose keys they are.
      await tx.query({ text: `SELECT pg_advisory_xact_lock(hashtext('encryption_keys'))` });
      const noted = await tx.query<NotedKey>({ text: 'SELECT id, sealed FROM encryption_keys ORDER BY id' });
      validate(noted, keys, log);
      const isNew = ({ id }: EncryptionKey) => noted.every((other) => other.id !== id);
      const fresh = keys.filter(isNew).map((key) => sealedBy(key));
      if (fresh.length === 0) return;
      await tx.query({
        text: 'INSERT INTO encryption_keys (id, sealed, noted_at) SELECT id, sealed, $3 FROM unnest($1::text[], $2::text[]) AS k (id, sealed)',
        values: [fresh.map(({ id }) => id), fresh.map(({ sealed }) => sealed), clock.now()],
      });
    });
  } catch (error) {
    // A database that is not migrated holds no secrets, and who uses it will say so.
    if ((error as { code?: unknown }).code === undefinedTable) return;
    if (!isUnavailable(error)) throw error;
    log.warn({ error }, 'the encryption keys could not be compared with those of the database');
  }
}

/**
 * Forgets the keys that this process does not have. Called when no secret of the database needs another key than these: a start
 * then warns of the others no more.
 */
export async function forgetKeys(options: {
  database: Pick<Database, 'query'>;
  keys: readonly EncryptionKey[];
}): Promise<void> {
  await options.database.query({
    text: 'DELETE FROM encryption_keys WHERE id <> ALL ($1::text[])',
    values: [options.keys.map(({ id }) => id)],
  });
}

function validate(noted: readonly NotedKey[], keys: readonly EncryptionKey[], log: Logger): void {
  const unknown = noted.filter(({ id }) => keys.every((key) => key.id !== id)).map(({ id }) => id);
  if (noted.length > 0 && unknown.length === noted.length)
    throw new ConfigError([
      `ENCRYPTION_KEYS: expected the key ${unknown.join(' or ')}, which seals the secrets of this database; ` +
        'left out, it is in DATA_DIR/encryption-key of the process that was started first. ' +
        'Without it those secrets are lost; to give them up, empty the table encryption_keys',
    ]);
  for (const key of keys) {
    const same = noted.find(({ id }) => id === key.id);
    if (same && !opens(key, same))
      throw new ConfigError([
        `ENCRYPTION_KEYS: the key with the id ${key.id} is not the one that sealed the secrets of this database`,
      ]);
  }
  if (unknown.length > 0)
    log.warn({ keys: unknown }, 'secrets cannot be read: the keys that sealed them are no longer in ENCRYPTION_KEYS');
}

const sealedBy = (key: EncryptionKey): NotedKey => ({
  id: key.id,
  sealed: createSecrets({ keys: [key] }).seal(canary, context(key.id)),
});

function opens(key: EncryptionKey, { id, sealed }: NotedKey): boolean {
  try {
    return createSecrets({ keys: [key] }).open(sealed, context(id)) === canary;
  } catch {
    return false;
  }
}
