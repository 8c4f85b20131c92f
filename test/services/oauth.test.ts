import { beforeAll, describe, expect, it } from 'vitest';
import { blockade } from '../support/blockade.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';
import { startHostileStage } from '../support/oauth/hostile-stage.ts';
import { appUrl } from '../support/oauth/stage.ts';
import type { Product } from '../support/product.ts';
import { startTestServer } from '../support/server.ts';
import { countByStatus, startProducts } from './products.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';

const processes = 4;
/** Flows begin at a server in this process, whose database the products share. Its clock is theirs. */
const server = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8', APP_URL: appUrl }, undefined, { isRealTime: true });
let redis: RedisServer;
let products: Product[];

const settings = () => ({
  DATABASE_URL: server.url,
  REDIS_URL: redis.url,
  APP_URL: appUrl,
  EGRESS_ALLOW: '127.0.0.0/8',
  PROCESSES: String(processes),
  RATE_LIMITS: JSON.stringify({ '*': 'off', 'oauth.initiate': '10/15m' }),
});

beforeAll(async () => {
  redis = await startRedisServer();
  cleanUp(() => redis.close());
  products = await startProducts(processes, settings(), 'web-process');
});

type Stage = Awaited<ReturnType<typeof startHostileStage>>;

async function authorized(): Promise<Stage> {
  const stage = await startHostileStage(server);
  expect(await stage.authorize()).toBe(stage.success);
  return stage;
}
const refreshes = ({ hostile }: Stage) =>
  hostile.tokenRequests().filter(({ body }) => body.grant_type === 'refresh_token');
const refreshAt = ({ browserAt, serverUuid }: Stage, at: Pick<Product, 'base'>) =>
  browserAt(at)('POST', '/api/oauth/refresh', { serverUuid });

describe(`OAuth in ${processes} processes`, () => {
  it('C15: 100 callers of a refresh make one token request, and nothing is revoked', async () => {
    for (let round = 0; round < 5; round++) {
      const stage = await authorized();
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, at) => refreshAt(stage, products[at % processes] as Product)),
      );
      expect(countByStatus(answers)).toEqual({ 200: 100 });
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(refreshes(stage)).toHaveLength(1);
      expect(stage.hostile.revocations()).toEqual([]);
      expect(await stage.session()).toMatchObject({ status: 'active', generation: 1, refreshClaim: null });
    }
  });

  it('C01: of a callback that comes to all of them at once, one exchanges the code', async () => {
    const stage = await startHostileStage(server);
    const path = await stage.consented();
    const ends = await Promise.all(products.map((product) => stage.ended(path, stage.browserAt(product))));
    expect(ends.filter((end) => end === stage.success)).toHaveLength(1);
    expect(stage.hostile.tokenRequests()).toHaveLength(1);
  });

  it('C23: of 40 initiates of a user over all of them ten pass, and another user is not held up', async () => {
    const [one, two] = [await startHostileStage(server), await startHostileStage(server)];
    const initiate = ({ browserAt, serverUuid }: Stage, at: number) =>
      browserAt(products[at % processes] as Product)('POST', '/api/oauth/initiate', { serverUuid });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => initiate(one, at)));
    expect(countByStatus(answers)).toEqual({ 200: 10, 429: 30 });
    expect((await initiate(two, 0)).status).toBe(200);
  });

  it.each(['before the answer', 'before the answer is stored'])(
    'C17: after a process was killed %s, the others wait for its claim, then 409, never 500, and no token is sent twice',
    async (moment) => {
      const stage = await authorized();
      const [victim] = await startProducts(1, settings(), 'web-process');
      const release = stage.hostile.holdTokenAnswers();
      const lost = refreshAt(stage, victim as Product).catch(() => null);
      await eventually('the token is sent', () => refreshes(stage).length === 1);
      if (moment === 'before the answer') {
        await victim?.kill();
        release();
      } else {
        const block = await blockade(server.url, 'oauth_sessions');
        release();
        const waiting = await block.waits();
        await victim?.kill();
        // The statement of a process that is gone would still be carried out.
        await block.kill(waiting);
        await block.release();
      }
      expect(await lost).toBeNull();
      const answers = await Promise.all(products.map((product) => refreshAt(stage, product)));
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses[0]).toBe(400);
      expect(statuses.at(-1)).toBe(409);
      expect(statuses.filter((status) => status === 409)).toHaveLength(1);
      expect(refreshes(stage)).toHaveLength(1);
      expect(await stage.session()).toMatchObject({ status: 'revoked', accessToken: null, refreshToken: null });
      expect(await stage.events()).toContain('token_reuse');
      expect(await stage.authorize()).toBe(stage.success);
      expect((await refreshAt(stage, products[0] as Product)).status).toBe(200);
    },
  );
});
