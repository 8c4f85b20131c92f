import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createServices } from '../../src/main/services.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { createTestServices } from '../support/services.ts';
import { hourMs, trendingStage } from './trending-stage.ts';

const { clock, infrastructure, ...test } = await createTestServices();
const { database } = test;
const { usage, trending, crowd, shown, used, list, configurations, kept, rebuild } = trendingStage(test);
const [owner, ...people] = await crowd(13);
if (!owner) throw new Error('nobody');
const analyticsOver = (over: Database) => createServices({ ...infrastructure, database: over }).analytics;
const sameAsAnew = async () => {
  const stepByStep = await kept();
  await rebuild();
  expect(await kept()).toEqual(stepByStep);
};

/** The same numbers in each run. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('the roll-up', () => {
  it(
    'gives step by step the result of a full recomputation, over months of random activity',
    verifies('trending.roll-up', 'trending.hidden'),
    async () => {
      const random = createRandom(7);
      const servers: string[] = [];
      for (let each = 0; each < 8; each++) servers.push(await shown(owner, { category: ['a', 'b'][each % 2] ?? '' }));
      const server = () => servers[random(servers.length)] ?? '';
      for (let step = 0; step < 400; step++) {
        const person = people[random(12)] ?? owner;
        const what = random(40);
        if (what < 20) await used(person, server()).catch(() => undefined);
        else if (what < 30) await usage.uninstall(person, server()).catch(() => undefined);
        else if (what < 35) clock.advance(random(40 * hourMs));
        else if (what < 37) await configurations.setVisibility(owner, server(), { isPublic: random(3) > 0 });
        else if (what < 38)
          await configurations.update(owner, server(), { category: ['a', 'b', null][random(3)] ?? null });
        else await trending.rollUp();
        if (step % 100 === 0) {
          await trending.rollUp();
          await sameAsAnew();
        }
      }
      expect(await usage.purge()).toBeGreaterThan(0);
      await trending.rollUp();
      await sameAsAnew();
      expect((await kept()).servers.length).toBeGreaterThan(5);
      for (const uuid of servers) await configurations.remove(owner, uuid);
      expect(await trending.count(owner, { timeframe: 'month' })).toBe(0);
      await trending.rollUp();
      expect(await kept()).toEqual({ servers: [], tallies: [] });
    },
  );

  it('does not lose uncommitted activity, and does not block it', verifies('trending.roll-up'), async () => {
    const uuid = await shown(owner);
    const [one, other] = [people[0] ?? owner, people[1] ?? owner];
    await usage.install(one, uuid);
    await database.transaction(async (tx) => {
      const inside = createServices({ ...infrastructure, database: tx }).mcpServers.usage;
      await inside.install(other, uuid);
      expect(await trending.rollUp()).toBe(0);
      expect(await list(owner)).toEqual([]);
    });
    expect((await list(owner)).map(({ score }) => score)).toEqual([100]);
    await configurations.remove(owner, uuid);
  });

  it('sees activity during its run again', verifies('trending.roll-up'), async () => {
    const uuid = await shown(owner);
    await usage.install(people[0] ?? owner, uuid);
    let later: Promise<void> | null = null;
    const slow = interposed(async (text) => {
      if (!text.startsWith('SELECT s.uuid, s.category, h.hour')) return;
      later ??= usage.install(people[1] ?? owner, uuid).then(() => undefined);
      await delay(150);
    });
    await analyticsOver(slow).trending.rollUp();
    await later;
    expect((await list(owner)).map(({ score }) => score)).toEqual([100]);
    await configurations.remove(owner, uuid);
  });

  it(
    'has done all or nothing when it is ended in the middle, wherever that is',
    verifies('trending.roll-up'),
    async () => {
      const uuids = [await shown(owner), await shown(owner)];
      for (const uuid of uuids) await used(people[0] ?? owner, uuid);
      await trending.rollUp();
      await used(people[1] ?? owner, uuids[0] ?? '');
      const before = await kept();
      const count = { seen: 0 };
      await analyticsOver(interposed(async () => void count.seen++)).trending.rollUp();
      const after = await kept();
      expect(after).not.toEqual(before);
      expect(count.seen).toBeGreaterThan(6);
      for (let deadly = 1; deadly <= 8; deadly++) {
        await used(people[1 + deadly] ?? owner, uuids[1] ?? '');
        const untouched = await kept();
        let seen = 0;
        const mortal = interposed(async (_text, tx) => {
          seen += 1;
          if (seen !== deadly) return;
          await tx.query({ text: 'SELECT pg_terminate_backend(pg_backend_pid())' });
        });
        await analyticsOver(mortal)
          .trending.rollUp()
          .catch(() => undefined);
        expect(await kept()).toEqual(untouched);
        await trending.rollUp();
        expect(await kept()).not.toEqual(untouched);
      }
      await sameAsAnew();
      for (const uuid of uuids) await configurations.remove(owner, uuid);
    },
  );

  it(
    'holds while servers are used, hidden and deleted from all sides and several begin at once',
    verifies('trending.roll-up', 'trending.hidden'),
    async () => {
      const uuids: string[] = [];
      for (let each = 0; each < 12; each++) uuids.push(await shown(owner));
      const work: (() => Promise<unknown>)[] = [];
      for (const [turn, person] of people.entries())
        for (const [at, uuid] of uuids.entries()) {
          work.push(() => used(person, uuid));
          if (turn % 3 === 0) work.push(() => usage.uninstall(person, uuid));
          if (at % 4 === 0) work.push(() => trending.rollUp());
          if (turn === 5 && at < 2) work.push(() => configurations.setVisibility(owner, uuid, { isPublic: false }));
          if (turn === 6 && at === 2) work.push(() => configurations.remove(owner, uuid));
        }
      const refused: unknown[] = [];
      const next = async (): Promise<void> => {
        const one = work.shift();
        await one?.().catch((error: unknown) => refused.push(error));
        if (one) await next();
      };
      await Promise.all(Array.from({ length: 8 }, next));
      // Of a server that was hidden or deleted meanwhile, or that is not installed yet.
      for (const error of refused) expect(error).toMatchObject({ code: 'NOT_FOUND' });
      await trending.rollUp();
      await sameAsAnew();
      expect(await trending.count(owner, {})).toBe(9);
      for (const uuid of uuids) await configurations.remove(owner, uuid).catch(() => undefined);
    },
  );

  it('forgets what nothing depends on any more, and nothing else', verifies('trending.inflation'), async () => {
    const uuid = await shown(owner);
    const [one, other] = [people[0] ?? owner, people[1] ?? owner];
    const rows = async () => {
      const [row] = await database.query({
        text: `SELECT (SELECT count(*)::int FROM mcp_server_users) AS users, (SELECT count(*)::int FROM mcp_server_hours) AS hours,
          (SELECT count(*)::int FROM mcp_server_days) AS days`,
      });
      return row;
    };
    clock.advance(100 * 24 * hourMs);
    await usage.purge();
    expect(await rows()).toEqual({ users: 0, hours: 0, days: 0 });
    await used(one, uuid);
    clock.advance(20 * 24 * hourMs);
    await used(other, uuid);
    clock.advance(15 * 24 * hourMs);
    expect(await usage.purge()).toBe(2);
    expect(await rows()).toEqual({ users: 1, hours: 2, days: 1 });
    await usage.uninstall(other, uuid);
    expect((await list(owner, { timeframe: 'month' })).map(({ score }) => score)).toEqual([50]);
    clock.advance(50 * 24 * hourMs);
    await usage.purge();
    expect(await rows()).toEqual({ users: 0, hours: 0, days: 0 });
    await configurations.remove(owner, uuid);
  });
});

it('a worker aggregates by itself, until it is stopped', async () => {
  const uuid = await shown(owner);
  const stop = await trending.start();
  await used(people[0] ?? owner, uuid);
  await eventually('it is in the list', async () => (await trending.count(owner, {})) === 1);
  await usage.report(people[0] ?? owner, uuid, { action: 'tool_call' });
  await stop();
  await used(people[1] ?? owner, uuid);
  expect(await trending.rollUp()).toBe(1);
  await configurations.remove(owner, uuid);
});

describe('who is gone', () => {
  it('leaves no ghost: hidden, deleted, and with its user, at once', verifies('trending.hidden'), async () => {
    const [doomed] = await crowd(1);
    if (!doomed) throw new Error('nobody');
    const [first, second, third, last] = [
      await shown(doomed, { category: 'files' }),
      await shown(owner, { category: 'files' }),
      await shown(owner, { category: 'files' }),
      await shown(owner, { category: 'files' }),
    ];
    for (const [at, uuid] of [first, second, third, last].entries())
      for (const person of people.slice(at)) await used(person, uuid);
    const seen = async () => ({
      ranks: (await trending.connection(owner, { category: 'files' })).edges.map(({ node }) => [
        node.serverUuid,
        node.rank,
      ]),
      total: await trending.count(owner, { category: 'files' }),
      all: await trending.count(owner, {}),
      ofStats: await trending.ranksOf([last, first, second]),
    });
    await trending.rollUp();
    expect(await seen()).toEqual({
      ranks: [
        [first, 1],
        [second, 2],
        [third, 3],
        [last, 4],
      ],
      total: 4,
      all: 4,
      ofStats: [4, 1, 2],
    });
    await database.query({ text: 'DELETE FROM users WHERE uuid = $1', values: [doomed.principal?.userUuid] });
    await configurations.remove(owner, second);
    const two = {
      ranks: [
        [third, 1],
        [last, 2],
      ],
      total: 2,
      all: 2,
      ofStats: [2, 3, 3],
    };
    expect(await seen()).toEqual(two);
    await trending.rollUp();
    expect(await seen()).toEqual(two);
    await configurations.setVisibility(owner, third, { isPublic: false });
    const one = { ranks: [[last, 1]], total: 1, all: 1, ofStats: [1, 2, 2] };
    expect(await seen()).toEqual(one);
    await trending.rollUp();
    expect(await seen()).toEqual(one);
    await configurations.setVisibility(owner, third, { isPublic: true });
    await trending.rollUp();
    expect(await seen()).toEqual(two);
    await sameAsAnew();
  });
});

/** The database, with an observer of statements within transactions. */
function interposed(before: (text: string, tx: Database) => Promise<void>): Database {
  return {
    ...database,
    transaction: (run) =>
      database.transaction((tx) =>
        run({
          ...tx,
          query: async (statement) => {
            await before(statement.text, tx);
            return tx.query(statement);
          },
        }),
      ),
  };
}
