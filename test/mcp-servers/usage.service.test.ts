import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createServices } from '../../src/main/services.ts';
import { verifies } from '../requirements.ts';
import { createTestServices, signUp } from '../support/services.ts';

const { services, infrastructure, database, clock } = await createTestServices();
const { configurations, usage } = services.mcpServers;
const hourMs = 3_600_000;

/** Does something twice, the second while the first is not committed. */
async function sideBySide(work: (of: typeof usage, time: number) => Promise<unknown>): Promise<void> {
  let second: Promise<unknown> = Promise.resolve();
  await database.transaction(async (tx) => {
    await work(createServices({ ...infrastructure, database: tx }).mcpServers.usage, 0);
    // It may be refused as soon as the first is committed.
    second = work(usage, 1).catch(() => undefined);
    await delay(200);
  });
  await second;
}

it(
  'two of one user, the second while the first is under way, count once',
  verifies('servers.rate', 'servers.install'),
  async () => {
    const [owner, other] = [await signUp(services), await signUp(services)];
    const { uuid } = await configurations.create(owner, { name: 'x', command: 'npx' });
    await configurations.setVisibility(owner, uuid, { isPublic: true });
    await sideBySide((of, time) => of.rate(other, uuid, { rating: [5, 1][time] as number }));
    await sideBySide((of) => of.install(other, uuid));
    expect(await usage.stats(owner, uuid)).toMatchObject({ rating: 1, ratingsCount: 1, installations: 1 });
    await sideBySide((of) => of.uninstall(other, uuid));
    expect(await usage.stats(owner, uuid)).toMatchObject({ installations: 0 });
    await sideBySide((of) => of.report(owner, uuid, { action: 'tool_call' }));
    const [day] = await database.query({
      text: 'SELECT installs, uninstalls, calls FROM mcp_server_days WHERE server_uuid = $1',
      values: [uuid],
    });
    expect(day).toEqual({ installs: 1, uninstalls: 1, calls: 2 });
  },
);

it('goes by days that are kept as long as they are shown', verifies('servers.stats'), async () => {
  const owner = await signUp(services);
  const { uuid } = await configurations.create(owner, { name: 'x', command: 'npx' });
  const days = async () => {
    const rows = await database.query({ text: 'SELECT FROM mcp_server_days WHERE server_uuid = $1', values: [uuid] });
    return rows.length;
  };
  await usage.install(owner, uuid);
  clock.advance(24 * hourMs);
  await usage.report(owner, uuid, { action: 'tool_call' });
  clock.advance(28 * 24 * hourMs);
  await usage.purge();
  expect(await days()).toBe(2);
  expect((await usage.stats(owner, uuid)).dailyInstalls).toEqual([1, ...Array(29).fill(0)]);
  clock.advance(3 * 24 * hourMs);
  await usage.purge();
  expect(await days()).toBe(1);
  clock.advance(24 * hourMs);
  await usage.purge();
  expect(await days()).toBe(0);
  expect(await usage.stats(owner, uuid)).toMatchObject({ installations: 1, dailyInstalls: Array(30).fill(0) });
});
