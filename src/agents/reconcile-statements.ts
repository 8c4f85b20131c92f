import type { Statement } from '../platform/database/database.ts';
import type { DeploymentStatus } from './orchestrator/orchestrator.ts';

/** Seconds without renewal after which another process may lead. */
const leaseSeconds = 10;

const now = (parameter: number) => `coalesce($${parameter}::timestamptz, clock_timestamp())`;

/** Takes or renews the lease. A row comes back for the process that holds it then. */
export const lead = (pinned: Date | null, holder: string, isReachable: boolean): Statement => ({
  name: 'agents_lead',
  text: `INSERT INTO agent_orchestrator_lease AS l (id, holder, expires_at, is_reachable)
    VALUES (1, $2, ${now(1)} + make_interval(secs => ${leaseSeconds}), $3)
    ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at, is_reachable = excluded.is_reachable
      WHERE l.holder = excluded.holder OR l.expires_at <= ${now(1)}
    RETURNING holder`,
  values: [pinned, holder, isReachable],
});

/** Gives the lease up, so that another process leads at once. */
export const giveUpLead = (holder: string): Statement => ({
  name: 'agents_give_up_lead',
  text: 'DELETE FROM agent_orchestrator_lease WHERE holder = $1',
  values: [holder],
});

const dueColumns = `a.uuid, a.profile_uuid, p.project_uuid, a.name, a.state, a.orchestrator_deployment, a.dns_name, a.holds_host, a.image,
  a.cpu_request, a.memory_request, a.cpu_limit, a.memory_limit, a.replicas, a.restarted_at, a.revision, a.applied_revision,
  a.attempts, a.last_error, a.credential,
  p.deleted_at IS NOT NULL OR j.deleted_at IS NOT NULL AS is_orphaned,
  coalesce(a.drain_until <= ${now(1)}, false) AS is_drained`;

/**
 * The agents for which something is to be done now, those that have waited longest first.
 *
 * @param places How many at most in all, and of those that have failed before.
 */
export const due = (
  pinned: Date | null,
  places: { readonly all: number; readonly repeated: number },
  except: readonly string[],
): Statement => ({
  name: 'agents_due',
  text: `WITH first AS (${dueWhere('a.attempts = 0')} LIMIT $2), repeated AS (${dueWhere('a.attempts > 0')} LIMIT $4)
    SELECT * FROM first UNION ALL SELECT * FROM repeated LIMIT $2`,
  values: [pinned, places.all, except, places.repeated],
});

const dueWhere = (condition: string) => `SELECT ${dueColumns}
    FROM agents a JOIN profiles p ON p.uuid = a.profile_uuid JOIN projects j ON j.uuid = p.project_uuid
    WHERE a.due_at <= ${now(1)} AND a.uuid <> ALL ($3::uuid[]) AND ${condition} ORDER BY a.due_at`;

/** Claims the host name. Breaks a unique index where another live agent has it. */
export const holdHost = (uuid: string): Statement => ({
  name: 'agents_hold_host',
  text: 'UPDATE agents SET holds_host = true WHERE uuid = $1',
  values: [uuid],
});

/** Records that a revision was accepted. An agent that was changed since stays due. */
export const applied = (uuid: string, revision: number): Statement => ({
  name: 'agents_applied',
  text: `UPDATE agents SET applied_revision = greatest(applied_revision, $2), attempts = 0, last_error = NULL,
      due_at = CASE WHEN revision = $2 AND state IN ('NEW', 'PROVISIONED', 'ACTIVE') THEN NULL ELSE due_at END
    WHERE uuid = $1`,
  values: [uuid, revision],
});

/** Records a failed attempt, and when the next one is made: of an agent that drains, at the end of its grace period at the latest. */
export const failed = (pinned: Date | null, uuid: string, message: string, delaySeconds: number): Statement => ({
  name: 'agents_failed',
  text: `UPDATE agents SET attempts = attempts + 1, last_error = $3, due_at = least(${now(1)} + make_interval(secs => $4),
      CASE WHEN state = 'DRAINING' AND drain_until > ${now(1)} THEN drain_until END)
    WHERE uuid = $2`,
  values: [pinned, uuid, message, delaySeconds],
});

