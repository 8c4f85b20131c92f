import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { createTestServices } from '../support/services.ts';
import { hourMs, trendingStage } from './trending-stage.ts';

const { clock, ...test } = await createTestServices();
const { database } = test;
const { usage, crowd, profilesOf, shown, used, list } = trendingStage(test);
const [owner, ...people] = await crowd(8);
if (!owner) throw new Error('nobody');
const callerAt = (index: number) => people[index] ?? owner;
const call = { action: 'tool_call' } as const;
const scoreOf = async (uuid: string, timeframe: 'day' | 'week' | 'month' = 'week') =>
  (await list(owner, { timeframe })).find(({ serverUuid }) => serverUuid === uuid)?.score ?? 0;

describe('what counts', () => {
  it(
    "counts each user's installation and calls once, and loses points with the hours",
    verifies('trending.score', 'trending.inflation'),
    async () => {
      const uuid = await shown(owner);
      for (const person of people.slice(0, 3)) await used(person, uuid);
      expect(await scoreOf(uuid)).toBe(3 * 80 + 20);
      for (let again = 0; again < 50; again++) await usage.report(callerAt(0), uuid, call);
      expect(await scoreOf(uuid)).toBe(3 * 80 + 20);
      clock.advance(12 * hourMs);
      expect(await scoreOf(uuid, 'day')).toBe(3 * 80 + 10);
      await usage.report(callerAt(0), uuid, call);
      expect(await scoreOf(uuid, 'day')).toBe(3 * 80 + 10);
      clock.advance(12 * hourMs);
      await usage.report(callerAt(0), uuid, call);
      expect([await scoreOf(uuid, 'day'), await scoreOf(uuid, 'week')]).toEqual([60, 3 * 40 + 4 * 40 + 20]);
    },
  );

  it(
    'cannot be raised or lowered by installing and removing in turn (H14)',
    verifies('trending.inflation'),
    async () => {
      const uuid = await shown(owner);
      const [one, other] = [callerAt(0), callerAt(1)];
      for (let turn = 0; turn < 5; turn++) {
        await usage.install(one, uuid);
        expect(await scoreOf(uuid)).toBe(60);
        clock.advance(60_000);
        await usage.uninstall(one, uuid);
        expect(await scoreOf(uuid)).toBe(0);
      }
      // All of it stands in the hour in which it began: a day on it is not news any more.
      await usage.install(one, uuid);
      clock.advance(25 * hourMs);
      await usage.uninstall(one, uuid);
      await usage.install(one, uuid);
      expect([await scoreOf(uuid, 'day'), await scoreOf(uuid, 'week')]).toEqual([0, 57]);
      // Nor can one who had it for long take points away again and again.
      clock.advance(31 * 24 * hourMs);
      await usage.install(other, uuid);
      for (let turn = 0; turn < 5; turn++) {
        await usage.uninstall(one, uuid);
        expect(await scoreOf(uuid)).toBe(20);
        await usage.install(one, uuid);
        expect(await scoreOf(uuid)).toBe(60);
      }
      expect((await usage.stats(owner, uuid)).dailyInstalls.reduce((sum, day) => sum + day)).toBe(1);
    },
  );

  it(
    'counts a user with several profiles once, also when they act at the same time (H14)',
    verifies('trending.inflation'),
    async () => {
      const [uuid, second] = [await shown(owner), await shown(owner)];
      const profiles = await profilesOf(callerAt(2), 6);
      await Promise.all(profiles.map((profile) => usage.install(profile, uuid)));
      await Promise.all(profiles.map((profile) => usage.report(profile, uuid, call)));
      expect(await scoreOf(uuid)).toBe(100);
      expect(await usage.stats(owner, uuid)).toMatchObject({
        installations: 1,
        dailyInstalls: expect.arrayContaining([1]),
      });
      expect(await usage.recount()).toBe(0);
      await Promise.all(profiles.slice(1).map((profile) => usage.uninstall(profile, uuid)));
      expect(await scoreOf(uuid)).toBe(100);
      expect((await usage.stats(owner, uuid)).installations).toBe(1);
      await usage.uninstall(profiles[0] ?? owner, uuid);
      expect((await usage.stats(owner, uuid)).installations).toBe(0);
      expect(await scoreOf(uuid)).toBe(60);
      // A deleted profile takes its installation along: no removal is recorded.
      const [passing] = await profilesOf(callerAt(3), 1);
      for (const profile of [passing ?? owner, callerAt(3)]) {
        await usage.install(profile, second);
        expect(await scoreOf(second)).toBe(60);
        await database.query({
          text: 'DELETE FROM profiles WHERE uuid = $1',
          values: [passing?.principal?.profileUuid],
        });
      }
    },
  );

  it('does not count what the owner does, in whichever profile', verifies('trending.owner'), async () => {
    const uuid = await shown(owner);
    for (const profile of [owner, ...(await profilesOf(owner, 2))]) await used(profile, uuid);
    expect(await scoreOf(uuid)).toBe(0);
    expect((await usage.stats(owner, uuid)).installations).toBe(1);
  });
});
