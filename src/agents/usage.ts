import { authorize, type Caller } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { parse } from '../platform/input/input.ts';
import { UsageRequest } from './input.ts';
import { nowOf } from './now.ts';
import { millisecondsText, usedIn } from './usage-intervals.ts';

/** Resources that were reserved for agents, over time. */
export interface Usage {
  /** Cores times hours. */
  readonly cpuHours: number;
  /** GiB times hours. */
  readonly memoryGibHours: number;
}

export interface AgentCost extends Usage {
  /** Since when it is counted; null for an agent that was never deployed. */
  readonly since: Date | null;
}

export interface UsageOfDays extends Usage {
  readonly days: readonly (Usage & { /** In UTC, such as `2026-03-01`. */ readonly day: string })[];
}

interface UsageRow {
  cpu_hours: number;
  memory_gib_hours: number;
}

/** Thousandths of a core times milliseconds, in cores times hours. */
const cpuHoursText = (sum: string) => `(${sum} / 3600000000)::float8`;
/** Bytes times milliseconds, in GiB times hours. */
const memoryGibHoursText = (sum: string) => `(${sum} / 1073741824 / 3600000)::float8`;

const dayMs = 86_400_000;
/** Days that are added up where no beginning is given. */
const daysDefault = 30;

/** Intervals that one statement of the purge reads. */
const purgedRows = 5_000;

export interface UsageDependencies {
  readonly database: Pick<Database, 'read' | 'query'>;
  readonly clock: Clock;
  /** Days that intervals are kept after their end. */
  readonly usageDays: number;
}

