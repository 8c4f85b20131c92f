import { createSecretKey } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/platform/config.ts';
import { createDatabase } from '../../../src/platform/database/database.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { checkEncryptionKeys } from '../../../src/platform/security/encryption-check.ts';
import { verifies } from '../../requirements.ts';
import { createTestDatabase } from '../../support/database.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const log = createLogger('silent');
const clock = createManualClock();
const key = (id: string, byte: number) => ({ id, key: createSecretKey(Buffer.alloc(32, byte)) });

async function newDatabase() {
  const database = createDatabase({ url: await createTestDatabase(), log });
  afterAll(() => database.close());
  return database;
}

describe('the encryption keys of a process', () => {
  it('are recorded by the first process, and accepted from every process that has them', async () => {
    const database = await newDatabase();
    const check = (...keys: ReturnType<typeof key>[]) => checkEncryptionKeys({ database, clock, log, keys });
    await check(key('a', 1));
    await check(key('a', 1));
    const rows = await database.query({ text: 'SELECT id, noted_at FROM encryption_keys' });
    expect(rows).toEqual([{ id: 'a', noted_at: clock.now() }]);
  });

  it(
    'are refused where they are those of another place, and nothing is noted',
    verifies('platform.secrets.noted-keys'),
    async () => {
      const database = await newDatabase();
      await checkEncryptionKeys({ database, clock, log, keys: [key('made-1', 1)] });
      const other = checkEncryptionKeys({ database, clock, log, keys: [key('made-2', 2)] });
      await expect(other).rejects.toThrow(ConfigError);
      await expect(other).rejects.toThrow(/ENCRYPTION_KEYS: expected the key made-1,/);
      expect(await database.query({ text: 'SELECT id FROM encryption_keys' })).toEqual([{ id: 'made-1' }]);
    },
  );

  it('are refused where a known id has other bytes, which are not shown', async () => {
    const database = await newDatabase();
    await checkEncryptionKeys({ database, clock, log, keys: [key('a', 1)] });
    const error = await checkEncryptionKeys({ database, clock, log, keys: [key('a', 2), key('b', 3)] }).catch(String);
    expect(error).toContain('the key with the id a is not the one');
    expect(error).not.toContain(Buffer.alloc(32, 2).toString('base64'));
  });

  it('may be followed by new ones, and left out when they are old', async () => {
    const database = await newDatabase();
    await checkEncryptionKeys({ database, clock, log, keys: [key('a', 1)] });
    await checkEncryptionKeys({ database, clock, log, keys: [key('b', 2), key('a', 1)] });
    await checkEncryptionKeys({ database, clock, log, keys: [key('b', 2)] });
    const rows = await database.query({ text: 'SELECT id FROM encryption_keys ORDER BY id' });
    expect(rows).toEqual([{ id: 'a' }, { id: 'b' }]);
  });

  it('are agreed on by two first starts at once', async () => {
    const database = await newDatabase();
    const starts = [1, 2, 3, 4].map((byte) =>
      checkEncryptionKeys({ database, clock, log, keys: [key(`made-${byte}`, byte)] }),
    );
    const results = await Promise.allSettled(starts);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await database.query({ text: 'SELECT id FROM encryption_keys' })).toHaveLength(1);
  });
});
