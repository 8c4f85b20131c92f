import type { Statement } from '../../platform/database/database.ts';

/** Days between two runs of a host. */
const runDays = 7;
/** Hours over which the next runs of hosts are spread, so that those that were added together do not stay together. */
const spreadHours = 12;
/** Hours that an owner's request waits for after a run of the host. */
export const requestHours = 24;
/** Days after which a host without servers is forgotten: more than a week, so that its pause is over. */
const forgottenDays = 30;
/** Changes of one server that are kept. */
export const changesMax = 50;
/** A statement that looks through all servers. */
const patienceMs = 9_000;

const nextRun = (origin: string) => `$2::timestamptz + interval '${runDays} days'
  + interval '${spreadHours} hours' * (('x' || left(md5(${origin}), 7))::bit(28)::int / 268435456.0)`;

/** The servers of the catalogue that are checked. @see docs/specification/oauth.md#authorization-reports */
const isChecked = `s.is_public AND s.transport <> 'stdio' AND s.url IS NOT NULL
  AND NOT EXISTS (SELECT FROM oauth_server_settings o WHERE o.server_uuid = s.uuid AND o.omits_report)`;

export interface ServerUrl {
  uuid: string;
  url: string;
}

/** Servers that no run knows, or knows by another url. */
export const unlisted = (limit: number): Statement => ({
  name: 'oauth_reports_unlisted',
  query_timeout: patienceMs,
  text: `SELECT s.uuid, s.url FROM mcp_servers s LEFT JOIN oauth_reports r ON r.server_uuid = s.uuid
    WHERE ${isChecked} AND (r.server_uuid IS NULL OR r.server_url <> s.url) ORDER BY s.uuid LIMIT $1`,
  values: [limit],
});

/** Removes the reports of other urls. */
export const removeOthers = (servers: readonly ServerUrl[]): Statement => ({
  name: 'oauth_reports_remove_others',
  text: `DELETE FROM oauth_reports r USING unnest($1::uuid[], $2::text[]) AS t (uuid, url)
    WHERE r.server_uuid = t.uuid AND r.server_url <> t.url`,
  values: [servers.map(({ uuid }) => uuid), servers.map(({ url }) => url)],
});

/** Makes servers and their hosts known to the runs. Where a host is known, its servers wait for its next run. */
export const list = (servers: readonly (ServerUrl & { origin: string })[], now: Date): Statement => ({
  name: 'oauth_reports_list',
  text: `WITH given AS (SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]) AS t (uuid, url, origin)),
    hosts AS (INSERT INTO oauth_report_hosts (origin, due_at) SELECT DISTINCT origin, $4::timestamptz FROM given ORDER BY origin
      ON CONFLICT DO NOTHING)
    INSERT INTO oauth_reports (server_uuid, server_url, origin, created_at)
    SELECT s.uuid, given.url, given.origin, $4 FROM (
      SELECT s.uuid FROM mcp_servers s JOIN given ON given.uuid = s.uuid AND given.url = s.url ORDER BY s.uuid FOR KEY SHARE OF s) s
    JOIN given ON given.uuid = s.uuid ON CONFLICT DO NOTHING`,
  values: [servers.map(({ uuid }) => uuid), servers.map(({ url }) => url), servers.map(({ origin }) => origin), now],
});

/** Takes hosts whose run is due. Two processes take different ones, and a host that was taken is due again in a week. */
export const takeDue = (limit: number, now: Date): Statement => ({
  name: 'oauth_report_hosts_take',
  query_timeout: patienceMs,
  text: `WITH due AS (
      SELECT h.origin FROM oauth_report_hosts h WHERE h.due_at <= $2::timestamptz AND EXISTS (
        SELECT FROM oauth_reports r JOIN mcp_servers s ON s.uuid = r.server_uuid AND s.url = r.server_url
        WHERE r.origin = h.origin AND ${isChecked})
      ORDER BY h.due_at LIMIT $1 FOR UPDATE OF h SKIP LOCKED)
    UPDATE oauth_report_hosts h SET run_at = $2, due_at = ${nextRun('h.origin')} FROM due WHERE h.origin = due.origin RETURNING h.origin`,
  values: [limit, now],
});

