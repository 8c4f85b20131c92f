import { expect, it } from 'vitest';
import type { CostMeter } from '../support/process-cost.ts';
import type { Outgoing } from './exchange.ts';
import { createSuspects } from './suspects.ts';

const request = (path: string, authorization = false): Outgoing => ({
  method: 'GET',
  path,
  headers: authorization ? [['Authorization', 'Bearer x']] : [],
  body: null,
});

/** A product in which each path costs so many milliseconds. */
function product(costs: Readonly<Record<string, number>>) {
  let cpuMs = 0;
  const sent: string[] = [];
  const send = async ({ path }: Outgoing) => {
    sent.push(path);
    cpuMs += costs[path] ?? 0;
    return { failure: '', milliseconds: 0 };
  };
  const meter: CostMeter = {
    cpuMs: () => cpuMs,
    residentBytes: () => 0,
    isWhole: () => true,
    async measure(work) {
      const before = cpuMs;
      const result = await work();
      return { result, cost: { cpuMs: cpuMs - before, bytes: 0 } };
    },
  };
  return { meter, send, sent };
}

it('an input is found by what it costs alone, and not for one that was under way beside it', async () => {
  const { meter, send, sent } = product({ '/dear': 400, '/cheap': 1, '/some': 100 });
  const suspects = createSuspects<{ request: Outgoing }>(meter);
  const watched = (path: string, authorization?: boolean) => {
    const given = { request: request(path, authorization) };
    return suspects.watched(given, () => send(given.request));
  };
  // Both are under way at once, and either may have been it.
  const cheap = { request: request('/cheap', true) };
  await suspects.watched(cheap, () => watched('/dear', true));
  // With a credential 250 ms, without one 50 ms.
  await watched('/some', true);
  await watched('/some');
  sent.length = 0;
  const found = await suspects.replay(send);
  expect(found.map(({ suspect, fault }) => [suspect.request.path, fault.kind, fault.text])).toEqual([
    ['/dear', 'cost', '400 ms CPU, 0.0 MiB'],
    ['/some', 'cost', '100 ms CPU, 0.0 MiB'],
  ]);
  // What stays over the figures is sent three times.
  expect(sent.toSorted()).toEqual(['/cheap', '/dear', '/dear', '/dear', '/some', '/some', '/some']);
});

it('measures nothing of a product that runs elsewhere', async () => {
  const { send } = product({});
  const suspects = createSuspects<{ request: Outgoing }>(undefined);
  await suspects.watched({ request: request('/') }, () => send(request('/')));
  expect(await suspects.replay(send)).toEqual([]);
});
