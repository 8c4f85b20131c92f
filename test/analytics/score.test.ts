import { describe, expect, it } from 'vitest';
import { type Timeframe, timeframes } from '../../src/analytics/input.ts';
import { type HourFacts, standingOf, windowHours } from '../../src/analytics/score.ts';
import { verifies } from '../requirements.ts';

const now = new Date('2026-03-01T12:30:00.000Z');
const hourMs = 3_600_000;
const ago = (hours: number) => new Date(now.getTime() - hours * hourMs);
const fact = (hoursAgo: number, installs: number, calls: number): HourFacts => {
  const lastAt = ago(hoursAgo);
  return {
    hour: new Date(Math.floor(lastAt.getTime() / hourMs) * hourMs),
    installs: Math.max(installs, 0),
    uninstalls: Math.max(-installs, 0),
    calls,
    lastAt,
  };
};

describe('the score', () => {
  it.each<[string, HourFacts[], Timeframe, number]>([
    ['an installation now', [fact(0, 1, 0)], 'week', 60],
    ['and a call', [fact(0, 1, 1)], 'week', 100],
    ['idle for a quarter of the window', [fact(42, 1, 1)], 'week', 95],
    ['idle for half of it', [fact(84, 1, 1)], 'week', 90],
    ['idle for nearly all of it', [fact(167, 1, 1)], 'week', 90],
    ['the same in a day', [fact(6, 1, 1)], 'day', 95],
    ['the same in a month', [fact(180, 1, 1)], 'month', 95],
    ['points are rounded', [fact(3, 1, 0)], 'day', 58],
    ['removals count against it', [fact(0, 3, 0), fact(2, -2, 0)], 'day', 60],
    ['more removals than uses: not in the list', [fact(0, -1, 0)], 'day', 0],
    ['removals and uses alike', [fact(0, -1, 1)], 'day', 20],
    ['nothing', [], 'day', 0],
    ['reversed activity', [fact(0, 0, 0)], 'day', 0],
    ['the last hour of the window', [fact(23.4, 1, 0)], 'day', 50],
    ['the hour before it', [fact(23.6, 1, 0)], 'day', 0],
  ])('of %s', verifies('trending.score'), (_what, facts, timeframe, score) => {
    expect(standingOf(facts, timeframe, now).score).toBe(score);
  });

  it('of the previous window equals its value then', verifies('trending.change'), () => {
    for (const timeframe of timeframes) {
      const length = windowHours[timeframe];
      const facts = [fact(0, 1, 2), fact(length / 3, 0, 5), fact(length, 1, 0), fact(1.4 * length, 2, 1)];
      const then = facts.filter(({ lastAt }) => lastAt <= ago(length));
      expect(standingOf(facts, timeframe, now).scoreBefore).toBe(standingOf(then, timeframe, ago(length)).score);
      expect(standingOf([fact(1.9 * length, 1, 0)], timeframe, now)).toMatchObject({ score: 0, scoreBefore: 50 });
      expect(standingOf([fact(2.1 * length, 1, 0)], timeframe, now)).toEqual({ score: 0, scoreBefore: 0, dueAt: null });
    }
  });

  it('is due exactly when it changes by itself, neither later nor for nothing much earlier', () => {
    for (const timeframe of timeframes) {
      const facts = [
        fact(0.2, 1, 0),
        fact(7, -1, 3),
        fact(windowHours[timeframe] - 3, 2, 0),
        fact(windowHours[timeframe] * 1.2, 1, 1),
      ];
      let at = now;
      let steps = 0;
      for (let standing = standingOf(facts, timeframe, at); standing.dueAt; steps++) {
        const next = standingOf(facts, timeframe, standing.dueAt);
        const justBefore = standingOf(facts, timeframe, new Date(standing.dueAt.getTime() - 1));
        expect(standing.dueAt > at).toBe(true);
        expect([justBefore.score, justBefore.scoreBefore]).toEqual([standing.score, standing.scoreBefore]);
        at = standing.dueAt;
        standing = next;
      }
      // Ten points of being idle in each of two windows, and four hours that go over and leave.
      expect(steps).toBeLessThanOrEqual(80);
      expect(standingOf(facts, timeframe, at)).toEqual({ score: 0, scoreBefore: 0, dueAt: null });
    }
  });

  it('takes an hour in that the clock of another process has begun', () => {
    const ahead: HourFacts = { hour: ago(-0.5), installs: 1, uninstalls: 0, calls: 0, lastAt: ago(-0.5) };
    const { score, dueAt } = standingOf([ahead], 'day', now);
    expect({ score, dueAt }).toEqual({ score: 0, dueAt: ahead.hour });
    expect(standingOf([ahead], 'day', ahead.hour).score).toBe(60);
  });
});
