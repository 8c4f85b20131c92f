import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { ApiError } from '../../src/platform/errors.ts';
import type { Attempt } from '../../src/webhooks/attempt.ts';
import { createDispatcher, type DeliveryStore } from '../../src/webhooks/dispatcher.ts';
import type { ClaimedRow, Outcome } from '../../src/webhooks/statements.ts';
import { eventually } from '../support/deadline.ts';
import { startStopwatch } from '../support/stopwatch.ts';

const report = () => undefined;
const webhook = 'w';
const profileUuid = 'p';

/** Only what the dispatcher looks at. */
const rowOf = (uuid: string, webhookUuid = webhook) =>
  ({ uuid, webhook_uuid: webhookUuid, profile_uuid: profileUuid, was_lost: false, data: '{}' }) as ClaimedRow;

const succeeded = (uuid: string): Outcome => ({
  uuid,
  claim: '',
  status: 'succeeded',
  responseStatus: 200,
  responseMs: 1,
  responseBody: null,
  error: null,
  retrySeconds: null,
});

/** A store in memory, that gives out each delivery once. */
function storeOf(uuids: readonly string[]) {
  const queue = [...uuids];
  const recorded: string[] = [];
  const store: DeliveryStore = {
    due: async () => ({ webhooks: queue.length > 0 ? [{ uuid: webhook, profileUuid }] : [], isAnyApart: false }),
    claimApart: async () => [],
    claim: async (_claim, [wanted]) => queue.splice(0, wanted?.[1] ?? 0).map((uuid) => rowOf(uuid)),
    record: async (outcomes) => void recorded.push(...outcomes.map(({ uuid }) => uuid)),
  };
  return { store, recorded, queue };
}

it('writes down what ends in the very turn in which it has written all that there was', async () => {
  const { store, recorded } = storeOf(['first', 'second']);
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  let isFirst = true;
  const attempt: Attempt = async ({ uuid }) => {
    if (uuid === 'second') await written;
    return succeeded(uuid);
  };
  const dispatcher = createDispatcher({
    attempt,
    report,
    store: {
      ...store,
      record(outcomes) {
        void store.record(outcomes);
        if (!isFirst) return Promise.resolve();
        isFirst = false;
        return written;
      },
    },
  });
  const stop = dispatcher.start();
  await eventually('the first is written', () => recorded.includes('first'));
  write();
  await stop();
  expect(recorded).toEqual(['first', 'second']);
});

it('one outcome that cannot be written does not keep the others from it', async () => {
  const uuids = Array.from({ length: 60 }, (_, n) => `d${n}`);
  const { store, recorded } = storeOf(uuids);
  const dispatcher = createDispatcher({
    attempt: async ({ uuid }) => succeeded(uuid),
    report,
    store: {
      ...store,
      async record(outcomes) {
        if (outcomes.some(({ uuid }) => uuid === 'd5')) throw new Error('no');
        await store.record(outcomes);
      },
    },
  });
  const stop = dispatcher.start();
  await eventually('all others are written', () => recorded.length === uuids.length - 1);
  await stop();
  expect(recorded.toSorted()).toEqual(uuids.filter((uuid) => uuid !== 'd5').toSorted());
});

it('D02: what ends while it is stopped is written down, also when the database does not answer at once', async () => {
  const { store, recorded } = storeOf(['only']);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  let failures = 2;
  const dispatcher = createDispatcher({
    report,
    async attempt({ uuid }) {
      ask();
      await answered;
      return succeeded(uuid);
    },
    store: {
      ...store,
      async record(outcomes) {
        if (failures-- > 0) throw new ApiError('UNAVAILABLE', 'away');
        await store.record(outcomes);
      },
    },
  });
  const stop = dispatcher.start();
  await asked;
  const stopped = stop();
  answer();
  await stopped;
  expect(recorded).toEqual(['only']);
});

it('D02: a stop while the database is away waits for it once, not once for each outcome', async () => {
  const { store, queue } = storeOf(Array.from({ length: 40 }, (_, n) => `d${n}`));
  const record = async () => {
    throw new ApiError('UNAVAILABLE', 'away');
  };
  const attempt: Attempt = async ({ uuid }) => succeeded(uuid);
  const dispatcher = createDispatcher({ attempt, report, store: { ...store, record } });
  const stop = dispatcher.start();
  await eventually('all are sent', () => queue.length === 0);
  const elapsedMs = startStopwatch();
  await stop();
  expect(elapsedMs()).toBeLessThan(10_000);
});

