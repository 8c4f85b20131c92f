import { beforeAll, expect, it } from 'vitest';
import { faultKinds, redisFaultKind, runFaults } from '../faults/fault-run.ts';
import { cleanUp } from '../support/cleanup.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';

let redis: RedisServer;

beforeAll(async () => {
  redis = await startRedisServer();
  cleanUp(() => redis.close());
});

it('I02, E05: where Redis is among what is killed under load, no acknowledged write is lost, and no entry is popped twice (`npm run faults` has 200)', async () => {
  const kinds = [...faultKinds, redisFaultKind];
  const {
    recoveries,
    acknowledged,
    milliseconds: _,
    ...troubles
  } = await runFaults({ faults: kinds.length, writes: 1_000, redis });
  expect(troubles).toEqual({ lost: [], twice: [], foreign: [], strange: [] });
  expect(acknowledged).toBeGreaterThanOrEqual(1_000);
  expect(recoveries.map(({ kind }) => kind)).toEqual(kinds);
});
