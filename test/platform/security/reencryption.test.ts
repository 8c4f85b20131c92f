import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { reencryptionReport } from '../../../src/cli/reencryption-report.ts';
import { createDatabase, type Database } from '../../../src/platform/database/database.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { createReencryption } from '../../../src/platform/security/reencryption.ts';
import { sealedColumn } from '../../../src/platform/security/sealed-columns.ts';
import { createSecrets } from '../../../src/platform/security/secrets.ts';
import { verifies } from '../../requirements.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { createTestDatabase, patientTimeouts } from '../../support/database.ts';

const key = (id: string, byte: number) => ({ id, key: createSecretKey(Buffer.alloc(32, byte)) });
const [fresh, old, lost] = [key('fresh', 1), key('old', 2), key('lost', 3)];
const sealers = Object.fromEntries([fresh, old, lost].map((each) => [each.id, createSecrets({ keys: [each] })]));

const column = sealedColumn({
  table: 'vaults',
  column: 'secret',
  key: { owner: 'uuid', name: 'text' },
  contextColumns: ['place'],
  context: ({ owner, name, place }) => `vault ${owner} ${name} ${place}`,
});
const owner = 'b0b0b0b0-0000-4000-8000-000000000000';
const contextOf = (name: string) => `vault ${owner} ${name} here`;
const secretOf = (name: string) => `the secret of ${name}`;

/** A table of secrets with a key of two columns, in a database of its own. */
async function stage(rows: Record<string, keyof typeof sealers | null>) {
  const url = await createTestDatabase();
  const open = () => {
    const database = createDatabase({ url, log: createLogger('silent'), timeouts: patientTimeouts });
    cleanUp(() => database.close());
    return database;
  };
  const database = open();
  await database.query({
    text: 'CREATE TABLE vaults (owner uuid, name text, place text NOT NULL, secret text, PRIMARY KEY (owner, name))',
  });
  const names = Object.keys(rows);
  await database.query({
    text: `INSERT INTO vaults SELECT $1, name, 'here', secret FROM unnest($2::text[], $3::text[]) AS r (name, secret)`,
    values: [
      owner,
      names,
      names.map((name) => (rows[name] ? sealers[rows[name]]?.seal(secretOf(name), contextOf(name)) : null)),
    ],
  });
  const reencryption = (over: Pick<Database, 'query'> = database) =>
    createReencryption({ database: over, keys: [fresh, old], columns: [column] });
  const put = (name: string, secret: string) =>
    database.query({ text: 'UPDATE vaults SET secret = $2 WHERE name = $1', values: [name, secret] });
  const secrets = async () =>
    Object.fromEntries(
      (await database.query<{ name: string; secret: string }>({ text: 'SELECT name, secret FROM vaults' })).map(
        ({ name, secret }) => [name, secret],
      ),
    );
  return { database, open, reencryption, put, secrets };
}

