import type { Statement } from '../platform/database/database.ts';
import type { CapabilityKind } from './capabilities.ts';
import type { Offer } from './offers.ts';
import { changesMax, type ToolChange } from './tool-changes.ts';

/** So long a discovery may stand as queued or running before another may be asked for: its job has been lost. */
const lostSeconds = 60;

/**
 * Marks servers of a profile that the platform can ask, all or one, and that nobody is about to ask already. They are held in
 * the order of their ids, as by who installs several.
 */
export const enqueue = (profile: string, now: Date, server: string | null): Statement => ({
  name: 'mcp_discoveries_enqueue',
  text: `WITH held AS (
      SELECT uuid FROM mcp_servers
      WHERE profile_uuid = $1 AND ($3::uuid IS NULL OR uuid = $3) AND transport <> 'stdio'
        AND (discovery_status NOT IN ('queued', 'running') OR discovery_at IS NULL
          OR discovery_at < $2::timestamptz - interval '${lostSeconds} seconds')
      ORDER BY uuid FOR NO KEY UPDATE)
    UPDATE mcp_servers s SET discovery_status = 'queued', discovery_at = $2 FROM held WHERE s.uuid = held.uuid
    RETURNING s.uuid`,
  values: [profile, now, server],
});

/** How many of a profile's servers are about to be asked. */
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

export const begin = (server: string, now: Date): Statement => ({
  name: 'mcp_discoveries_begin',
  text: `UPDATE mcp_servers SET discovery_status = 'running', discovery_at = $2 WHERE uuid = $1 AND transport <> 'stdio'
    RETURNING profile_uuid, transport, url, headers`,
  values: [server, now],
});

/** A failure leaves what was heard before. */
export const fail = (server: string, now: Date, error: string): Statement => ({
  name: 'mcp_discoveries_fail',
  text: `UPDATE mcp_servers SET discovery_status = 'failed', discovery_at = $2, discovery_error = $3 WHERE uuid = $1
    RETURNING uuid`,
  values: [server, now, error],
});

export interface HeldRow {
  profile_uuid: string;
  transport: string;
  url: string | null;
  headers: string | null;
  discovered_at: Date | null;
}

/** Holds a server, so that two that store go one after the other. */
export const hold = (server: string): Statement => ({
  name: 'mcp_discoveries_hold',
  text: `SELECT profile_uuid, transport, url, headers, discovered_at FROM mcp_servers WHERE uuid = $1 FOR NO KEY UPDATE`,
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

export const succeed = (server: string, now: Date): Statement => ({
  name: 'mcp_discoveries_succeed',
  text: `UPDATE mcp_servers SET discovery_status = 'succeeded', discovery_at = $2, discovered_at = $2, discovery_error = NULL
    WHERE uuid = $1`,
  values: [server, now],
});
