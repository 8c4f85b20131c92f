import type { Caller } from '../platform/caller.ts';
import type { Statement } from '../platform/database/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import { askerOf, countedQuery, createPseudonyms } from './asker.ts';
import {
  type CountedOpening,
  type CountedSearch,
  countOpenings,
  countSearches,
  keepTexts,
} from './statistics-statements.ts';

/** Between a search and its being written down: what a process that is killed loses. */
const flushMs = 1_000;
/** The same, after the database did not take them. */
const retryMs = 10_000;
/** Searches and openings that wait while the database is away; more are not counted. */
const waitingMax = 5_000;
/** Results of a search that are counted: later ones of a page count as not seen. */
const shownMax = 20;
/** How long a server that is opened counts as opened from the search that showed it. */
const openedWithinMs = 30 * 60_000;
/** Searches and openings of one user that a process counts in a day: no user fills the tables, or a figure, alone. */
const dailyMax = 300;
/** Askers whose last searches are remembered, and searches of each. */
const rememberedAskersMax = 2_000;
const rememberedSearchesMax = 3;

interface Remembered {
  readonly text: string;
  readonly servers: ReadonlySet<string>;
  readonly at: number;
}

export interface CounterDependencies extends Pick<Platform, 'database' | 'clock'> {
  readonly secrets: Pick<Secrets, 'pseudonym'>;
}

export type SearchCounter = ReturnType<typeof createSearchCounter>;

/**
 * Counts searches and opened results without holding up either: they are added up in memory and written down together, a
 * second later or when the process stops. While the database is away they wait; no search fails for it.
 */
export function createSearchCounter({ database, clock, secrets }: CounterDependencies) {
  const pseudonyms = createPseudonyms({ secrets });
  let searches = new Map<string, CountedSearch & { readonly text: string }>();
  let openings = new Map<string, CountedOpening>();
  /** How many searches of each asker were counted today by this process, and how many openings. */
  let today = { day: '', counts: new Map<string, number>() };
  /** By asker, the one who asked last at the end. In memory alone, for half an hour. */
  const remembered = new Map<string, Remembered[]>();
  let timer: NodeJS.Timeout | null = null;
  let flushing: Promise<void> = Promise.resolve();

  /** Counts an answered search. A later page is not another search. */
  function searched(caller: Caller, given: string, servers: readonly string[], isFirstPage: boolean): void {
    const text = countedQuery(given);
    if (text === null) return;
    remember(askerOf(caller), { text, servers: new Set(servers), at: clock.now().getTime() });
    if (!isFirstPage) return;
    const [query, asker, day] = [pseudonyms.ofQuery(text), pseudonyms.ofAsker(caller, text), dayOf(clock.now())];
    const key = `${query} ${asker} ${day}`;
    const known = searches.get(key);
    if ((!known && isFull()) || !isWithinDay(`searches of ${askerOf(caller)}`, day)) return;
    searches.set(key, {
      query,
      asker,
      isUser: caller.principal !== null,
      day,
      text,
      searches: (known?.searches ?? 0) + 1,
      servers: known?.servers ?? servers.slice(0, shownMax),
    });
    wait();
  }

  /** A public server was looked at: it counts for the asker's latest search that showed it, if that was within half an hour. */
  function opened(caller: Caller, server: string): void {
    const from = clock.now().getTime() - openedWithinMs;
    const search = remembered.get(askerOf(caller))?.findLast(({ at, servers }) => at >= from && servers.has(server));
    if (search) openedFrom(caller, search.text, server);
  }

  /** The same, where it is known which search it was. */
  function openedFrom(caller: Caller, text: string, server: string): void {
    const [query, asker, day] = [pseudonyms.ofQuery(text), pseudonyms.ofAsker(caller, text), dayOf(clock.now())];
    const key = `${query} ${asker} ${server} ${day}`;
    if (openings.has(key) || isFull() || !isWithinDay(`openings of ${askerOf(caller)}`, day)) return;
    openings.set(key, { query, asker, server, day });
    wait();
  }

  /** Whether this process has shown a server to an asker for a search. */
  function hasShown(caller: Caller, text: string, server: string): boolean {
    return remembered.get(askerOf(caller))?.some((each) => each.text === text && each.servers.has(server)) ?? false;
  }

  function remember(asker: string, search: Remembered): void {
    const earlier = remembered.get(asker)?.slice(1 - rememberedSearchesMax) ?? [];
    remembered.delete(asker);
    remembered.set(asker, [...earlier, search]);
    const from = search.at - openedWithinMs;
    for (const [each, known] of remembered) {
      if (remembered.size <= rememberedAskersMax && (known.at(-1)?.at ?? 0) >= from) break;
      remembered.delete(each);
    }
  }

  /** Takes one off what an asker may have counted of a kind in a day. */
  function isWithinDay(counted: string, day: string): boolean {
    if (today.day !== day) today = { day, counts: new Map() };
    const { counts } = today;
    const count = (counts.get(counted) ?? 0) + 1;
    counts.delete(counted);
    counts.set(counted, Math.min(count, dailyMax + 1));
    const [oldest] = counts.keys();
    if (counts.size > 2 * rememberedAskersMax && oldest !== undefined) counts.delete(oldest);
    return count <= dailyMax;
  }

  const isFull = () => searches.size + openings.size >= waitingMax;

  function wait(milliseconds = flushMs): void {
    timer ??= setTimeout(() => void flush().catch(() => {}), milliseconds).unref();
  }

  /** Stores the counts. @throws {ApiError} `UNAVAILABLE`; then they wait for the next run. */
  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    flushing = flushing.catch(() => {}).then(write);
    return flushing;
  }

  async function write(): Promise<void> {
    const [counted, looked] = [searches, openings];
    if (counted.size === 0 && looked.size === 0) return;
    searches = new Map();
    openings = new Map();
    try {
      const rows = [...counted.values()];
      const texts = new Map(rows.map(({ query, text }) => [query, { query, text }]));
      if (rows.length > 0)
        await writeTogether([countSearches(rows.map(({ text: _, ...row }) => row)), keepTexts([...texts.values()])]);
      counted.clear();
      // Apart from the searches: both write the same rows, each in the order of their keys, but one after the other is in no order.
      if (looked.size > 0) await writeTogether([countOpenings([...looked.values()])]);
    } catch (error) {
      // Later entries stay; an entry of the same key includes the earlier ones.
      for (const [key, row] of counted) {
        const later = searches.get(key);
        if (later) searches.set(key, { ...row, searches: row.searches + later.searches });
        else if (!isFull()) searches.set(key, row);
      }
      for (const [key, row] of looked) if (!isFull()) openings.set(key, row);
      database.report(error, 'searches could not be counted; it is tried again');
      wait(retryMs);
      throw error;
    }
  }

  const writeTogether = (rows: readonly Statement[]): Promise<void> =>
    database.transaction(async (tx) => {
      // Statistics are not durable when counted: a power cut may lose the latest.
      await tx.query({ text: 'SET LOCAL synchronous_commit = off' });
      for (const row of rows) await tx.query(row);
    });

  return { searched, opened, openedFrom, hasShown, flush };
}

/** The day in UTC. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);
