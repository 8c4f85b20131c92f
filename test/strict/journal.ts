import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { Operation } from './history.ts';

/**
 * The order in which the database itself saw entries come and go. It is only advice to the search which order to try
 * first: a history of a hundred concurrent calls has too many. What it must prove it proves by the answers alone.
 */
const journalTable = `
  CREATE TABLE journal (place bigserial, profile uuid, act bigint, uuid uuid, value text, seq bigint, is_gone boolean, at timestamptz);
  CREATE FUNCTION write_journal() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE e clipboard_entries := coalesce(NEW, OLD);
    BEGIN
      INSERT INTO journal (profile, act, uuid, value, seq, is_gone, at)
        VALUES (e.profile_uuid, txid_current(), e.uuid, e.value, e.seq, TG_OP = 'DELETE', clock_timestamp());
      RETURN NULL;
    END $$;
  CREATE TRIGGER write_journal AFTER INSERT OR UPDATE OR DELETE ON clipboard_entries FOR EACH ROW EXECUTE FUNCTION write_journal()`;

interface Line {
  readonly act: string;
  readonly uuid: string;
  readonly value: string;
  readonly is_gone: boolean;
  readonly at: string;
}

export const keepJournal = (database: Database) => database.query({ text: journalTable });

/** Milliseconds that the clock of the machine, and so of the database, is ahead of the one by which histories are written. */
export function clockOffset(): number {
  // The machine's comes in whole milliseconds: the largest difference is the one right after a tick.
  const differences = Array.from({ length: 20_000 }, () => systemClock.now().getTime() - performance.now());
  return Math.max(...differences);
}

/** Writes into a history when the database saw each operation happen. */
export async function advise(database: Database, profileUuid: string, history: Operation[]): Promise<void> {
  // Pops of one call take the newest first and come before its pushes, whatever order the rows were visited in.
  const lines = await database.query<Line>({
    text: `SELECT act, uuid, value, is_gone, extract(epoch FROM min(at) OVER (PARTITION BY act)) * 1000 AS at FROM journal WHERE profile = $1
      ORDER BY min(place) OVER (PARTITION BY act), is_gone DESC, CASE WHEN is_gone THEN -seq ELSE seq END`,
    values: [profileUuid],
  });
  const offset = clockOffset();
  const writes = new Map<string, number>();
  const takes = new Map<string, number>();
  const acts = new Map<string, { at: number; uuids: string[] }>();
  const uuidOf = new Map<string, string>();
  for (const [place, { act, uuid, value, is_gone: isGone, at }] of lines.entries()) {
    // The places part what happened in one microsecond.
    const seenAt = Number(at) - offset + place / 1e6;
    uuidOf.set(value, uuid);
    if (!isGone) writes.set(value, seenAt);
    if (!isGone) continue;
    takes.set(uuid, seenAt);
    acts.set(act, { at: seenAt, uuids: [...(acts.get(act)?.uuids ?? []), uuid] });
  }
  const named = new Set<string | undefined>();
  for (const operation of history) {
    const { kind, result } = operation;
    if (kind === 'push' || kind === 'set') operation.advised = writes.get(operation.value);
    if ((kind !== 'pop' && kind !== 'delete' && kind !== 'unset') || typeof result !== 'string') continue;
    const uuid = kind === 'pop' ? uuidOf.get(result) : result;
    operation.advised = takes.get(uuid ?? '');
    named.add(uuid);
  }
  // An operation without a name is a clear. Of those that removed as many at the time, the one that ended first: which
  // one it really was makes no difference, so each finds its own.
  const clears = history
    .filter((operation) => operation.kind === 'clear' && operation.result !== undefined)
    .toSorted((a, b) => a.ended - b.ended);
  for (const { at, uuids } of acts.values()) {
    if (uuids.some((uuid) => named.has(uuid))) continue;
    const isIt = ({ result, began, ended }: Operation) => result === uuids.length && began <= at + 1 && ended >= at - 1;
    const index = clears.findIndex(isIt);
    if (index >= 0) (clears.splice(index, 1)[0] as Operation).advised = at;
  }
}
