import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../src/platform/database/database.ts';
import { noAllowances } from '../../../src/platform/egress/allowances.ts';
import { createEgress } from '../../../src/platform/egress/egress.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { createLocalEvents, publishedAfterCommit } from '../../../src/platform/messaging/events.ts';
import { createTestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/deadline.ts';

const url = await createTestDatabase();
const statements: string[] = [];
const database = createDatabase({ url, log: createLogger('silent'), onStatement: (text) => statements.push(text) });
/** Sees what was committed. */
const other = createDatabase({ url, log: createLogger('silent') });
afterAll(() => Promise.all([database.close(), other.close()]));

const { prisma } = database;
const instant = new Date('2026-01-01T00:00:00Z');
const user = (name: string) => ({
  email: `${name}@example.test`,
  emailKey: `${name}@example.test`,
  username: name,
  usernameKey: name,
  passwordHash: 'none',
  createdAt: instant,
  updatedAt: instant,
});
const insert = (name: string) => ({
  text: `INSERT INTO users (uuid, email, email_key, username, username_key, password_hash, created_at, updated_at)
    VALUES (gen_random_uuid(), $1, $1, $1, $1, 'none', now(), now())`,
  values: [name],
});
const names = { text: 'SELECT username AS name FROM users ORDER BY username' };
const committed = async () => (await other.query<{ name: string }>(names)).map(({ name }) => name);
const held = () => database.pool().total - database.pool().idle;
/** The id of the transaction of whatever runs it. */
const transactionId = { text: 'SELECT pg_current_xact_id()::text AS id' };
class Undo extends Error {}
const undo = () => {
  throw new Undo();
};

beforeEach(async () => {
  await other.query({ text: 'DELETE FROM users' });
});

describe('a unit of work', () => {
  it('holds no connection until its first write, and one until its end', async () => {
    await database.runUnit('caller', async () => {
      expect(await database.read(names)).toEqual([]);
      expect([held(), database.unit?.isInTransaction]).toEqual([0, false]);
      await database.query(insert('a'));
      expect([held(), database.unit?.isInTransaction]).toEqual([1, true]);
      expect(await database.read(names)).toEqual([{ name: 'a' }]);
      expect(await committed()).toEqual([]);
    });
    expect([held(), database.unit]).toEqual([0, null]);
    expect(await committed()).toEqual(['a']);
  });

  it('is one transaction, whatever writes in it', async () => {
    const ids = await database.runUnit('caller', async () => {
      const [queried] = await database.query<{ id: string }>(transactionId);
      const [inTransaction] = await database.transaction((tx) => tx.query<{ id: string }>(transactionId));
      const [ofPrisma] = await prisma.$queryRaw<{ id: string }[]>`SELECT pg_current_xact_id()::text AS id`;
      const [inPrisma] = await prisma.$transaction(
        (tx) => tx.$queryRaw<{ id: string }[]>`SELECT pg_current_xact_id()::text AS id`,
      );
      const [read] = await database.read<{ id: string }>(transactionId);
      return [queried, inTransaction, ofPrisma, inPrisma, read].map((row) => row?.id);
    });
    expect(new Set(ids).size).toBe(1);
  });

  it('undoes all of it when it throws, and throws the same', async () => {
    const work = database.runUnit('caller', async () => {
      await database.query(insert('a'));
      await database.transaction((tx) => tx.query(insert('b')));
      await prisma.user.create({ data: user('c') });
      await prisma.$transaction([
        prisma.user.create({ data: user('d') }),
        prisma.user.updateMany({ where: { username: 'd' }, data: { username: 'e' } }),
      ]);
      await prisma.$transaction(async (tx) => tx.user.create({ data: user('f') }));
      const found = await prisma.user.findMany({ orderBy: { username: 'asc' }, select: { username: true } });
      expect(found.map(({ username }) => username)).toEqual(['a', 'b', 'c', 'e', 'f']);
      undo();
    });
    await expect(work).rejects.toThrow(Undo);
    expect([await committed(), held()]).toEqual([[], 0]);
  });

  it('goes on after a transaction of Prisma that failed, without it', async () => {
    await database.runUnit('caller', async () => {
      await prisma.user.create({ data: user('a') });
      await expect(
        prisma.$transaction([prisma.user.create({ data: user('b') }), prisma.user.create({ data: user('a') })]),
      ).rejects.toThrow();
      await prisma.user.create({ data: user('c') });
    });
    expect(await committed()).toEqual(['a', 'c']);
  });

  it('is not committed after a statement whose error was caught', async () => {
    const work = database.runUnit('caller', async () => {
      await database.query(insert('a'));
      await database.query(insert('a')).catch(() => {});
    });
    await expect(work).rejects.toThrow('could not be committed');
    expect(await committed()).toEqual([]);
  });

  it('leaves alone what runs beside it, also the reads that Prisma joins into one', async () => {
    const { uuid } = await prisma.user.create({ data: user('before') });
    const nameOf = async () => (await prisma.user.findUnique({ where: { uuid } }))?.username;
    const beside = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const unit = database.runUnit('caller', async () => {
      await prisma.user.update({ where: { uuid }, data: { username: 'after' } });
      written.resolve();
      await beside.promise;
      expect(await nameOf()).toBe('after');
      undo();
    });
    const ended = expect(unit).rejects.toThrow(Undo);
    await written.promise;
    await database.query(insert('beside'));
    beside.resolve();
    expect(await Promise.all([nameOf(), nameOf()])).toEqual(['before', 'before']);
    await ended;
    expect(await committed()).toEqual(['before', 'beside']);
  });

  it('is closed for statements that it left running', async () => {
    const ended = Promise.withResolvers<void>();
    let late: Promise<unknown> | null = null;
    await database.runUnit('caller', async () => {
      await database.query(insert('a'));
      late = ended.promise.then(async () => {
        const { unit } = database;
        await database.query(insert('late'));
        return unit;
      });
    });
    ended.resolve();
    expect(await late).toBeNull();
    expect(await committed()).toEqual(['a', 'late']);
  });

  it('cannot be part of another', async () => {
    const inner = () => database.runUnit('caller', async () => {});
    await expect(database.runUnit('caller', inner)).rejects.toThrow('Units of work cannot be nested');
  });

  it('costs two statements more than its work, and none without a write', async () => {
    statements.length = 0;
    await database.runUnit('caller', async () => {});
    expect(statements).toEqual([]);
    await database.runUnit('caller', () => database.query(insert('a')));
    expect(statements).toEqual(['BEGIN', insert('a').text, 'COMMIT']);
  });

  it('is undone when its connection is lost, and its slot is free again', async () => {
    const lost = (caller: string) =>
      database.runUnit(caller, async () => {
        await database.query(insert('a'));
        const [backend] = await database.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
        await other.query({ text: 'SELECT pg_terminate_backend($1)', values: [backend?.pid] });
        await database.query(insert('b'));
      });
    // More often than there are slots.
    for (let time = 0; time < 6; time++) await expect(lost('caller')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect([await committed(), held()]).toEqual([[], 0]);
  });
});

describe('what a unit of work publishes', () => {
  const events = publishedAfterCommit(createLocalEvents(), database);

  it('is heard after its commit, in its order, and never if it is undone', async () => {
    const heard: unknown[] = [];
    const channel = await events.subscribe('channel');
    const listening = (async () => {
      for await (const payload of channel) heard.push([payload, await committed()]);
    })();
    const publish = async (first: number) => {
      events.publish('channel', first);
      await database.query(insert(`n${first}`));
      events.publish('channel', first + 1);
    };
    await expect(database.runUnit('caller', () => publish(1).then(undo))).rejects.toThrow(Undo);
    await database.runUnit('caller', () => publish(3));
    events.publish('channel', 5);
    await eventually('the last is heard', () => heard.length === 3);
    await channel.return();
    await listening;
    expect(heard).toEqual([3, 4, 5].map((payload) => [payload, ['n3']]));
  });
});

describe('a network request', () => {
  const egress = createEgress({
    isProduction: false,
    allow: noAllowances,
    isInTransaction: () => database.unit?.isInTransaction === true,
  });
  afterAll(() => egress.close());
  const request = () => egress.request({ url: 'http://127.0.0.1:9/', method: 'GET', totalTimeoutMs: 1_000 });

  it('is an error while a unit of work holds a connection, and goes out before', async () => {
    await database.runUnit('caller', async () => {
      await expect(request()).rejects.toMatchObject({ reason: 'forbidden' });
      await database.query(insert('a'));
      await expect(request()).rejects.toThrow('A network request was made in a transaction');
    });
  });
});

describe('units of many callers', () => {
  it('take turns: one caller cannot hold all connections, and the others do not wait for it', async () => {
    const go = Promise.withResolvers<void>();
    const unit = (caller: string, name: string) =>
      database.runUnit(caller, async () => {
        await database.query(insert(name));
        await go.promise;
      });
    const many = Array.from({ length: 12 }, (_, i) => unit('busy', `busy${i}`));
    await eventually('the busy caller holds what it may', () => held() === 2);
    const others = ['x', 'y', 'z'].map((name) => unit(name, name));
    await eventually('every caller holds its own', () => held() === 5);
    expect(database.pool().waiting).toBe(0);
    go.resolve();
    await Promise.all([...many, ...others]);
    expect(await committed()).toHaveLength(15);
  });
});