/** Takes one host for its owner's request. No row where its latest run is less than a day ago. */
export const takeAsked = (origin: string, now: Date): Statement => ({
  name: 'oauth_report_hosts_take_asked',
  text: `UPDATE oauth_report_hosts SET run_at = $2, due_at = ${nextRun('origin')}
    WHERE origin = $1 AND (run_at IS NULL OR run_at <= $2::timestamptz - interval '${requestHours} hours') RETURNING origin`,
  values: [origin, now],
});

export const latestRun = (origin: string): Statement => ({
  name: 'oauth_report_hosts_latest',
  text: 'SELECT run_at FROM oauth_report_hosts WHERE origin = $1',
  values: [origin],
});

/**
 * The servers of a host, those first that were checked longest ago.
 *
 * @param asked A server whose owner has asked for the run: it comes first, and may be private.
 */
export const ofHost = (origin: string, asked: string | null, limit: number): Statement => ({
  name: 'oauth_reports_of_host',
  text: `SELECT s.uuid, s.url FROM oauth_reports r JOIN mcp_servers s ON s.uuid = r.server_uuid AND s.url = r.server_url
    WHERE r.origin = $1 AND ((${isChecked}) OR s.uuid = $2::uuid)
    ORDER BY s.uuid IS NOT DISTINCT FROM $2::uuid DESC, r.checked_at NULLS FIRST, s.uuid LIMIT $3`,
  values: [origin, asked, limit],
});

export interface HeldRow {
  checked_at: Date | null;
  slug: string;
  profile_uuid: string;
  /** Whether there is an owner to notify: imported servers belong to a disabled account. */
  has_owner: boolean;
}

/** Holds the report of a server, so that two runs that store go one after the other. No row where it is of another url by now. */
export const hold = (server: string, url: string): Statement => ({
  name: 'oauth_reports_hold',
  text: `SELECT r.checked_at, s.slug, s.profile_uuid, EXISTS (
      SELECT FROM profiles p JOIN projects j ON j.uuid = p.project_uuid AND j.deleted_at IS NULL
      JOIN users u ON u.uuid = j.user_uuid AND u.deleted_at IS NULL AND u.disabled_at IS NULL
      WHERE p.uuid = s.profile_uuid AND p.deleted_at IS NULL) AS has_owner
    FROM oauth_reports r JOIN mcp_servers s ON s.uuid = r.server_uuid AND s.url = r.server_url
    WHERE r.server_uuid = $1 AND r.server_url = $2 FOR UPDATE OF r`,
  values: [server, url],
});

export interface LastOutcomeRow {
  rule: string;
  known_outcome: string | null;
}

export const lastOutcomes = (server: string): Statement => ({
  name: 'oauth_report_outcomes_known',
  text: 'SELECT rule, known_outcome FROM oauth_report_outcomes WHERE server_uuid = $1',
  values: [server],
});

export interface NewOutcome {
  readonly rule: string;
  readonly outcome: string;
  readonly evidence: string;
  /** JSON. */
  readonly facts: string;
}

/** Stores the outcomes of all rules in the place of those before. `since` stays where the outcome does. */
export const store = (server: string, outcomes: readonly NewOutcome[], now: Date): Statement => ({
  name: 'oauth_report_outcomes_store',
  text: `WITH given AS (SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS t (rule, outcome, evidence, facts)),
    gone AS (DELETE FROM oauth_report_outcomes WHERE server_uuid = $1 AND rule <> ALL ($2::text[]))
    INSERT INTO oauth_report_outcomes AS o (server_uuid, rule, outcome, evidence, facts, known_outcome, since)
    SELECT $1, rule, outcome, evidence, facts::jsonb, nullif(outcome, 'unknown'), $6 FROM given
    ON CONFLICT (server_uuid, rule) DO UPDATE SET outcome = excluded.outcome, evidence = excluded.evidence, facts = excluded.facts,
      known_outcome = coalesce(excluded.known_outcome, o.known_outcome),
      since = CASE WHEN excluded.outcome = 'unknown' OR excluded.known_outcome = o.known_outcome THEN o.since ELSE excluded.since END`,
  values: [
    server,
    outcomes.map(({ rule }) => rule),
    outcomes.map(({ outcome }) => outcome),
    outcomes.map(({ evidence }) => evidence),
    outcomes.map(({ facts }) => facts),
    now,
  ],
});

