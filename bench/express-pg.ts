import { randomUUID } from 'node:crypto';
import express, { type NextFunction, type Request, type Response } from 'express';
import { Pool } from 'pg';
import { type Caller, columns, entryBody, getByName, verifyKey } from './hand-written.ts';

/*
 * The baseline: what somebody would write by hand with express and pg, with the same checks of key, scope and input, and
 * one named statement per operation beside that of the key. It logs nothing, measures nothing, sets no headers of its own and
 * limits no rates. Its stack is the usual one, SKIP LOCKED: fast, and not strictly last in, first out.
 */

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(express.json({ limit: 13_500_000 }));

type Handler = (caller: Caller, req: Request, res: Response) => Promise<unknown>;

const as = (scope: string, handle: Handler) => async (req: Request, res: Response, next: NextFunction) => {
  try {
    const caller = await verifyKey(pool, req.headers.authorization);
    if (caller === null) return void res.status(401).json({ success: false, error: 'Unauthorized' });
    if (!caller.scopes.includes(scope)) return void res.status(403).json({ success: false, error: 'Forbidden' });
    await handle(caller, req, res);
  } catch (error) {
    next(error);
  }
};

const invalid = (res: Response, details: Record<string, string>) =>
  res.status(400).json({ success: false, error: 'Validation error', details });
const notFound = (res: Response) => res.status(404).json({ success: false, error: 'Entry not found' });

const namePattern = /^[A-Za-z0-9_-]{1,255}$/;
const isName = (name: unknown): name is string => typeof name === 'string' && namePattern.test(name);

app.get(
  '/api/clipboard',
  as('read', async (caller, req, res) => {
    const { name, limit = '1000', offset = '0' } = req.query;
    if (name !== undefined) return answerByName(caller, name, res);
    if (!/^\d{1,4}$/.test(String(limit)) || Number(limit) < 1 || Number(limit) > 1_000)
      return invalid(res, { limit: 'limit must be an integer from 1 to 1000' });
    if (!/^\d{1,9}$/.test(String(offset))) return invalid(res, { offset: 'offset must be an integer from 0' });
    const { rows } = await pool.query({
      name: 'list',
      text: `SELECT ${columns}, count(*) OVER ()::int AS total,
          CASE WHEN seq IS NOT NULL THEN (row_number() OVER (ORDER BY seq DESC NULLS LAST) - 1)::int END AS idx
        FROM clipboard_entries WHERE profile_uuid = $1 AND expires_at > clock_timestamp()
        ORDER BY seq DESC NULLS LAST, created_at DESC, uuid DESC LIMIT $2 OFFSET $3`,
      values: [caller.profileUuid, Number(limit), Number(offset)],
    });
    return res.json({
      success: true,
      entries: rows.map(entryBody),
      total: rows[0]?.total ?? 0,
      limit: Number(limit),
      offset: Number(offset),
    });
  }),
);

app.post(
  '/api/clipboard/get',
  as('read', async (caller, req, res) => answerByName(caller, req.body?.name, res)),
);

async function answerByName({ profileUuid }: Caller, name: unknown, res: Response) {
  if (!isName(name)) return invalid(res, { name: 'name must be 1 to 255 letters, digits, underscore and hyphen' });
  const row = await getByName(pool, profileUuid, name);
  return row ? res.json({ success: true, entry: entryBody(row) }) : notFound(res);
}

app.post(
  '/api/clipboard',
  as('write', async (caller, req, res) => {
    const { name } = req.body ?? {};
    if (!isName(name)) return invalid(res, { name: 'name must be 1 to 255 letters, digits, underscore and hyphen' });
    const entry = readEntry(req, res);
    if (entry === null) return undefined;
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
    return res.json({ success: true, entry: writtenBody(caller, entry, name, null, rows[0]) });
  }),
);

app.post(
  '/api/clipboard/push',
  as('write', async (caller, req, res) => {
    const entry = readEntry(req, res);
    if (entry === null) return undefined;
    const { rows } = await pool.query({
      name: 'push',
      text: `INSERT INTO clipboard_entries (uuid, profile_uuid, seq, value, content_type, encoding, size_bytes, visibility,
          created_by_tool, created_by_model, source, created_at, updated_at, expires_at)
        SELECT $2, $1, nextval('clipboard_seq'), $3, $4, $5, $6, $7, $8, $9, $10, now, now, now + make_interval(secs => $11)
        FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS now) clock
        RETURNING uuid, created_at, updated_at, expires_at`,
      values: [caller.profileUuid, ...entryValues(caller, entry)],
    });
    return res.json({ success: true, entry: writtenBody(caller, entry, null, 0, rows[0]) });
  }),
);

app.delete(
  '/api/clipboard/pop',
  as('write', async (caller, _req, res) => {
    const { rows } = await pool.query({
      name: 'pop',
      text: `DELETE FROM clipboard_entries WHERE uuid = (
          SELECT uuid FROM clipboard_entries
          WHERE profile_uuid = $1 AND seq IS NOT NULL AND expires_at > clock_timestamp()
          ORDER BY seq DESC LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING ${columns}, 0 AS idx`,
      values: [caller.profileUuid],
    });
    if (rows[0] === undefined) return notFound(res);
    const { expiresAt: _, ...entry } = entryBody(rows[0]);
    return res.json({ success: true, entry });
  }),
);

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

/** @returns null when it has answered with a refusal. */
function readEntry(req: Request, res: Response): Entry | null {
  const body = req.body ?? {};
  const { value, ttlSeconds = 86_400 } = body;
  const contentType = body.contentType ?? 'text/plain';
  const encoding = body.encoding ?? 'utf-8';
  const visibility = body.visibility ?? 'private';
  const createdByTool = body.createdByTool ?? null;
  const createdByModel = body.createdByModel ?? null;
  const details: Record<string, string> = {};
  if (typeof value !== 'string' || value.includes('\u0000') || !value.isWellFormed())
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
  for (const _ in details) {
    invalid(res, details);
    return null;
  }
  const sizeBytes = Buffer.byteLength(value);
  if (sizeBytes > 2_097_152) {
    res.status(413).json({ success: false, error: 'Value exceeds maximum size of 2MB' });
    return null;
  }
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

interface WrittenRow {
  uuid: string;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
}

function writtenBody({ channel }: Caller, entry: Entry, name: string | null, idx: number | null, row: WrittenRow) {
  const { ttlSeconds: _, ...rest } = entry;
  const times = { createdAt: row.created_at, updatedAt: row.updated_at, expiresAt: row.expires_at };
  return { ...rest, uuid: row.uuid, name, idx, source: channel, ...times };
}

app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
  process.stderr.write(`${error}\n`);
  res.status(500).json({ success: false, error: 'Internal server error' });
});

app.listen(Number(process.env.PORT));