/** Looks at an agent that drains again when its grace period is over. */
export const draining = (pinned: Date | null, uuid: string): Statement => ({
  name: 'agents_draining',
  text: `UPDATE agents SET due_at = greatest(${now(1)}, drain_until) WHERE uuid = $2`,
  values: [pinned, uuid],
});

/**
 * Looks at an agent again whose objects are being removed: after a second at first, then after a quarter of the time that it has taken, and
 * at least once a minute. Pods on a node that is lost may take for ever.
 */
export const awaitingRemoval = (pinned: Date | null, uuid: string): Statement => ({
  name: 'agents_awaiting_removal',
  text: `UPDATE agents SET due_at = ${now(1)} + least(greatest((${now(1)} - coalesce(terminated_at, updated_at)) / 4,
      interval '1 second'), interval '1 minute')
    WHERE uuid = $2`,
  values: [pinned, uuid],
});

/** Records that nothing is left of an agent that has ended, or whose profile was deleted. */
export const removed = (pinned: Date | null, uuid: string): Statement => ({
  name: 'agents_removed',
  text: `UPDATE agents SET removed_at = date_trunc('milliseconds', ${now(1)}), holds_host = false, status = NULL, due_at = NULL,
      attempts = 0, last_error = NULL
    WHERE uuid = $2`,
  values: [pinned, uuid],
});

/** Makes agents due at once whose deployment has disappeared, or is not as it was applied. */
export const missing = (pinned: Date | null, deployments: readonly string[]): Statement => ({
  name: 'agents_missing',
  text: `UPDATE agents SET due_at = ${now(1)} WHERE orchestrator_deployment = ANY ($2::text[]) AND due_at IS NULL
    AND state IN ('NEW', 'PROVISIONED', 'ACTIVE') RETURNING uuid`,
  values: [pinned, deployments],
});

export interface StatusRow {
  uuid: string;
  last_error: string | null;
  /** The status before. */
  before: DeploymentStatus | null;
}

/**
 * Stores what the orchestrator reports of a deployment. A row comes back where it is another than before. Nothing is stored for a process
 * while another one leads, whose status is later.
 */
export const observed = (
  pinned: Date | null,
  holder: string,
  deployment: string,
  status: DeploymentStatus | null,
): Statement => ({
  name: 'agents_observed',
  text: `WITH known AS MATERIALIZED (
      SELECT uuid, status FROM agents WHERE orchestrator_deployment = $3 AND removed_at IS NULL AND NOT EXISTS (
        SELECT FROM agent_orchestrator_lease WHERE holder <> $2 AND expires_at > ${now(1)}) FOR NO KEY UPDATE)
    UPDATE agents a SET status = $4::jsonb FROM known
    WHERE a.uuid = known.uuid AND known.status IS DISTINCT FROM $4::jsonb
    RETURNING a.uuid, a.last_error, known.status AS before`,
  values: [pinned, holder, deployment, status === null ? null : JSON.stringify(status)],
});

/** Deployments without an agent that one search removes. */
const straysMax = 100;

/**
 * Of deployments that exist, those that no agent needs any more, and the agents whose deployment does not exist, or has an earlier revision
 * than was applied. Where there are too many of the first kind, any of them: those that cannot be removed keep no place of the others.
 */
export const strays = (deployments: readonly string[]): Statement => ({
  name: 'agents_strays',
  text: `(SELECT d.name AS stray, NULL AS outdated FROM unnest($1::text[]) AS d (name)
      WHERE NOT EXISTS (SELECT FROM agents a JOIN profiles p ON p.uuid = a.profile_uuid JOIN projects j ON j.uuid = p.project_uuid
        WHERE a.orchestrator_deployment = d.name AND a.removed_at IS NULL AND p.deleted_at IS NULL AND j.deleted_at IS NULL)
      ORDER BY random() LIMIT ${straysMax})
    UNION ALL
    SELECT NULL, a.orchestrator_deployment FROM agents a
      WHERE a.applied_revision > 0 AND a.state IN ('PROVISIONED', 'ACTIVE') AND a.due_at IS NULL
        AND (a.orchestrator_deployment <> ALL ($1::text[]) OR (a.status ->> 'revision')::int < a.applied_revision)`,
  values: [deployments],
});
