import type { Limit } from './rate-counters.ts';

export type { Limit } from './rate-counters.ts';

const minute = 60;

/** Every limit once. Source: docs/specification/limits.md#rate-limits. */
const limits = {
  'clipboard.read': { points: 100, seconds: minute },
  'clipboard.write': { points: 60, seconds: minute },
  'clipboard.delete': { points: 30, seconds: minute },
  general: { points: 60, seconds: minute },
  authentication: { points: 5, seconds: 15 * minute },
  /** Wrong passwords for one account, from networks that it has not signed in from; or by one session. */
  account: { points: 30, seconds: 60 * minute },
  sensitive: { points: 10, seconds: 60 * minute },
  'oauth.initiate': { points: 10, seconds: 15 * minute },
  'oauth.callback': { points: 10, seconds: 15 * minute },
  'oauth.refresh': { points: 60, seconds: minute },
  'oauth.cleanup': { points: 1, seconds: minute },
  /** Documents that AI models write, and messages of chats. */
  'documents.ai': { points: 10, seconds: 60 * minute },
  search: { points: 100, seconds: minute },
  'search.anonymous': { points: 30, seconds: minute },
  /** By the tier of the project. Source: docs/specification/identity.md#rate-tiers. */
  'agents.free': { points: 60, seconds: minute, burst: 10 },
  'agents.pro': { points: 300, seconds: minute, burst: 50 },
  'agents.enterprise': { points: 1_000, seconds: minute, burst: 100 },
  /** Reports of what a proxy did: one for each call of a tool, so that they must not use up `general`. */
  activity: { points: 600, seconds: minute },
  /** Megabytes of bodies and socket messages over 256 kB. */
  bodies: { points: 1_000, seconds: minute },
  /** Pages and /metrics, by address. */
  pages: { points: 60, seconds: minute },
} as const satisfies Record<string, Limit>;

/** Limited units: classes, and limits of a class that depend on the caller. */
export type LimitName = keyof typeof limits;

export const limitNames = Object.keys(limits) as LimitName[];

/** An operator's changes: a limit such as `"60/1m"`, or `"off"`; `"*"` is for all that are not named. */
export type RateOverrides = Readonly<Partial<Record<LimitName | '*', string>>>;

const overridePattern = /^(\d{1,9})\/(\d{1,5})(s|m|h)(?:\+(\d{1,9}))?$/;
const secondsOf = { s: 1, m: minute, h: 60 * minute } as const;

/**
 * @param name What the override is for. Only those of `agents` may have a burst (`"60/1m+10"`); without one it is as large as the limit.
 * @returns What an override says; undefined if it says nothing that we understand.
 */
export function limitOf(text: string, name: LimitName | '*'): Limit | 'off' | undefined {
  if (text === 'off') return 'off';
  const [, points, length, unit, burst] = overridePattern.exec(text) ?? [];
  if (!points || !length || !unit || Number(points) === 0 || Number(length) === 0) return undefined;
  const window = { points: Number(points), seconds: Number(length) * secondsOf[unit as keyof typeof secondsOf] };
  const isBucket = name !== '*' && 'burst' in limits[name];
  if (!isBucket) return burst === undefined ? window : undefined;
  return Number(burst ?? 1) === 0 ? undefined : { ...window, burst: Number(burst ?? points) };
}

/** What holds: the override of a limit, else that of all, else the limit itself. */
export function heldLimitOf(name: LimitName, overrides: RateOverrides): Limit | 'off' {
  const text = overrides[name] ?? overrides['*'];
  return (text === undefined ? undefined : limitOf(text, name)) ?? limits[name];
}
