import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { blockade } from '../support/blockade.ts';
import { eventually } from '../support/deadline.ts';
import { type Answer, type Call, callerOf, startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
/** A second process over the same database. */
const other = await startTestServer({}, server.url);
const push = '/api/clipboard/push';
const keyed = (key: string = randomUUID()) => ({ 'Idempotency-Key': key });
const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed');
const totalOf = async (call: Call): Promise<number> => (await call('GET', '/api/clipboard')).body.total;

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Keeps everything waiting that changes the stack of a profile, and nothing else. */
async function heldStack(profileUuid: string) {
  const client = await connected();
  const lock = (name: string) => client.query(`SELECT ${name}(7265, hashtext($1::text))`, [profileUuid]);
  await lock('pg_advisory_lock');
  return {
    waits: (count: number) =>
      eventually(`${count} changes wait`, async () => {
        const { rows } = await client.query(
          `SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND classid = 7265
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        return rows.length >= count;
      }),
    release: () => lock('pg_advisory_unlock'),
  };
}

/** Ends the connections on which the processes hold the locks of running requests. */
async function endLocks(): Promise<number> {
  const client = await connected();
  const { rows } = await client.query(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'patchbay-locks'`);
  return rows.length;
}

describe(`J07: 60 keyed requests of one tenant at once ${verifies('everywhere.idempotency.connections')}`, () => {
  it('leave connections to others while they wait, and each is done once', async () => {
    const [busy, quiet] = [await tenantOf(server), await tenantOf(server)];
    const stack = await heldStack(String(busy.caller.principal?.profileUuid));
    const value = 'x'.repeat(100_000);
    const keys = Array.from({ length: 60 }, () => randomUUID());
    const pushes = keys.map((key) => busy.call('POST', push, { value }, keyed(key)));
    await stack.waits(2);
    const answers = [
      await quiet.call('POST', '/api/clipboard', { name: 'n', value: 'v' }),
      await quiet.call('GET', '/api/clipboard?name=n'),
      ...(await Promise.all(Array.from({ length: 10 }, () => quiet.call('POST', push, { value: 'v' }, keyed())))),
      ...(await Promise.all(Array.from({ length: 10 }, () => quiet.call('GET', '/api/clipboard')))),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await stack.release();
    // One that waited too long for its turn was not done.
    for (const { status, headers } of await Promise.all(pushes))
      expect([status, headers.get('retry-after')]).toEqual(status === 200 ? [200, null] : [503, '1']);
    const done = (key: string) =>
      eventually('the request is done', async () => {
        const answer = await busy.call('POST', push, { value }, keyed(key));
        return answer.status === 200 ? answer : null;
      });
    for (const { body } of await Promise.all(keys.map(done))) expect(body.entry.value).toBe(value);
    expect(await totalOf(busy.call)).toBe(60);
  });
});

describe(`the locks' connection is lost ${verifies('everywhere.idempotency.atomic')}`, () => {
  it.each([
    ['push', push, { value: 'v' }, 3],
    ['pop', '/api/clipboard/pop', undefined, 1],
  ])('in the middle: two processes %s, one effect, and both answer alike', async (_name, path, body, left) => {
    const { call, secret, caller } = await tenantOf(server);
    for (const value of ['a', 'b']) await call('POST', push, { value });
    const stack = await heldStack(String(caller.principal?.profileUuid));
    const headers = keyed();
    const first = call('POST', path, body, headers);
    await stack.waits(1);
    expect(await endLocks()).toBeGreaterThan(0);
    const second = callerOf(other, secret)('POST', path, body, headers);
    await stack.waits(2);
    await stack.release();
    const answers = [await first, await second];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(replayed).toSorted()).toEqual([null, 'true'].toSorted());
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect(await totalOf(call)).toBe(left);
  });

  it('in the middle: another request with the key is 422, and only one is done', async () => {
    const { call, secret, caller } = await tenantOf(server);
    const stack = await heldStack(String(caller.principal?.profileUuid));
    const headers = keyed();
    const first = call('POST', push, { value: 'v' }, headers);
    await stack.waits(1);
    await endLocks();
    const second = callerOf(other, secret)('POST', push, { value: 'w' }, headers);
    await stack.waits(2);
    await stack.release();
    expect([(await first).status, (await second).status].toSorted()).toEqual([200, 422]);
    expect(await totalOf(call)).toBe(1);
  });

  it('between requests: the next ones take locks again', async () => {
    const { call, secret, caller } = await tenantOf(server);
    await call('POST', push, { value: 'v' }, keyed());
    await endLocks();
    const stack = await heldStack(String(caller.principal?.profileUuid));
    const headers = keyed();
    const first = await eventually('the server has noticed', async () => {
      const request = call('POST', push, { value: 'v' }, headers);
      return Promise.race([request.then(({ status }) => status === 200), stack.waits(1).then(() => ({ request }))]);
    });
    expect((await callerOf(other, secret)('POST', push, { value: 'v' }, headers)).status).toBe(409);
    await stack.release();
    expect(first === true || (await first.request).status).toBe(200);
  });
});

describe('a keyed request', () => {
  it('shares no transaction with requests beside it on the same stack', async () => {
    const { call, caller } = await tenantOf(server);
    const stack = await heldStack(String(caller.principal?.profileUuid));
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
