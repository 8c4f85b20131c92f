import type { Principal, Scope, Tier } from '../platform/caller.ts';
import type { Platform } from '../platform/platform.ts';
import { heartbeatIntervalText } from '../platform/settings/heartbeat-intervals.ts';
import { isAgentCredential, newAgentCredential } from './api-key-format.ts';
import { secretHash } from './secret-hash.ts';
import { type Verification, VerifiedKeys } from './verified-keys.ts';

/** A new credential of an agent. Only the hash and the encrypted secret are stored. */
export function issueAgentCredential(): { readonly secret: string; readonly hash: Buffer<ArrayBuffer> } {
  const secret = newAgentCredential();
  return { secret, hash: secretHash(secret) };
}

/** When the agent of `agent_liveness l` becomes unhealthy. Source: docs/specification/agents.md#unhealthy-agents. */
const aliveUntil = `l.last_heartbeat_at + ${heartbeatIntervalText('l.mode')}`;

/** The agents `a` whose credential exists at all: they have not ended, and their owner is there. */
const liveAgents = `agents a
    JOIN agent_liveness l ON l.agent_uuid = a.uuid
    JOIN profiles p ON p.uuid = a.profile_uuid AND p.deleted_at IS NULL
    JOIN projects j ON j.uuid = p.project_uuid AND j.deleted_at IS NULL
    JOIN users u ON u.uuid = j.user_uuid AND u.disabled_at IS NULL`;

/** The agents whose credential may do all that an agent may, for `holding`. Of a suspended one nothing runs that could need it. */
export const holdingAgentsText = `SELECT a.uuid FROM ${liveAgents}
  WHERE a.uuid = ANY($1::uuid[]) AND a.state NOT IN ('TERMINATED', 'KILLED') AND a.replicas > 0 AND l.unhealthy_since IS NULL
    AND ${aliveUntil} > coalesce($2, statement_timestamp())`;

const verifyText = `SELECT a.uuid, p.uuid AS profile_uuid, j.uuid AS project_uuid, u.uuid AS user_uuid, j.tier,
    CASE WHEN a.replicas > 0 AND l.unhealthy_since IS NULL
      THEN extract(epoch FROM ${aliveUntil} - coalesce($2, clock_timestamp()))::float8 * 1000 END AS lasts_ms
  FROM ${liveAgents}
  WHERE a.credential_hash = $1 AND a.state NOT IN ('TERMINATED', 'KILLED')`;

interface AgentRow {
  uuid: string;
  profile_uuid: string;
  project_uuid: string;
  user_uuid: string;
  tier: Tier;
  /** Milliseconds until the agent misses its heartbeat; null before the first one, and while it is unhealthy or suspended. */
  lasts_ms: number | null;
}

const scopes: ReadonlySet<Scope> = new Set<Scope>(['read', 'write']);

/**
 * The credentials of agents. Everything that one permits, except reporting, depends on the agent's heartbeat: it ends at the instant
 * at which the agent is late, also while no process looks for late agents, and comes back with the next heartbeat.
 */
export function createAgentCredentials({ database, clock }: Pick<Platform, 'database' | 'clock'>) {
  const verified = new VerifiedKeys();

  /**
   * Verifies the credential of an agent. One indexed read, at most one in 0.9 seconds for each agent that is on time.
   *
   * @returns null for an unknown credential, and for one of an agent that has ended.
   */
  async function verify(secret: string): Promise<Principal | null> {
    if (!isAgentCredential(secret)) return null;
    const hash = secretHash(secret);
    if (clock.pinned() !== null) return (await verifyNow(hash))?.principal ?? null;
    return verified.principalOf(hash.toString('latin1'), () => verifyNow(hash));
  }

  async function verifyNow(hash: Buffer): Promise<Verification | null> {
    const [row] = await database.read<AgentRow>({
      name: 'auth_agent_verify',
      text: verifyText,
      values: [hash, clock.pinned()],
    });
    if (row === undefined) return null;
    const lastsMs = Math.max(0, row.lasts_ms ?? 0);
    return {
      // A suspended credential is verified by each request, so that it works again with the heartbeat.
      lastsMs,
      principal: {
        kind: 'agent',
        credentialUuid: row.uuid,
        userUuid: row.user_uuid,
        projectUuid: row.project_uuid,
        profileUuid: row.profile_uuid,
        scopes,
        source: 'sdk',
        isAdmin: false,
        tier: row.tier,
        isSuspended: lastsMs === 0,
      },
    };
  }

  return { verify };
}
