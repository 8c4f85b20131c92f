import { createHash, randomUUID } from 'node:crypto';
import { Pool, type QueryResultRow } from 'pg';
import { isApiKey } from '../src/auth/api-key-format.ts';

/*
 * What the baselines share: a clipboard as one would write it by hand with pg. It has what ours has where that decides the speed: the
 * key is remembered for a second, every operation is one named statement, and the answers are the same. It logs nothing, measures
 * nothing, sets no headers of its own and limits no rates. Its stack is the usual one, SKIP LOCKED: fast, and not strictly
 * last in, first out.
 */

export interface Caller {
  readonly profileUuid: string;
  readonly scopes: string[];
  readonly channel: string;
}

/** An answer other than 200. */
export class Refused extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, error: string, details?: Record<string, string>) {
    super(error);
    this.status = status;
    this.body = { success: false, error, ...(details && { details }) };
  }
}

const rememberedMs = 1_000;

/** As many connections as a process of ours holds for statements. */
export function createPool(): Pool {
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  // The bench stops the database while connections may be idle.
  pool.on('error', () => {});
  return pool;
}

/** Who sends a key, looked up by its SHA-256 at most once a second, with the joins that ours has. */
export function createAuthentication(pool: Pool) {
  const remembered = new Map<string, { until: number; caller: Promise<Caller | null> }>();

  async function find(hash: Buffer): Promise<Caller | null> {
    const { rows } = await pool.query({
      name: 'key',
      text: `SELECT k.uuid, k.scopes, k.channel, p.uuid AS profile_uuid, j.uuid AS project_uuid, u.uuid AS user_uuid, u.is_admin
        FROM api_keys k
          JOIN profiles p ON p.uuid = k.profile_uuid
          JOIN projects j ON j.uuid = p.project_uuid
          JOIN users u ON u.uuid = j.user_uuid
        WHERE k.key_hash = $1 AND k.revoked_at IS NULL AND u.disabled_at IS NULL
          AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())`,
      values: [hash],
    });
    const [row] = rows;
    return row ? { profileUuid: row.profile_uuid, scopes: row.scopes, channel: row.channel } : null;
  }

  /** @throws {Refused} 401 without a good key; 403 without the scope. */
  return async (header: string | undefined, scope: string): Promise<Caller> => {
    const secret = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
    if (!isApiKey(secret)) throw new Refused(401, 'Unauthorized');
    const hash = createHash('sha256').update(secret).digest();
    const name = hash.toString('base64');
    let known = remembered.get(name);
    if (known === undefined || known.until < performance.now()) {
      known = { until: performance.now() + rememberedMs, caller: find(hash) };
      remembered.set(name, known);
    }
    const caller = await known.caller;
    if (caller === null) throw new Refused(401, 'Unauthorized');
    if (!caller.scopes.includes(scope)) throw new Refused(403, 'Forbidden');
    return caller;
  };
}

const columns = `uuid, name, value, content_type, encoding, size_bytes, visibility, created_by_tool, created_by_model,
  source, created_at, updated_at, expires_at`;
const isLive = 'profile_uuid = $1 AND expires_at > clock_timestamp()';

