import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import type { Operation, Perform } from './history.ts';
import { advise, clockOffset, keepJournal } from './journal.ts';
import { httpClientOf } from './product-clients.ts';
import { randomOf } from './random.ts';
import { createStage } from './stage.ts';
import { expectLinearizable } from './verdicts.ts';
import { historyOf, type Load, type Mix, reportSeed, seed, troublesOf, withExpiries } from './workload.ts';

const clients = 16;
const stage = await createStage();

/** 16 clients of a new profile, half of them at either process. */
async function crowd(): Promise<{ profileUuid: string; performs: Perform[] }> {
  const { secret, profileUuid } = await stage.newProfile();
  const performs = Array.from({ length: clients }, (_, c) => httpClientOf(stage.products[c % 2 ? 1 : 0], secret));
  return { profileUuid, performs };
}

const everything: Mix = { push: 8, pop: 3, get: 4, delete: 2, clear: 0.4, list: 0.5 };

// A first call is slow, and what overlaps with everything proves little.
beforeAll(async () => {
  await keepJournal(stage.database);
  const { performs } = await crowd();
  await historyOf(performs, { mix: { ...everything, set: 2, read: 2, unset: 2 }, callsEach: 30 }, randomOf(seed));
});

const figures = { histories: 0, operations: 0, steps: 0, stepsMax: 0 };
afterAll(() =>
  reportSeed(
    'histories over two processes',
    `${figures.histories} histories, ${figures.operations} operations, ${figures.steps} steps of search, at most ${figures.stepsMax}`,
  ),
);

async function expectStrict(profileUuid: string, history: Operation[], of: string): Promise<void> {
  expect(troublesOf(history)).toEqual([]);
  await advise(stage.database, profileUuid, history);
  const { steps } = expectLinearizable(history, of);
  figures.histories += 1;
  figures.operations += history.length;
  figures.steps += steps;
  figures.stepsMax = Math.max(figures.stepsMax, steps);
}

const loads: Record<string, Load> = {
  'pushes and pops': { mix: { push: 5, pop: 5 }, callsEach: 6 },
  'pops of a stack that runs empty': { mix: { push: 2, pop: 5, get: 2 }, callsEach: 5, pushedFirst: 12 },
  'reads between writes': { mix: { push: 4, pop: 2, get: 6, list: 1 }, callsEach: 6, pushedFirst: 2 },
  'everything that a stack can do': { mix: everything, callsEach: 6, pushedFirst: 3 },
};

describe('16 clients over two server processes', () => {
  it.each(Object.entries(loads))(
    '%s: every history is that of a strict stack (A01, A02, A03, A04, A06)',
    verifies('clipboard.concurrency'),
    async (title, load) => {
      for (let round = 0; round < 6; round++) {
        const { profileUuid, performs } = await crowd();
        const history = await historyOf(performs, load, randomOf(seed, round));
        await expectStrict(profileUuid, history, `${title}, history ${round}`);
      }
    },
  );

  it('a long history: nothing popped twice, nothing lost, the indices left are 0 to n-1, and all of it strict (A01, A02, A03)', async () => {
    const { profileUuid, performs } = await crowd();
    const history = await historyOf(performs, { mix: { push: 5, pop: 4, get: 1 }, callsEach: 60 }, randomOf(seed));
    expect(history).toHaveLength(clients * 60 + 1);
    await expectStrict(profileUuid, history, 'a long history');
  });

  it('entries that expire on the way: an expired one is gone for every call at once, whatever lies above or below it (A09)', async () => {
    const offset = clockOffset();
    let expired = 0;
    const untilExpiry = (operations: Operation[]) => {
      const expiries = operations.flatMap(({ result }) =>
        result instanceof Object && 'expiresAt' in result ? result.expiresAt : [],
      );
      return Math.max(0, Math.min(...expiries) - offset - performance.now() - 20);
    };
    const run = async (round: number) => {
      const { profileUuid, performs } = await crowd();
      const history = await historyOf(
        performs,
        {
          mix: { ...everything, clear: 0, set: 2, read: 2 },
          names: ['n', 'm'],
          callsEach: 4,
          pauseMs: 100,
          ttlSeconds: (random) => (random() < 0.7 ? 1 : undefined),
        },
        randomOf(seed, round),
        // The calls of the second round are made while what the first wrote expires.
        { rounds: 2, between: ({ operations }, done) => (done === 0 ? delay(untilExpiry(operations)) : undefined) },
      );
      // A millisecond is the precision of an expiry; another is for the reading of two clocks.
      const whole = withExpiries(history, offset, 2);
      expired += whole.length - history.length;
      await expectStrict(profileUuid, whole, `expiry, history ${round}`);
    };
    await Promise.all([0, 1].map(run));
    expect(expired).toBeGreaterThan(10);
  });

  it('connections that the server ends on the way: what was not answered happened once or not at all (A08)', async () => {
    let unknown = 0;
    for (let round = 0; round < 3; round++) {
      const { profileUuid, performs } = await crowd();
      let isOver = false;
      const harm = (async () => {
        while (!isOver) {
          await delay(15);
          await stage.database.query({ text: terminateOne });
        }
      })();
      const history = await historyOf(
        performs,
        { mix: everything, callsEach: 6, pushedFirst: 2 },
        randomOf(seed, round),
      );
      isOver = true;
      await harm;
      unknown += history.filter(({ result }) => result === undefined).length;
      await expectStrict(profileUuid, history, `ended connections, history ${round}`);
    }
    expect(unknown).toBeGreaterThan(0);
  });
});

describe('names over two server processes', () => {
  it(
    "sets of one new name at once: one row, and each reader sees one writer's whole value (A05)",
    verifies('clipboard.set.replace'),
    async () => {
      for (let round = 0; round < 4; round++) {
        const { profileUuid, performs } = await crowd();
        const history = await historyOf(performs, { mix: { set: 3, read: 2 }, callsEach: 4 }, randomOf(seed, round));
        const ids = history.flatMap((operation) => (operation.kind === 'set' ? [operation.result?.uuid] : []));
        expect(new Set(ids).size).toBe(1);
        await expectStrict(profileUuid, history, `one name, history ${round}`);
      }
    },
  );

  it('names, a stack and clears of both: the count of a clear is what it took, and each write survives or is counted (A05, A06)', async () => {
    const mix = { set: 6, read: 3, unset: 2, push: 4, pop: 1, clear: 1.5, list: 1 };
    for (let round = 0; round < 6; round++) {
      const { profileUuid, performs } = await crowd();
      const load = { mix, names: ['n', 'm', 'o'], callsEach: 5 };
      await expectStrict(
        profileUuid,
        await historyOf(performs, load, randomOf(seed, round)),
        `names, history ${round}`,
      );
    }
  });
});

/** Ends one of the products' connections, a busy one where there is one. */
const terminateOne = `SELECT pg_terminate_backend(pid) FROM (
  SELECT pid FROM pg_stat_activity
  WHERE application_name = 'patchbay' AND datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%clipboard%'
  ORDER BY state = 'active' DESC, random() LIMIT 1) one`;