const many = (count: number, id: keyof typeof sealers = 'old') =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${String(at).padStart(5, '0')}`, id]));

describe('secrets:reencrypt', () => {
  it(
    'seals by the first key what other keys have sealed, once, and says how far it is',
    verifies('platform.secrets.reencrypted'),
    async () => {
      const { reencryption, secrets } = await stage({ ...many(1_250), new: 'fresh', none: null });
      const before = await secrets();
      const seen: string[] = [];
      const outcome = await reencryption().run({
        onProgress: ({ column, done, total }) => seen.push(`${column} ${done}/${total}`),
      });
      expect(outcome).toEqual({
        reencrypted: 1_250,
        unopened: new Map(),
        uses: [{ column: 'vaults.secret', keyId: 'fresh', count: 1_251 }],
      });
      expect([seen[0], seen.at(-1)]).toEqual(['vaults.secret 100/1250', 'vaults.secret 1250/1250']);
      const after = await secrets();
      for (const name of ['s00000', 's00999', 's01000', 's01249'])
        expect(sealers.fresh?.open(after[name] ?? '', contextOf(name))).toBe(secretOf(name));
      expect([after.new, after.none]).toEqual([before.new, null]);
      expect(await reencryption().run()).toMatchObject({ reencrypted: 0 });
      expect(await secrets()).toEqual(after);
    },
  );

  it('goes on where it was ended', async () => {
    const { reencryption, secrets } = await stage(many(250));
    const stopping = new AbortController();
    const ended = reencryption().run({
      signal: stopping.signal,
      onProgress: () => stopping.abort(new Error('stopped')),
    });
    await expect(ended).rejects.toThrow('stopped');
    const isFresh = (secret: string) => secret.startsWith('1.fresh.');
    expect(Object.values(await secrets()).filter(isFresh)).toHaveLength(100);
    expect(await reencryption().run()).toMatchObject({ reencrypted: 150 });
    expect(Object.values(await secrets()).every(isFresh)).toBe(true);
  });

  it('lets a concurrent change win, and re-encrypts that one in the next round', async () => {
    const { database, reencryption, put, secrets } = await stage({ a: 'old', b: 'old', c: 'old' });
    let changes = 0;
    const beforeReplacing: Pick<Database, 'query'> = {
      async query(statement) {
        if (statement.text.startsWith('WITH c') && changes++ === 0) {
          // By a process that has the old key first, by one that has the new, and a deletion.
          await put('a', sealers.old?.seal('changed a', contextOf('a')) ?? '');
          await put('b', sealers.fresh?.seal('changed b', contextOf('b')) ?? '');
          await database.query({ text: `DELETE FROM vaults WHERE name = 'c'` });
        }
        return database.query(statement);
      },
    };
    expect(await reencryption(beforeReplacing).run()).toMatchObject({
      reencrypted: 1,
      uses: [{ keyId: 'fresh', count: 2 }],
    });
    const { a, b, c } = await secrets();
    expect(sealers.fresh?.open(a ?? '', contextOf('a'))).toBe('changed a');
    expect(sealers.fresh?.open(b ?? '', contextOf('b'))).toBe('changed b');
    expect(c).toBeUndefined();
  });

  it('waits for no lock: a row that is held is left, and said so', async () => {
    const { open, reencryption } = await stage({ held: 'old', free: 'old' });
    const left = await open().transaction(async (tx) => {
      await tx.query({ text: `SELECT 1 FROM vaults WHERE name = 'held' FOR UPDATE` });
      return reencryption().run();
    });
    expect(left.reencrypted).toBe(1);
    const { lines, isComplete } = reencryptionReport(left, ['fresh', 'old']);
    expect(isComplete).toBe(false);
    expect(lines).toContain('old still seals 1 secret: vaults.secret 1.');
    expect(await reencryption().run()).toMatchObject({ reencrypted: 1 });
  });

  it(
    'leaves secrets that it cannot open, and counts them by key and column',
    verifies('platform.secrets.reencrypted'),
    async () => {
      const { reencryption, put, secrets } = await stage({ ...many(3, 'lost'), good: 'old', moved: 'old', odd: 'old' });
      await put('moved', sealers.old?.seal('of another row', contextOf('good')) ?? '');
      await put('odd', 'not sealed');
      const before = await secrets();
      const outcome = await reencryption().run();
      const after = await secrets();
      expect(after).toEqual({ ...before, good: after.good });
      const { lines, isComplete } = reencryptionReport(outcome, ['fresh', 'old']);
      expect(isComplete).toBe(false);
      expect(lines).toEqual([
        '1 secret re-encrypted with the key fresh.',
        'fresh seals 1 secret.',
        'old still seals 1 secret: vaults.secret 1.',
        'lost is not in ENCRYPTION_KEYS and seals 3 secrets, which cannot be opened: vaults.secret 3.',
        'vaults.secret: 1 secret cannot be opened although the key is there; each was changed, or belongs to another row.',
        'Not in the form of a sealed secret: vaults.secret 1.',
      ]);
    },
  );

  it('says which keys are needed no more', () => {
    const uses = [{ column: 'webhooks.secret', keyId: 'fresh', count: 12_345 }];
    expect(reencryptionReport({ reencrypted: 1_200, unopened: new Map(), uses }, ['fresh', 'old'])).toEqual({
      lines: [
        '1 200 secrets re-encrypted with the key fresh.',
        'fresh seals 12 345 secrets.',
        'old seals none: it can be taken out of ENCRYPTION_KEYS once fresh is the first key of every process.',
      ],
      isComplete: true,
    });
  });
});