it('D18: takes no more than it can hold while what it has sent cannot be written down', async () => {
  const webhooks = Array.from({ length: 100 }, () => ({ uuid: randomUUID(), profileUuid }));
  let taken = 0;
  let written = 0;
  let most = 0;
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const total = 20_000;
  const dispatcher = createDispatcher({
    attempt: async ({ uuid }) => succeeded(uuid),
    report,
    store: {
      due: async () => ({ webhooks: taken < total ? webhooks : [], isAnyApart: false }),
      claimApart: async () => [],
      async claim(_claim, rooms) {
        if (taken >= total) return [];
        const rows = rooms.flatMap(([uuid, room]) => Array.from({ length: room }, () => rowOf(randomUUID(), uuid)));
        taken += rows.length;
        most = Math.max(most, taken - written);
        return rows;
      },
      async record(outcomes) {
        await gate;
        written += outcomes.length;
      },
    },
  });
  const stop = dispatcher.start();
  await eventually('it waits', () => taken >= 1_000);
  expect(most).toBeLessThanOrEqual(1_024);
  open();
  await eventually('it goes on', () => taken >= total);
  await stop();
  expect(most).toBeLessThanOrEqual(1_024);
});

it('D16: has at most 128 attempts to one receiver at a time, however fast it answers', async () => {
  const total = 3_000;
  let taken = 0;
  let inFlight = 0;
  let most = 0;
  const dispatcher = createDispatcher({
    async attempt({ uuid }) {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight -= 1;
      return succeeded(uuid);
    },
    report,
    store: {
      due: async () => ({ webhooks: taken < total ? [{ uuid: webhook, profileUuid }] : [], isAnyApart: false }),
      claimApart: async () => [],
      async claim(_claim, [wanted]) {
        const rows = Array.from({ length: Math.min(wanted?.[1] ?? 0, total - taken) }, () => rowOf(randomUUID()));
        taken += rows.length;
        return rows;
      },
      record: async () => undefined,
    },
  });
  await dispatcher.drain();
  expect(taken).toBe(total);
  expect(most).toBeGreaterThan(8);
  expect(most).toBeLessThanOrEqual(128);
});

it('D16: a thousand receivers that have failed, and then hang, leave three quarters of the capacity to the others', async () => {
  const failing = Array.from({ length: 1_000 }, (_, n) => `failing${n}`);
  const failed = new Set<string>();
  const { promise: hanging, resolve: end } = Promise.withResolvers<void>();
  let doHang = false;
  let hung = 0;
  let healthy = 0;
  const dispatcher = createDispatcher({
    async attempt({ uuid, webhook_uuid: to }) {
      if (to === 'healthy') {
        healthy += 1;
        return succeeded(uuid);
      }
      failed.add(to);
      if (doHang) {
        hung += 1;
        await hanging;
      }
      return { ...succeeded(uuid), status: 'failed' };
    },
    report,
    store: {
      due: async () => ({ webhooks: [], isAnyApart: false }),
      claimApart: async () => [],
      // One for each at first, then as many as there is room for.
      claim: async (_claim, rooms) =>
        rooms.flatMap(([to, room]) =>
          Array.from({ length: doHang && to !== 'healthy' ? room : 1 }, () => rowOf(randomUUID(), to)),
        ),
      record: async () => undefined,
    },
  });
  const stop = dispatcher.start();
  dispatcher.wake(failing.map((uuid) => ({ uuid, profileUuid })));
  await eventually('each has failed once', () => failed.size === failing.length);
  doHang = true;
  dispatcher.wake(failing.map((uuid) => ({ uuid, profileUuid })));
  await eventually('some hang', () => hung > 0);
  dispatcher.wake([{ uuid: 'healthy', profileUuid }]);
  await eventually('the healthy one is sent to', () => healthy > 0);
  expect(hung).toBeLessThanOrEqual(128);
  end();
  await stop();
});

it('J08: begins small deliveries before the large ones of the same claim, and lets others run between large ones', async () => {
  const large = Array.from({ length: 20 }, (_, n) => ({ ...rowOf(`large${n}`), data: 'x'.repeat(100_000) }));
  const queue = [...large, rowOf('small', 'other')];
  const begun: string[] = [];
  let turns = 0;
  const dispatcher = createDispatcher({
    async attempt({ uuid }) {
      begun.push(uuid);
      if (begun.length === 1) {
        const count = () => {
          turns += 1;
          if (begun.length <= large.length) setImmediate(count);
        };
        setImmediate(count);
      }
      return succeeded(uuid);
    },
    report,
    store: {
      due: async () => ({ webhooks: queue.length > 0 ? [{ uuid: webhook, profileUuid }] : [], isAnyApart: false }),
      claim: async () => queue.splice(0),
      claimApart: async () => [],
      record: async () => undefined,
    },
  });
  await dispatcher.drain();
  expect(begun).toHaveLength(21);
  expect(begun[0]).toBe('small');
  // 2 MB in parts of half a megabyte.
  expect(turns).toBeGreaterThanOrEqual(3);
});
