import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { type Operation, valuesByUuid } from './history.ts';

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
  readonly value: string;
  readonly is_gone: boolean;
  readonly at: string;
}

export const keepJournal = (database: Database) => database.query({ text: journalTable });

/** Milliseconds that the clock of the machine is ahead of the one by which histories are written. */
export const clockOffset = () => systemClock.now().getTime() - performance.now();

/** Writes into a history when the database saw each operation happen. */
export async function advise(database: Database, profileUuid: string, history: Operation[]): Promise<void> {
  // Pops of one call take the newest first and come before its pushes, whatever order the rows were visited in.
  const lines = await database.query<Line>({
    text: `SELECT act, value, is_gone, extract(epoch FROM min(at) OVER (PARTITION BY act)) * 1000 AS at FROM journal WHERE profile = $1
      ORDER BY min(place) OVER (PARTITION BY act), is_gone DESC, CASE WHEN is_gone THEN -seq ELSE seq END`,
    values: [profileUuid],
  });
  const offset = clockOffset();
  const valueByUuid = valuesByUuid(history);
  const writes = new Map<string, number>();
  const takes = new Map<string, number>();
  const acts = new Map<string, { at: number; values: string[] }>();
  for (const [place, { act, value, is_gone: isGone, at }] of lines.entries()) {
    // The places part what happened in one microsecond.
    const seenAt = Number(at) - offset + place / 1e6;
    if (!(isGone ? takes : writes).has(value)) (isGone ? takes : writes).set(value, seenAt);
    if (!isGone) continue;
    const { values } = acts.get(act) ?? { values: [] };
    acts.set(act, { at: seenAt, values: [...values, value] });
  }
  const named = new Set<string>();
  for (const operation of history) {
    if (operation.kind === 'push' || operation.kind === 'set') operation.advised = writes.get(operation.value);
    if ((operation.kind === 'pop' || operation.kind === 'delete') && typeof operation.result === 'string') {
      const value = operation.kind === 'pop' ? operation.result : (valueByUuid.get(operation.result) ?? '');
      operation.advised = takes.get(value);
      named.add(value);
    }
  }
  const clears = [...acts.values()].filter(({ values }) => !values.some((value) => named.has(value)));
  for (const operation of history)
    if (operation.kind === 'clear')
      operation.advised = clears.find(
        ({ at, values }) =>
          values.length === operation.result && at >= operation.began - 2 && at <= operation.ended + 2,
      )?.at;
}
