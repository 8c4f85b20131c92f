import type { Statement } from '../platform/database/database.ts';
import type { CapabilityKind } from './capabilities.ts';
import type { Offer } from './offers.ts';
import { changesMax, type ToolChange } from './tool-changes.ts';

/** Seconds after which a queued or running discovery may be requested again: its job may have been lost. */
const lostSeconds = 60;

/** A server that is marked as queued, and by which job. */
export interface QueuedRow {
  uuid: string;
  discovery_job: string;
}

/**
 * Marks servers of a profile that the platform can discover, all or one, and that are not queued yet. They are locked
 * in the order of their ids, as everywhere. A server that waits for long keeps its job, which is queued again if it is
 * missing; a job that began and did not end no longer counts.
 */
export const enqueue = (profile: string, now: Date, server: string | null): Statement => ({
  name: 'mcp_discoveries_enqueue',
  text: `WITH held AS (
      SELECT uuid, CASE WHEN discovery_status = 'queued' THEN discovery_job END AS job FROM mcp_servers
      WHERE profile_uuid = $1 AND ($3::uuid IS NULL OR uuid = $3) AND transport <> 'stdio'
        AND (discovery_status NOT IN ('queued', 'running') OR discovery_at IS NULL
          OR discovery_at < $2::timestamptz - interval '${lostSeconds} seconds')
      ORDER BY uuid FOR NO KEY UPDATE)
    UPDATE mcp_servers s SET discovery_status = 'queued', discovery_at = $2, discovery_job = coalesce(held.job, gen_random_uuid())
    FROM held WHERE s.uuid = held.uuid RETURNING s.uuid, s.discovery_job`,
  values: [profile, now, server],
});

/** Number of a profile's queued discoveries. */
export const waiting = (profile: string): Statement => ({
  name: 'mcp_discoveries_waiting',
  text: `SELECT count(*)::int AS count FROM mcp_servers WHERE profile_uuid = $1 AND discovery_status = 'queued'`,
  values: [profile],
});

export interface BegunRow {
  profile_uuid: string;
  transport: 'http' | 'sse';
  url: string;
  headers: string | null;
}

/** The server and its job; null for a job that was queued before jobs had an id. */
export interface Asked {
  readonly server: string;
  readonly job: string | null;
  readonly url: string;
  readonly headers: string | null;
}

/** For the server's latest job alone, until that has ended: a job comes again when its worker has died. */
export const begin = (server: string, job: string | null, now: Date): Statement => ({
  name: 'mcp_discoveries_begin',
  text: `UPDATE mcp_servers SET discovery_status = 'running', discovery_at = $3
    WHERE uuid = $1 AND discovery_job IS NOT DISTINCT FROM $2::uuid AND discovery_status IN ('queued', 'running')
      AND transport <> 'stdio'
    RETURNING profile_uuid, transport, url, headers`,
  values: [server, job, now],
});

/** A failure keeps the earlier capabilities. No row if the server has changed since, or another job has it. */
export const fail = (
  { server, job, url, headers }: Asked,
  now: Date,
  status: 'failed' | 'needs_authorization',
  error: string,
): Statement => ({
  name: 'mcp_discoveries_fail',
  text: `UPDATE mcp_servers SET discovery_status = $7, discovery_at = $5, discovery_error = $6
    WHERE uuid = $1 AND discovery_job IS NOT DISTINCT FROM $2::uuid AND discovery_status = 'running'
      AND url = $3 AND headers IS NOT DISTINCT FROM $4 RETURNING uuid`,
  values: [server, job, url, headers, now, error, status],
});

export interface HeldRow {
  profile_uuid: string;
  transport: string;
  url: string | null;
  headers: string | null;
  discovery_status: string;
  discovery_job: string | null;
  are_tools_known: boolean;
}

/** Holds a server, so that two that store go one after the other. */
export const hold = (server: string): Statement => ({
  name: 'mcp_discoveries_hold',
  text: `SELECT profile_uuid, transport, url, headers, discovery_status, discovery_job, are_tools_known FROM mcp_servers
    WHERE uuid = $1 FOR NO KEY UPDATE`,
  values: [server],
});

export const toolsOf = (server: string): Statement => ({
  name: 'mcp_discoveries_tools',
  text: `SELECT name, definition::text AS definition FROM mcp_capabilities WHERE server_uuid = $1 AND kind = 'tool'`,
  values: [server],
});

export const forget = (server: string, kinds: readonly CapabilityKind[]): Statement => ({
  name: 'mcp_discoveries_forget',
  text: 'DELETE FROM mcp_capabilities WHERE server_uuid = $1 AND kind = ANY ($2::text[])',
  values: [server, kinds],
});

export const store = (server: string, offers: readonly Offer[]): Statement => ({
  name: 'mcp_discoveries_store',
  text: `INSERT INTO mcp_capabilities (server_uuid, kind, name, position, definition, bytes)
    SELECT $1, kind, name, place, definition::json, bytes
    FROM unnest($2::text[], $3::text[], $4::text[], $5::int[]) WITH ORDINALITY AS t (kind, name, definition, bytes, place)`,
  values: [
    server,
    offers.map(({ kind }) => kind),
    offers.map(({ name }) => name),
    offers.map(({ definition }) => definition),
    offers.map(({ bytes }) => bytes),
  ],
});

/** Records changes, and lets the oldest go where there are too many. */
export const record = (
  server: string,
  now: Date,
  uuids: readonly string[],
  changes: readonly ToolChange[],
): Statement => ({
  name: 'mcp_discoveries_record',
  text: `WITH old AS (
      DELETE FROM mcp_tool_changes WHERE uuid IN (
        SELECT uuid FROM mcp_tool_changes WHERE server_uuid = $1 ORDER BY created_at DESC, uuid DESC
        OFFSET ${changesMax} - cardinality($3::uuid[])))
    INSERT INTO mcp_tool_changes (uuid, server_uuid, name, change, before, after, created_at)
    SELECT uuid, $1, name, change, before::json, after::json, $2
    FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[]) AS t (uuid, name, change, before, after)`,
  values: [
    server,
    now,
    uuids,
    changes.map(({ name }) => name),
    changes.map(({ change }) => change),
    changes.map(({ before }) => before),
    changes.map(({ after }) => after),
  ],
});

/** @param hasTools Whether it was said which tools there are, be it none. */
export const succeed = (server: string, now: Date, hasTools: boolean): Statement => ({
  name: 'mcp_discoveries_succeed',
  text: `UPDATE mcp_servers SET discovery_status = 'succeeded', discovery_at = $2, discovered_at = $2, discovery_error = NULL,
      are_tools_known = are_tools_known OR $3 WHERE uuid = $1`,
  values: [server, now, hasTools],
});
