import type { Services } from '../../schema/context.ts';
import type { Caller, Source } from '../platform/caller.ts';
import type { Platform } from '../platform/platform.ts';
import type { PersonName } from './people.ts';
import { createRandom, type Random } from './random.ts';

/** Days of a story: the day on which it ends, and thirty before it. */
export const storyDays = 31;

export type Who = PersonName | 'owner';

/** Where something happens: the areas at the time of its happening, in the transaction of its day. */
export interface Stage extends Pick<Platform, 'database' | 'clock'> {
  readonly services: Services;
  /** A user as a caller; through `ui` if left out. */
  as(who: Who, source?: Source): Caller;
  /** The uuid of a server of the catalogue. */
  server(name: string): Promise<string>;
}

export type Happening = (stage: Stage) => Promise<unknown>;

/** The actions and their times. All random choices come from a fixed seed, so the story is the same each time. */
export interface Story {
  readonly random: Random;
  /** Plans something. @param daysAgo Before the end, with fractions: above 0, at most 30.9. */
  at(daysAgo: number, happening: Happening): void;
}

/** Pure: what happens on each day in the order of its time, the first day first. */
export function tell(
  seed: number,
  chapters: readonly ((story: Story) => void)[],
): { daysAgo: number; run: Happening }[][] {
  const planned: { daysAgo: number; run: Happening }[] = [];
  const random = createRandom(seed);
  const story: Story = { random, at: (daysAgo, run) => void planned.push({ daysAgo, run }) };
  for (const chapter of chapters) chapter(story);
  planned.sort((a, b) => b.daysAgo - a.daysAgo);
  return Array.from({ length: storyDays }, (_, day) =>
    planned.filter(({ daysAgo }) => Math.ceil(daysAgo) === storyDays - day),
  );
}
