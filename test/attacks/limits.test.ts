import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { cleanUp } from '../support/cleanup.ts';
import { audit } from './audit.ts';
import { type Check, refusedOutright } from './check.ts';
import { ask, type Target } from './target.ts';

/** A server that answers each request with the next of these: seconds for a 429, or null for a GraphQL error. */
async function targetOf(...replies: (number | null)[]): Promise<Target & { readonly waits: number[] }> {
  const server = createServer((_req, res) => {
    const seconds = replies.shift() ?? null;
    if (seconds !== null) res.writeHead(429, { 'Retry-After': String(seconds) });
    else res.writeHead(400);
    res.end(JSON.stringify({ errors: [{ message: seconds === null ? 'wrong' : 'Rate limit exceeded' }] }));
  }).listen(0, '127.0.0.1');
  cleanUp(async () => void server.close());
  await once(server, 'listening');
  const waits: number[] = [];
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: 'pbk_x',
    session: null,
    countsGuesses: true,
    meter: null,
    waitForLimit: async (seconds) => void waits.push(seconds),
    waits,
  };
}

const check: Check = {
  name: 'any',
  severity: 'high',
  attack: async (target) => refusedOutright(await ask(target, '{ x }')),
};

it('waits after a 429 and sends the request again, so that it does not count as a rejected attack', async () => {
  const target = await targetOf(7, 30, null);
  const [finding] = await audit(target, [check]);
  expect(finding).toMatchObject({ verdict: 'refused', evidence: expect.stringMatching(/^400 .*wrong/) });
  expect(target.waits).toEqual([7, 30]);
});

it.each([
  ['for long', [900], []],
  ['again and again', [1, 1, 1, 1], [1, 1, 1]],
])('skips a check that is rate limited %s, and says why', async (_what, replies, waits) => {
  const target = await targetOf(...replies);
  const [finding] = await audit(target, [check]);
  expect(finding).toMatchObject({
    severity: null,
    verdict: 'skipped',
    evidence: expect.stringContaining('rate limit'),
  });
  expect(target.waits).toEqual(waits);
});

it('takes a 429 for a response if the limits are attacked', async () => {
  const [finding] = await audit({ ...(await targetOf(900)), waitForLimit: null }, [check]);
  expect(finding).toMatchObject({ verdict: 'refused', evidence: expect.stringMatching(/^429 /) });
});