/** The operations. Each gives the body of a 200. */
export function createClipboard(pool: Pool) {
  async function get({ profileUuid }: Caller, name: unknown) {
    const entry = await find(profileUuid, nameOf(name));
    if (entry === null) throw new Refused(404, 'Entry not found');
    return { success: true, entry };
  }

  /** The named entry; null for none. */
  async function find(profileUuid: string, name: string) {
    const { rows } = await pool.query({
      name: 'get',
      text: `SELECT ${columns}, NULL::int AS idx FROM clipboard_entries WHERE ${isLive} AND name = $2`,
      values: [profileUuid, name],
    });
    return rows[0] ? entryBody(rows[0]) : null;
  }

  async function list({ profileUuid }: Caller, { limit = '1000', offset = '0' }: Record<string, unknown>) {
    if (!/^\d{1,4}$/.test(String(limit)) || Number(limit) < 1 || Number(limit) > 1_000)
      throw invalid({ limit: 'limit must be an integer from 1 to 1000' });
    if (!/^\d{1,9}$/.test(String(offset))) throw invalid({ offset: 'offset must be an integer from 0' });
    const { rows } = await pool.query({
      name: 'list',
      text: `SELECT page.*, (SELECT count(*)::int FROM clipboard_entries WHERE ${isLive}) AS total
        FROM (
          (SELECT ${columns}, (row_number() OVER (ORDER BY seq DESC) - 1)::int AS idx FROM clipboard_entries
            WHERE ${isLive} AND seq IS NOT NULL ORDER BY seq DESC LIMIT $2::int + $3::int)
          UNION ALL
          (SELECT ${columns}, NULL AS idx FROM clipboard_entries
            WHERE ${isLive} AND seq IS NULL ORDER BY created_at DESC, uuid DESC LIMIT $2::int + $3::int)
          LIMIT $2 OFFSET $3) page`,
      values: [profileUuid, Number(limit), Number(offset)],
    });
    const total = rows[0]?.total ?? 0;
    return { success: true, entries: rows.map(entryBody), total, limit: Number(limit), offset: Number(offset) };
  }

  async function set(caller: Caller, body: unknown) {
    const name = nameOf((body as { name?: unknown } | undefined)?.name);
    const entry = readEntry(body);
    const { rows } = await pool.query({
      name: 'set',
      text: `INSERT INTO clipboard_entries AS e (uuid, profile_uuid, name, value, content_type, encoding, size_bytes, visibility,
          created_by_tool, created_by_model, source, created_at, updated_at, expires_at)
        SELECT $3, $1, $2, $4, $5, $6, $7, $8, $9, $10, $11, now, now, now + make_interval(secs => $12)
        FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS now) clock
        ON CONFLICT (profile_uuid, name) DO UPDATE SET
          uuid = CASE WHEN e.expires_at > excluded.created_at THEN e.uuid ELSE excluded.uuid END,
          created_at = CASE WHEN e.expires_at > excluded.created_at THEN e.created_at ELSE excluded.created_at END,
          value = excluded.value, content_type = excluded.content_type, encoding = excluded.encoding,
          size_bytes = excluded.size_bytes, visibility = excluded.visibility, created_by_tool = excluded.created_by_tool,
          created_by_model = excluded.created_by_model, source = excluded.source, updated_at = excluded.updated_at,
          expires_at = excluded.expires_at
        RETURNING uuid, created_at, updated_at, expires_at`,
      values: [caller.profileUuid, name, ...entryValues(caller, entry)],
    });
    return { success: true, entry: writtenBody(caller, entry, name, null, rows[0]) };
  }

  async function push(caller: Caller, body: unknown) {
    const entry = readEntry(body);
    const { rows } = await pool.query({
      name: 'push',
      text: `INSERT INTO clipboard_entries (uuid, profile_uuid, seq, value, content_type, encoding, size_bytes, visibility,
          created_by_tool, created_by_model, source, created_at, updated_at, expires_at)
        SELECT $2, $1, nextval('clipboard_seq'), $3, $4, $5, $6, $7, $8, $9, $10, now, now, now + make_interval(secs => $11)
        FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS now) clock
        RETURNING uuid, created_at, updated_at, expires_at`,
      values: [caller.profileUuid, ...entryValues(caller, entry)],
    });
    return { success: true, entry: writtenBody(caller, entry, null, 0, rows[0]) };
  }

  async function pop({ profileUuid }: Caller) {
    const { rows } = await pool.query({
      name: 'pop',
      text: `DELETE FROM clipboard_entries WHERE uuid = (
          SELECT uuid FROM clipboard_entries WHERE ${isLive} AND seq IS NOT NULL
          ORDER BY seq DESC LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING ${columns}, 0 AS idx`,
      values: [profileUuid],
    });
    if (rows[0] === undefined) throw new Refused(404, 'Entry not found');
    const { expiresAt: _, ...entry } = entryBody(rows[0]);
    return { success: true, entry };
  }

  return { get, find, list, set, push, pop };
}