/** The usage of agents: the resources that were reserved for them while their pods were desired. */
export function createUsage({ database, clock, usageDays }: UsageDependencies) {
  /** The cost of each agent so far, in one statement that reads two rows of each. Agents that the caller may see. */
  async function costOf(agentUuids: readonly string[]): Promise<AgentCost[]> {
    const rows = await database.read<{ uuid: string; since: Date } & UsageRow>({
      name: 'agent_usage_costs',
      text: `SELECT a.uuid, first.started_at AS since,
          ${cpuHoursText(`(last.cpu_before + ${usedIn('last.until', 'cpu_millicores', 'last.started_at')})`)} AS cpu_hours,
          ${memoryGibHoursText(`(last.memory_before + ${usedIn('last.until', 'memory_bytes', 'last.started_at')})`)} AS memory_gib_hours
        FROM unnest($1::uuid[]) AS a (uuid)
        CROSS JOIN LATERAL (SELECT started_at FROM agent_usage WHERE agent_uuid = a.uuid ORDER BY id LIMIT 1) first
        CROSS JOIN LATERAL (SELECT *, coalesce(ended_at, greatest(started_at, ${nowOf('$2')})) AS until
          FROM agent_usage WHERE agent_uuid = a.uuid ORDER BY id DESC LIMIT 1) last`,
      values: [agentUuids, clock.pinned()],
    });
    const byUuid = new Map(rows.map((row) => [row.uuid, { ...usageOf(row), since: row.since }]));
    return agentUuids.map((uuid) => byUuid.get(uuid) ?? { cpuHours: 0, memoryGibHours: 0, since: null });
  }

  /**
   * What all agents of the caller's profile used, with those that have ended, by day in UTC. Days without use are left out.
   *
   * @param input.from The last 30 days if left out.
   * @param input.to Now if left out. At most 92 days after `from`.
   * @throws {ApiError} `VALIDATION_ERROR`.
   */
  async function ofProfile(
    caller: Caller,
    input: { readonly from?: Date | null | undefined; readonly to?: Date | null | undefined } = {},
  ): Promise<UsageOfDays> {
    const { profileUuid } = authorize(caller, 'agents:read');
    const now = clock.now();
    const { from, to } = parse(UsageRequest, {
      from: input.from ?? new Date((input.to ?? now).getTime() - daysDefault * dayMs),
      to: input.to ?? now,
    });
    const rows = await database.read<{ day: string } & UsageRow>({
      name: 'agent_usage_days',
      text: `WITH intervals AS (
          SELECT cpu_millicores, memory_bytes, greatest(started_at, $2) AS from_at,
            least(coalesce(ended_at, ${nowOf('$4')}), $3::timestamptz) AS to_at
          FROM agent_usage WHERE profile_uuid = $1 AND (ended_at > $2 OR ended_at IS NULL) AND started_at < $3),
        parts AS (
          SELECT day, cpu_millicores, memory_bytes,
            ${millisecondsText('greatest(from_at, day)', "least(to_at, day + interval '24 hours')")} AS milliseconds
          FROM intervals CROSS JOIN LATERAL
            generate_series(date_trunc('day', from_at, 'UTC'), to_at, interval '24 hours') AS d (day)
          WHERE to_at > from_at)
        SELECT to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
          ${cpuHoursText('sum(milliseconds * cpu_millicores)')} AS cpu_hours,
          ${memoryGibHoursText('sum(milliseconds * memory_bytes)')} AS memory_gib_hours
        FROM parts WHERE milliseconds > 0 GROUP BY parts.day ORDER BY parts.day`,
      values: [profileUuid, from, to, clock.pinned()],
    });
    const days = rows.map((row) => ({ day: row.day, ...usageOf(row) }));
    return {
      cpuHours: days.reduce((sum, { cpuHours }) => sum + cpuHours, 0),
      memoryGibHours: days.reduce((sum, { memoryGibHours }) => sum + memoryGibHours, 0),
      days,
    };
  }

  /**
   * Removes intervals that ended more than `usageDays` ago. The first and the latest of each agent are kept: they say since when it is
   * counted and what it cost in all.
   *
   * @returns How many were removed.
   */
  async function purge(): Promise<number> {
    let purged = 0;
    let after: readonly [string | null, string | null, string | null] = [null, null, null];
    for (;;) {
      const [row] = await database.query<PurgedRow>({
        name: 'agent_usage_purge',
        query_timeout: 9_000,
        text: `WITH examined AS MATERIALIZED (
            SELECT ended_at, agent_uuid, id FROM agent_usage
            WHERE ended_at < ${nowOf('$1')} - make_interval(days => $2::int)
              AND (ended_at, agent_uuid, id) > (coalesce($3::timestamptz, '-infinity'), coalesce($4, '00000000-0000-0000-0000-000000000000')::uuid,
                coalesce($5::bigint, 0))
            ORDER BY ended_at, agent_uuid, id LIMIT $6),
          gone AS (
            DELETE FROM agent_usage u USING examined e WHERE u.agent_uuid = e.agent_uuid AND u.id = e.id
              AND EXISTS (SELECT FROM agent_usage o WHERE o.agent_uuid = e.agent_uuid AND o.id < e.id)
              AND EXISTS (SELECT FROM agent_usage o WHERE o.agent_uuid = e.agent_uuid AND o.id > e.id) RETURNING 1)
          SELECT last.ended_at::text, last.agent_uuid, last.id::text, (SELECT count(*)::int FROM examined) AS examined,
            (SELECT count(*)::int FROM gone) AS gone
          FROM (SELECT * FROM examined ORDER BY ended_at DESC, agent_uuid DESC, id DESC LIMIT 1) last`,
        values: [clock.pinned(), usageDays, ...after, purgedRows],
      });
      purged += row?.gone ?? 0;
      if (row === undefined || row.examined < purgedRows) return purged;
      after = [row.ended_at, row.agent_uuid, row.id];
    }
  }

  return { costOf, ofProfile, purge };
}

/** The place at which a statement of the purge ended, and its counts. */
interface PurgedRow {
  ended_at: string;
  agent_uuid: string;
  id: string;
  examined: number;
  gone: number;
}

const usageOf = (row: UsageRow): Usage => ({ cpuHours: row.cpu_hours, memoryGibHours: row.memory_gib_hours });
