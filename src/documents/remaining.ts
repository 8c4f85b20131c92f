import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { DocumentRecord } from './document.ts';
import { type PaceRow, pace } from './ingestion-statements.ts';

/** What reading a document takes before any was read. */
const unmeasured = { seconds: 2, secondsPerByte: 1 / 200_000 };
/** How long a measurement is used, in milliseconds. */
const rememberedMs = 10_000;
/** How often documents that failed are put back into the queue. */
const retriedEveryMs = 60_000;

/** The processing speed of documents, and the length of the queue. */
interface Pace {
  readonly seconds: number;
  readonly secondsPerByte: number;
  /** Of a document of middle size. */
  readonly meanSeconds: number;
  /** Documents that are read at a time. */
  readonly running: number;
  /** Documents that wait, and since when. */
  readonly waiting: readonly { readonly uuid: string; readonly since: number }[];
}

/** Estimates of when documents are ready. Source: docs/specification/documents.md#document. */
export function createRemaining({ database, clock }: { database: Pick<Database, 'read'>; clock: Clock }) {
  let latest: { readonly at: number; readonly pace: Promise<Pace> } | null = null;

  /**
   * Estimated seconds until a document is ready: the pause before the next attempt, which begins with a minute, the documents before it in the queue, of which 1 000 at
   * most are counted, and the document itself, at the pace of the latest hundred that were read. A measurement is used for ten seconds.
   *
   * @returns Null for a document that is neither read nor waiting.
   */
  async function of({
    uuid,
    status,
    progress,
    startedAt,
    dueAt,
    fileSize,
    failureCode,
  }: DocumentRecord): Promise<number | null> {
    if (status !== 'received' && status !== 'indexing') return null;
    const measured = await paceNow();
    const own = measured.seconds + fileSize * measured.secondsPerByte;
    const now = clock.now().getTime();
    if (status === 'received') {
      const due = dueAt?.getTime() ?? now;
      const before = measured.waiting.filter((other) => other.since < due && other.uuid !== uuid).length;
      const wait = (before * measured.meanSeconds) / measured.running;
      const pause =
        failureCode === null ? due - now : Math.ceil(Math.max(due, now) / retriedEveryMs) * retriedEveryMs - now;
      return Math.max(1, Math.ceil(Math.max(0, pause) / 1_000 + wait + own));
    }
    const elapsed = startedAt === null ? 0 : (now - startedAt.getTime()) / 1_000;
    // One that is slower than others goes on as it does.
    const bySelf = progress === 0 ? own - elapsed : (elapsed * (100 - progress)) / progress;
    return Math.max(1, Math.ceil(Math.max(bySelf, (own * (100 - progress)) / 100)));
  }

  function paceNow(): Promise<Pace> {
    const now = clock.now().getTime();
    if (latest === null || now < latest.at || now - latest.at >= rememberedMs) {
      const measuring = { at: now, pace: measure() };
      measuring.pace.catch(() => {
        if (latest === measuring) latest = null;
      });
      latest = measuring;
    }
    return latest.pace;
  }

  async function measure(): Promise<Pace> {
    const [row] = await database.read<PaceRow>(pace(clock.now()));
    const waiting = (row?.waiting ?? []).map((uuid, place) => ({
      uuid,
      since: row?.waiting_since[place]?.getTime() ?? 0,
    }));
    const running = Math.max(1, row?.running ?? 0);
    if (!row || row.mean_seconds === null) return { ...unmeasured, meanSeconds: unmeasured.seconds, running, waiting };
    const { mean_seconds: meanSeconds } = row;
    // Where all files are of one size, or size says nothing, each takes as long as the others.
    const isSloped = row.slope !== null && row.slope > 0 && row.intercept !== null && row.intercept >= 0;
    const [seconds, secondsPerByte] = isSloped ? [row.intercept ?? 0, row.slope ?? 0] : [meanSeconds, 0];
    return { seconds, secondsPerByte, meanSeconds, running, waiting };
  }

  return { of };
}
