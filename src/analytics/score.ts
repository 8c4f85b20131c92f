import type { Timeframe } from './input.ts';

/** Hours of each window. Source: docs/specification/analytics.md#score. */
export const windowHours = { day: 24, week: 168, month: 720 } as const satisfies Record<Timeframe, number>;

/** The longest window and the one before it. */
export const factsMs = 2 * windowHours.month * 3_600_000;

const hourMs = 3_600_000;

/** What happened to a server in one hour, each user counted as docs/decisions/0026-analytics.md says. */
export interface HourFacts {
  /** Its beginning. */
  readonly hour: Date;
  readonly installs: number;
  readonly uninstalls: number;
  readonly calls: number;
  /** The latest of them. */
  readonly lastAt: Date;
}

export interface Standing {
  /** 0 for a server that is not in the list. */
  readonly score: number;
  /** The value one window earlier. */
  readonly scoreBefore: number;
  /** When either will be another though nothing happens; null for never. */
  readonly dueAt: Date | null;
}

/**
 * The score of a server: round(40 * (installs - uninstalls) + 40 * calls + 20 * max(0.5, 1 - idleHours / windowHours)),
 * only above 0, and only with activity in the window. A window is a number of whole hours of UTC; the current one is
 * the last.
 *
 * @param facts In any order; those without a count are ignored.
 * @see docs/specification/analytics.md#score
 */
export function standingOf(facts: readonly HourFacts[], timeframe: Timeframe, now: Date): Standing {
  const counted = facts.filter(({ installs, uninstalls, calls }) => installs + uninstalls + calls > 0);
  const length = windowHours[timeframe] * hourMs;
  const current = windowAt(counted, now.getTime(), length);
  const before = windowAt(counted, now.getTime() - length, length);
  // An hour comes into the window, goes over into the one before, and leaves that; a clock of another process may be ahead.
  const moves = counted.flatMap(({ hour }) => [0, length, 2 * length].map((later) => hour.getTime() + later));
  const idle = [current.idleDueAt, before.idleDueAt === null ? null : before.idleDueAt + length];
  const due = [...moves, ...idle].filter((at): at is number => at !== null && at > now.getTime());
  const dueAt = due.length === 0 ? null : new Date(due.reduce((first, at) => Math.min(first, at)));
  return { score: current.score, scoreBefore: before.score, dueAt };
}

/** The score of the window that ends with the hour of `at`, and when being idle will cost its next point. */
function windowAt(facts: readonly HourFacts[], at: number, length: number) {
  const hour = Math.floor(at / hourMs) * hourMs;
  const inside = facts.filter(({ hour: each }) => each.getTime() > hour - length && each.getTime() <= hour);
  if (inside.length === 0) return { score: 0, idleDueAt: null };
  const sum = inside.reduce((total, fact) => total + fact.installs - fact.uninstalls + fact.calls, 0);
  const lastAt = inside.reduce((last, fact) => Math.max(last, fact.lastAt.getTime()), 0);
  const freshness = 20 * Math.max(0.5, 1 - Math.max(0, at - lastAt) / length);
  const points = Math.round(freshness);
  // 19.5 rounds to 20; a millisecond later it rounds to 19.
  const idleDueAt = points > 10 ? lastAt + Math.floor((length * (20.5 - points)) / 20) + 1 : null;
  return { score: Math.max(0, 40 * sum + points), idleDueAt };
}