export interface NewChange {
  readonly uuid: string;
  readonly rule: string;
  readonly before: string;
  readonly after: string;
}

/** Records changes, and lets the oldest go where there are too many. */
export const record = (server: string, changes: readonly NewChange[], now: Date): Statement => ({
  name: 'oauth_report_changes_record',
  text: `WITH old AS (
      DELETE FROM oauth_report_changes WHERE uuid IN (
        SELECT uuid FROM oauth_report_changes WHERE server_uuid = $1 ORDER BY at DESC, uuid DESC
        OFFSET ${changesMax} - cardinality($3::uuid[])))
    INSERT INTO oauth_report_changes (uuid, server_uuid, rule, before, after, at)
    SELECT uuid, $1, rule, before, after, $2
    FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) AS t (uuid, rule, before, after)`,
  values: [
    server,
    now,
    changes.map(({ uuid }) => uuid),
    changes.map(({ rule }) => rule),
    changes.map(({ before }) => before),
    changes.map(({ after }) => after),
  ],
});

export const finish = (
  server: string,
  report: { readonly grade: string | null; readonly counts: Readonly<Record<string, number>> },
  now: Date,
): Statement => ({
  name: 'oauth_reports_finish',
  text: `UPDATE oauth_reports SET checked_at = $2, grade = $3, passed = $4, failed = $5, not_applicable = $6, unknown = $7
    WHERE server_uuid = $1`,
  values: [
    server,
    now,
    report.grade,
    report.counts.passed,
    report.counts.failed,
    report.counts.not_applicable,
    report.counts.unknown,
  ],
});

/** Reports that may be seen: of public servers, and of those of one profile. */
const seen = `JOIN mcp_servers s ON s.uuid = r.server_uuid AND s.url = r.server_url
  WHERE r.server_uuid = ANY ($1::uuid[]) AND r.checked_at IS NOT NULL AND (s.is_public OR s.profile_uuid = $2::uuid)`;

export interface ReportRow {
  server_uuid: string;
  checked_at: Date;
  grade: string | null;
  passed: number;
  failed: number;
  not_applicable: number;
  unknown: number;
}

export const reports = (servers: readonly string[], profile: string | null): Statement => ({
  name: 'oauth_reports_seen',
  text: `SELECT r.server_uuid, r.checked_at, r.grade, r.passed, r.failed, r.not_applicable, r.unknown FROM oauth_reports r ${seen}`,
  values: [servers, profile],
});

export interface OutcomeRow extends LastOutcomeRow {
  server_uuid: string;
  outcome: string;
  evidence: string;
  facts: { name: string; value: string }[];
  since: Date;
}

export const outcomes = (servers: readonly string[], profile: string | null): Statement => ({
  name: 'oauth_report_outcomes_seen',
  text: `SELECT o.server_uuid, o.rule, o.outcome, o.evidence, o.facts, o.since
    FROM oauth_reports r JOIN oauth_report_outcomes o ON o.server_uuid = r.server_uuid ${seen}`,
  values: [servers, profile],
});

export interface ChangeRow {
  server_uuid: string;
  rule: string;
  before: string;
  after: string;
  at: Date;
}

export const changes = (servers: readonly string[], profile: string | null): Statement => ({
  name: 'oauth_report_changes_seen',
  text: `SELECT c.server_uuid, c.rule, c.before, c.after, c.at
    FROM oauth_reports r JOIN oauth_report_changes c ON c.server_uuid = r.server_uuid ${seen} ORDER BY c.at DESC, c.rule`,
  values: [servers, profile],
});

export const remove = (server: string): Statement => ({
  name: 'oauth_reports_remove',
  text: 'DELETE FROM oauth_reports WHERE server_uuid = $1',
  values: [server],
});

export const purgeHosts = (now: Date, limit: number): Statement => ({
  name: 'oauth_report_hosts_purge',
  query_timeout: patienceMs,
  text: `DELETE FROM oauth_report_hosts WHERE origin IN (
      SELECT origin FROM oauth_report_hosts h WHERE due_at < $1::timestamptz - interval '${forgottenDays} days'
        AND NOT EXISTS (SELECT FROM oauth_reports r WHERE r.origin = h.origin) LIMIT $2) RETURNING 1`,
  values: [now, limit],
});