const invalid = (details: Record<string, string>) => new Refused(400, 'Validation error', details);

const namePattern = /^[A-Za-z0-9_-]{1,255}$/;

function nameOf(name: unknown): string {
  if (typeof name === 'string' && namePattern.test(name)) return name;
  throw invalid({ name: 'name must be 1 to 255 letters, digits, underscore and hyphen' });
}

interface Entry {
  uuid: string;
  value: string;
  contentType: string;
  encoding: string;
  sizeBytes: number;
  visibility: string;
  createdByTool: string | null;
  createdByModel: string | null;
  ttlSeconds: number;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters to refuse
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;
const isLine = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= 255 && text.isWellFormed() && !controlCharacters.test(text);

/** @throws {Refused} 400 and 413. */
function readEntry(given: unknown): Entry {
  const body = (given ?? {}) as Record<string, never>;
  const value: string = body.value ?? '';
  const ttlSeconds: number = body.ttlSeconds ?? 86_400;
  const contentType: string = body.contentType ?? 'text/plain';
  const encoding: string = body.encoding ?? 'utf-8';
  const visibility: string = body.visibility ?? 'private';
  const createdByTool: string | null = body.createdByTool ?? null;
  const createdByModel: string | null = body.createdByModel ?? null;
  const details: Record<string, string> = {};
  if (typeof body.value !== 'string' || value.includes('\u0000') || !value.isWellFormed())
    details.value = 'value is not text';
  if (!isLine(contentType)) details.contentType = 'contentType must be at most 255 characters';
  if (!['utf-8', 'base64', 'hex'].includes(encoding)) details.encoding = 'encoding must be one of: utf-8, base64, hex';
  if (!['private', 'workspace', 'public'].includes(visibility)) details.visibility = 'visibility is not known';
  if (createdByTool !== null && !isLine(createdByTool)) details.createdByTool = 'at most 255 characters';
  if (createdByModel !== null && !isLine(createdByModel)) details.createdByModel = 'at most 255 characters';
  if (!Number.isInteger(ttlSeconds) || ttlSeconds < 1 || ttlSeconds > 2_592_000)
    details.ttlSeconds = 'ttlSeconds must be an integer from 1 to 2592000';
  if (encoding === 'base64' && Buffer.from(value, 'base64').toString('base64') !== value)
    details.value = 'value must be canonical base64';
  if (encoding === 'hex' && (value.length % 2 !== 0 || /[^0-9a-fA-F]/.test(value))) details.value = 'value must be hex';
  for (const _ in details) throw invalid(details);
  const sizeBytes = Buffer.byteLength(value);
  if (sizeBytes > 2_097_152) throw new Refused(413, 'Value exceeds maximum size of 2MB');
  const uuid = randomUUID();
  return { uuid, value, contentType, encoding, sizeBytes, visibility, createdByTool, createdByModel, ttlSeconds };
}

const entryValues = ({ channel }: Caller, entry: Entry) => [
  entry.uuid,
  entry.value,
  entry.contentType,
  entry.encoding,
  entry.sizeBytes,
  entry.visibility,
  entry.createdByTool,
  entry.createdByModel,
  channel,
  entry.ttlSeconds,
];

const entryBody = (row: QueryResultRow) => ({
  uuid: row.uuid,
  name: row.name,
  idx: row.idx,
  value: row.value,
  contentType: row.content_type,
  encoding: row.encoding,
  sizeBytes: row.size_bytes,
  visibility: row.visibility,
  createdByTool: row.created_by_tool,
  createdByModel: row.created_by_model,
  source: row.source,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  expiresAt: row.expires_at,
});

function writtenBody(
  { channel }: Caller,
  entry: Entry,
  name: string | null,
  idx: number | null,
  row: QueryResultRow | undefined,
) {
  const { ttlSeconds: _, ...rest } = entry;
  const times = { createdAt: row?.created_at, updatedAt: row?.updated_at, expiresAt: row?.expires_at };
  return { ...rest, uuid: row?.uuid, name, idx, source: channel, ...times };
}
