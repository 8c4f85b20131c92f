import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { verifies } from '../../requirements.ts';
import { blockade } from '../../support/blockade.ts';
import { eventually } from '../../support/deadline.ts';
import { heldStack } from '../../support/held-stack.ts';
import { type Answer, type Call, callerOf, startTestServer, tenantOf } from '../../support/server.ts';

const server = await startTestServer();
/** A second process over the same database. */
const other = await startTestServer({}, server.url);
const push = '/api/clipboard/push';
const keyed = (key: string = randomUUID()) => ({ 'Idempotency-Key': key });
type Tenant = Awaited<ReturnType<typeof tenantOf>>;
const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed');
const totalOf = async (call: Call): Promise<number> => (await call('GET', '/api/clipboard')).body.total;

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Calls as a client does: again after 503 (on a busy machine the database may not answer in time), and after 409. */
const done = (ask: () => Promise<Answer>): Promise<Answer> =>
  eventually('an answer that need not be retried', async () => {
    const answer = await ask();
    return [409, 503].includes(answer.status) ? null : answer;
  });

/** Ends the connections on which the processes hold the locks of running requests. */
async function endLocks(): Promise<number> {
  const client = await connected();
  const { rows } = await client.query(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'patchbay-locks'`);
  return rows.length;
}

describe('J07: 60 keyed requests of one tenant at once', verifies('everywhere.idempotency.connections'), () => {
  it('leave connections to others while they wait, and each is done once', async () => {
    const [busy, quiet] = [await tenantOf(server), await tenantOf(server)];
    const stack = await heldStack(server.url, String(busy.caller.principal?.profileUuid));
    const value = 'x'.repeat(100_000);
    const keys = Array.from({ length: 60 }, () => randomUUID());
    const pushes = keys.map((key) => busy.call('POST', push, { value }, keyed(key)));
    await stack.waits(2);
    const pools: ReturnType<typeof server.database.pool>[] = [];
    const asked = async (...request: Parameters<Call>) => {
      await done(() => quiet.call(...request));
      pools.push(server.database.pool());
    };
    await asked('POST', '/api/clipboard', { name: 'n', value: 'v' });
    await asked('GET', '/api/clipboard?name=n');
    await asked('POST', push, { value: 'v' }, keyed());
    await asked('GET', '/api/clipboard');
    for (const { total, idle, waiting } of pools) {
      expect(waiting).toBe(0);
      expect(total - idle).toBeLessThanOrEqual(3);
    }
    await stack.release();
    // One that waited too long for its turn was not done.
    for (const { status, headers } of await Promise.all(pushes))
      expect([status, headers.get('retry-after')]).toEqual(status === 200 ? [200, null] : [503, '1']);
    const bodies = await Promise.all(keys.map((key) => done(() => busy.call('POST', push, { value }, keyed(key)))));
    for (const { body } of bodies) expect(body.entry.value).toBe(value);
    expect(await totalOf(busy.call)).toBe(60);
  });
});

describe("the locks' connection is lost", verifies('everywhere.idempotency.atomic'), () => {
  /** Two processes work on requests with one key at the same time. @returns The answers that their clients get in the end. */
  async function workedTwice(path: string, bodies: readonly [unknown, unknown], tenant: Tenant): Promise<Answer[]> {
    const stack = await heldStack(server.url, String(tenant.caller.principal?.profileUuid));
    const headers = keyed();
    const asks = [tenant.call, callerOf(other, tenant.secret)].map(
      (call, i) => () => call('POST', path, bodies[i], headers),
    ) as [() => Promise<Answer>, () => Promise<Answer>];
    const first = asks[0]();
    await stack.waits(1);
    expect(await endLocks()).toBeGreaterThan(0);
    const second = asks[1]();
    const both = stack.waits(2);
    both.catch(() => {});
    // One that the database did not answer in time waits no more.
    await Promise.race([both, first, second]);
    await stack.release();
    const given = await Promise.all([first, second]);
    const answers = await Promise.all(asks.map(done));
    for (const [i, { status, text }] of given.entries()) if (status === 200) expect(text).toBe(answers[i]?.text);
    return answers;
  }

  it.each([
    ['push', push, { value: 'v' }, 3],
    ['pop', '/api/clipboard/pop', undefined, 1],
  ])('in the middle: two processes %s, one effect, and both answer alike', async (_name, path, body, left) => {
    const tenant = await tenantOf(server);
    for (const value of ['a', 'b']) await tenant.call('POST', push, { value });
    const answers = await workedTwice(path, [body, body], tenant);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect(await totalOf(tenant.call)).toBe(left);
  });

  it('in the middle: another request with the key is 422, and only one is done', async () => {
    const tenant = await tenantOf(server);
    const answers = await workedTwice(push, [{ value: 'v' }, { value: 'w' }], tenant);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    expect(await totalOf(tenant.call)).toBe(1);
  });

  it('between requests: the next ones take locks again', async () => {
    const { call, secret, caller } = await tenantOf(server);
    await done(() => call('POST', push, { value: 'v' }, keyed()));
    await endLocks();
    await done(() => call('POST', push, { value: 'v' }, keyed()));
    const stack = await heldStack(server.url, String(caller.principal?.profileUuid));
    const headers = keyed();
    const first = call('POST', push, { value: 'v' }, headers);
    await stack.waits(1);
    expect((await callerOf(other, secret)('POST', push, { value: 'v' }, headers)).status).toBe(409);
    await stack.release();
    expect((await first).status).toBe(200);
  });
});

describe('a keyed request', () => {
  it('shares no transaction with requests beside it on the same stack', async () => {
    const { call, caller } = await tenantOf(server);
    const stack = await heldStack(server.url, String(caller.principal?.profileUuid));
    const first = call('POST', push, { value: 'first' });
    await stack.waits(1);
    // Its answer cannot be recorded.
    const answers = await blockade(server.url, 'idempotent_answers');
    const withKey = call('POST', push, { value: 'keyed' }, keyed());
    await stack.waits(2);
    const beside = call('POST', push, { value: 'beside' });
    await stack.release();
    await answers.kill(await answers.waits());
    expect((await withKey).status).toBe(503);
    expect([(await first).status, (await beside).status]).toEqual([200, 200]);
    await answers.release();
    const { body } = await call('GET', '/api/clipboard');
    expect(body.entries.map(({ value }: { value: string }) => value).toSorted()).toEqual(['beside', 'first']);
  });

  it('is the same request whatever else its body holds, however much', async () => {
    const { call } = await tenantOf(server);
    const headers = keyed();
    const first = await call('POST', push, { value: 'v' }, headers);
    const padded = `{"ignored":[${'{},'.repeat(40_000)}{}],"value":"v"}`;
    const again = await call('POST', push, padded, headers);
    expect([again.status, replayed(again), again.text]).toEqual([200, 'true', first.text]);
    expect((await call('POST', push, { value: 'v', contentType: 'text/x' }, headers)).status).toBe(422);
  });
});
