import type { ExecutionResult } from 'graphql';
import { Registry } from 'prom-client';
import { afterEach, expect, it } from 'vitest';
import { createLiveCredentials, type LiveCredentials } from '../../../src/main/graphql/live-credentials.ts';
import type { Principal } from '../../../src/platform/caller.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { generatorOf } from '../../../src/platform/messaging/events.ts';
import { createMetrics } from '../../../src/platform/metrics.ts';
import { verifies } from '../../requirements.ts';

const principal: Principal = {
  kind: 'key',
  credentialUuid: 'credential',
  userUuid: 'user',
  projectUuid: 'project',
  profileUuid: 'profile',
  scopes: new Set(['read']),
  source: 'sdk',
  isAdmin: false,
  tier: 'free',
};
const metrics = createMetrics({
  registry: new Registry(),
  outboxSeconds: async () => 0,
  outboxSetAside: async () => 0,
  pool: () => ({ total: 0, idle: 0, waiting: 0 }),
});
const holding = new Set(['credential']);
let live: LiveCredentials;

const begin = () => {
  holding.add('credential');
  live = createLiveCredentials({
    auth: { credentials: { holding: async () => holding } },
    metrics,
    log: createLogger('silent'),
    report: () => undefined,
  });
  return live;
};
afterEach(() => live.stop());

const open = async () => (await metrics.liveConnections.get()).values[0]?.value ?? 0;

/** A source that a test fills by hand. */
function source() {
  let isReturned = false;
  let push = (_event: unknown) => {};
  const events = generatorOf<ExecutionResult>((given) => {
    push = given;
    return () => {
      isReturned = true;
    };
  });
  return {
    events: events as AsyncGenerator<ExecutionResult>,
    push: (event: unknown) => push(event),
    isReturned: () => isReturned,
  };
}

const codesOf = ({ value }: IteratorResult<ExecutionResult>) =>
  (value as ExecutionResult | undefined)?.errors?.map(({ extensions }) => extensions.code);

it('F07: no event passes once the credential is known to be over, not even a waiting one; then UNAUTHORIZED, then the end', async () => {
  const { events, push, isReturned } = source();
  const stream = begin().guard(principal, events);
  push({ data: { n: 1 } });
  expect(await stream.next()).toEqual({ done: false, value: { data: { n: 1 } } });
  push({ data: { n: 2 } });
  holding.clear();
  await live.check();
  push({ data: { n: 3 } });
  const last = await stream.next();
  expect(codesOf(last)).toEqual(['UNAUTHORIZED']);
  expect((await stream.next()).done).toBe(true);
  expect(isReturned()).toBe(true);
  expect(await open()).toBe(0);
});

it(
  'F09: a subscriber with more than a thousand waiting events gets an error, and its subscription ends',
  verifies('graph.slow-reader'),
  async () => {
    const { events, push, isReturned } = source();
    const stream = begin().guard(principal, events);
    for (let n = 0; n <= 1_000; n++) push({ data: { n } });
    expect(codesOf(await stream.next())).toEqual(['UNAVAILABLE']);
    expect((await stream.next()).done).toBe(true);
    expect(isReturned()).toBe(true);
    expect(await open()).toBe(0);
  },
);

it('F10: a source that fails is one masked result, and the end', async () => {
  const failing = (async function* (): AsyncGenerator<ExecutionResult> {
    yield { data: {} };
    throw new Error('relation "secret" does not exist');
  })();
  const stream = begin().guard(principal, failing);
  await stream.next();
  const last = await stream.next();
  expect(codesOf(last)).toEqual(['SERVER_ERROR']);
  expect(JSON.stringify(last)).not.toContain('secret');
  expect((await stream.next()).done).toBe(true);
  expect(await open()).toBe(0);
});

it(
  'E08: of one caller a thousand run at a time; the next is RATE_LIMITED, and its source is returned',
  verifies('graph.socket.limits'),
  async () => {
    begin();
    const streams = Array.from({ length: 1_000 }, () => live.guard(principal, source().events));
    expect(await open()).toBe(1_000);
    const over = source();
    const refused = live.guard(principal, over.events);
    expect(codesOf(await refused.next())).toEqual(['RATE_LIMITED']);
    expect((await refused.next()).done).toBe(true);
    expect(over.isReturned()).toBe(true);
    const other = live.guard({ ...principal, credentialUuid: 'other' }, source().events);
    await streams[0]?.return(undefined);
    const fits = source();
    const again = live.guard(principal, fits.events);
    fits.push({ data: {} });
    expect(await again.next()).toEqual({ done: false, value: { data: {} } });
    // However often each is ended, the gauge is right.
    for (const stream of [...streams, other, refused, again, ...streams]) await stream.return(undefined);
    expect(await open()).toBe(0);
  },
);
