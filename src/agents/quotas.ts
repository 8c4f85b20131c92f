import { authorize, type Caller, type Tier } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { bytesOf, millicoresOf } from '../platform/input/quantities.ts';
import { endedStates } from './lifecycle.ts';

/** Limits for all agents of a project together, by tier; `*` for the tiers that are not named. Source: README.md#settings, AGENT_QUOTAS. */
export type Quotas = Readonly<
  Partial<Record<Tier | '*', { cpu?: string | undefined; memory?: string | undefined; agents?: number | undefined }>>
>;

type Measure = 'cpu' | 'memory' | 'agents';
type Amounts = Readonly<Record<Measure, bigint>>;

/** How much of a quota is used. */
export interface QuotaState {
  readonly used: number;
  /** Null for no limit. */
  readonly limit: number | null;
}

/** In cores, GiB and agents. */
export type ProjectQuota = Readonly<Record<Measure, QuotaState>>;

const measures: Readonly<Record<Measure, { what: string; per: number; unit: string }>> = {
  cpu: { what: 'CPU limits', per: 1_000, unit: ' cores' },
  memory: { what: 'memory limits', per: 1_073_741_824, unit: ' GiB' },
  agents: { what: 'live agents', per: 1, unit: '' },
};

/**
 * Quotas of projects. Each is counted from the rows, in the transaction that would exceed it, under a lock of the project: of two
 * requests at once that fit alone, one is refused.
 */
export function createQuotas({ database, quotas }: { database: Pick<Database, 'read'>; quotas: Quotas }) {
  const isLimited = Object.keys(quotas).length > 0;

  const limitsOf = (tier: Tier): Readonly<Partial<Record<Measure, bigint>>> => {
    const { cpu, memory, agents } = quotas[tier] ?? quotas['*'] ?? {};
    return {
      ...(cpu !== undefined && { cpu: millicoresOf(cpu) ?? 0n }),
      ...(memory !== undefined && { memory: bytesOf(memory) ?? 0n }),
      ...(agents !== undefined && { agents: BigInt(agents) }),
    };
  };

  /** The resources of a project's live agents. Those that are suspended count as agents alone. */
  async function usedIn(query: Database['read'], projectUuid: string): Promise<Amounts> {
    const rows = await query<{ cpu_limit: string; memory_limit: string; is_suspended: boolean; count: number }>({
      name: 'agents_quota_used',
      text: `SELECT a.cpu_limit, a.memory_limit, a.replicas = 0 AS is_suspended, count(*)::int AS count
        FROM profiles p JOIN agents a ON a.profile_uuid = p.uuid
        WHERE p.project_uuid = $1 AND p.deleted_at IS NULL AND a.state NOT IN (${endedStates.map((state) => `'${state}'`).join(', ')})
        GROUP BY 1, 2, 3`,
      values: [projectUuid],
    });
    const sum = (amountOf: (row: (typeof rows)[number]) => bigint) =>
      rows.reduce((all, row) => all + amountOf(row) * BigInt(row.count), 0n);
    return {
      cpu: sum((row) => (row.is_suspended ? 0n : (millicoresOf(row.cpu_limit) ?? 0n))),
      memory: sum((row) => (row.is_suspended ? 0n : (bytesOf(row.memory_limit) ?? 0n))),
      agents: sum(() => 1n),
    };
  }

  /**
   * Locks a project's quota. Call it first in a transaction, before any other lock.
   *
   * @returns A function to call after the change is written. It throws `CONFLICT` with each exceeded resource; a change
   * that adds nothing to an exceeded resource passes.
   */
  async function guard(tx: Pick<Database, 'query'>, profileUuid: string): Promise<() => Promise<void>> {
    if (!isLimited) return async () => {};
    const [project] = await tx.query<{ uuid: string; tier: Tier }>({
      name: 'agents_quota_lock',
      text: `SELECT j.uuid, j.tier, pg_advisory_xact_lock(hashtextextended('agent-quota ' || j.uuid, 0))::text
        FROM profiles p JOIN projects j ON j.uuid = p.project_uuid WHERE p.uuid = $1`,
      values: [profileUuid],
    });
    if (!project) return async () => {};
    const before = await usedIn(tx.query, project.uuid);
    return async () => {
      const after = await usedIn(tx.query, project.uuid);
      const limits = limitsOf(project.tier);
      const mistakes = (Object.keys(measures) as Measure[]).flatMap((measure) => {
        const limit = limits[measure];
        if (limit === undefined || after[measure] <= limit || after[measure] <= before[measure]) return [];
        const { what, per, unit } = measures[measure];
        const shown = (amount: bigint) => `${Number(amount) / per}${unit}`;
        return [
          `${what} would be ${shown(after[measure])}, ${shown(after[measure] - limit)} over the ${shown(limit)} allowed`,
        ];
      });
      if (mistakes.length > 0)
        throw new ApiError('CONFLICT', `The project's quota is exceeded: ${mistakes.join('; ')}`);
    };
  }

  /** How much of its quota the caller's project uses, over all its profiles. */
  async function ofProject(caller: Caller): Promise<ProjectQuota> {
    const { projectUuid, tier } = authorize(caller, 'agents:read');
    const used = await usedIn(database.read, projectUuid);
    const limits = limitsOf(tier);
    const state = (measure: Measure): QuotaState => {
      const limit = limits[measure];
      const { per } = measures[measure];
      return { used: Number(used[measure]) / per, limit: limit === undefined ? null : Number(limit) / per };
    };
    return { cpu: state('cpu'), memory: state('memory'), agents: state('agents') };
  }

  return { guard, ofProject };
}
