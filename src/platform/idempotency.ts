import { createCipheriv, createDecipheriv, createHash, hash, hkdfSync, randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Database, Statement } from './database/database.ts';
import { ApiError } from './errors.ts';
import { invalid } from './input/input.ts';
import type { JsonContent } from './json/json-content.ts';
import { eachPart, largeStep, largeTextUnits, partsOf } from './json/large-steps.ts';
import type { Job } from './messaging/jobs.ts';

/** How long a response can be had again. Source: docs/specification/general.md#idempotency. */
const rememberedSeconds = 86_400;
/** How long a key may be, in characters. */
const keyCharactersMax = 255;

/** A request that its client may send again without it being done again. */
export interface IdempotentRequest {
  /** The client's own `Idempotency-Key`. */
  readonly key: string;
  /** The key or session that asks, by its id and by its secret, which alone can read the response again. */
  readonly credentialUuid: string;
  readonly credential: string;
  /** Whose requests take turns with those of others. */
  readonly userUuid: string;
  /** Method and path, as the route has them. */
  readonly route: string;
  /** All fields that decide the effect: a key stands for one request. */
  readonly asked: unknown;
}

export interface IdempotentResponse {
  readonly text: JsonContent;
  readonly isReplayed: boolean;
}

/**
 * The header `Idempotency-Key` (docs/specification/general.md#idempotency; draft-ietf-httpapi-idempotency-key-header):
 * the response is written in the transaction of its effect, so that both exist or neither. An error has no effect and
 * leaves no record: the same key may be tried again.
 */
export function createIdempotency({ database, clock }: { database: Database; clock: Clock }) {
  /**
   * Runs a request once for all requests with the same key.
   *
   * @param run Runs it as a unit of work of the database, and returns the text of the response.
   * @throws {ApiError} `VALIDATION_ERROR` for a malformed key; `CONFLICT` while the first one runs;
   * `IDEMPOTENCY_KEY_REUSED` when the key stands for another request; the exceptions of `run`.
   */
  async function once(request: IdempotentRequest, run: () => Promise<JsonContent>): Promise<IdempotentResponse> {
    if (!/^[\x21-\x7e]+$/.test(request.key) || request.key.length > keyCharactersMax) throw malformedKey();
    const { credentialUuid, route, key } = request;
    const scope = { hash: hashOf([credentialUuid, route, key]), requestHash: await requestHashOf(request.asked) };
    const lock = scope.hash.readBigInt64BE();
    // Claimed without a connection of the pool: a request that waits for a network holds none.
    const claim = await database.locks.take<Claim>(lock, claimOf(lock, scope.hash, clock.pinned()));
    if (claim === null) throw stillRunning();
    try {
      if (claim.is_recorded) return await replay(request, scope);
      if (!claim.taken) throw stillRunning();
      return { text: await workAndRecord(request, scope, run), isReplayed: false };
    } catch (error) {
      if (!(error instanceof AlreadyRecorded)) throw error;
      // Without the lock's connection two may have done it. One of them was rolled back, and answers like the other.
      return await replay(request, scope);
    } finally {
      if (claim.taken) database.locks.release(lock);
    }
  }

  /** @throws {AlreadyRecorded} If a response was recorded in the meantime. The request did not run then. */
  async function workAndRecord(request: IdempotentRequest, scope: RequestScope, run: () => Promise<JsonContent>) {
    return database.runUnit(request.userUuid, async () => {
      const text = await run();
      const response = await sealed(text, request, scope.hash);
      const saved = await database.query({
        name: 'idempotency_save',
        text: `INSERT INTO idempotent_answers AS known (scope_hash, request_hash, answer, expires_at)
          VALUES ($1, $3, $4, coalesce($2, clock_timestamp()) + make_interval(secs => $5))
          ON CONFLICT (scope_hash) DO UPDATE
            SET request_hash = excluded.request_hash, answer = excluded.answer, expires_at = excluded.expires_at
            WHERE known.expires_at <= coalesce($2, clock_timestamp())
          RETURNING 1`,
        values: [scope.hash, clock.pinned(), scope.requestHash, response, rememberedSeconds],
      });
      if (saved.length === 0) throw new AlreadyRecorded();
      return text;
    });
  }

  /** @throws {ApiError} `IDEMPOTENCY_KEY_REUSED` if the response is that of another request. */
  async function replay(request: IdempotentRequest, scope: RequestScope): Promise<IdempotentResponse> {
    const [row] = await database.query<{ answer: Buffer | null }>({
      name: 'idempotency_replay',
      text: `SELECT CASE WHEN request_hash = $3 THEN answer END AS answer FROM idempotent_answers
        WHERE ${isRecorded('$1', '$2')}`,
      values: [scope.hash, clock.pinned(), scope.requestHash],
    });
    // It expired in this moment.
    if (!row) throw stillRunning();
    if (row.answer === null)
      throw new ApiError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for a different request');
    return { text: opened(row.answer, request, scope.hash), isReplayed: true };
  }

  /** @returns Number of responses removed. */
  async function purgeExpired(): Promise<number> {
    const [row] = await database.query<{ count: number }>({
      name: 'idempotency_purge_expired',
      text: `WITH gone AS (DELETE FROM idempotent_answers WHERE expires_at <= coalesce($1, statement_timestamp()) RETURNING 1)
        SELECT count(*)::int AS count FROM gone`,
      values: [clock.pinned()],
    });
    return row?.count ?? 0;
  }

  return { once, purgeExpired };
}

/** The scheduled jobs of idempotency. */
export const idempotencyJobs = (idempotency: { purgeExpired(): Promise<number> }): Job[] => [
  { name: 'idempotency-purge-expired-answers', cron: '7 * * * *', run: () => idempotency.purgeExpired() },
];

interface RequestScope {
  /** Of the credential, the route and the key. */
  readonly hash: Buffer;
  readonly requestHash: Buffer;
}

interface Claim {
  readonly taken: boolean;
  readonly is_recorded: boolean;
}

/** Thrown to undo what another has done already. */
class AlreadyRecorded extends Error {
  override name = 'AlreadyRecorded';
}

const isRecorded = (hash: string, pinned: string) =>
  `scope_hash = ${hash} AND expires_at > coalesce(${pinned}, clock_timestamp())`;

/** A response that is recorded while the lock is taken may be overlooked. It is found then when another is recorded. */
const claimOf = (lock: bigint, scopeHash: Buffer, pinned: Date | null): Statement => ({
  name: 'idempotency_claim',
  text: `SELECT pg_try_advisory_lock($1) AS taken,
    EXISTS (SELECT FROM idempotent_answers WHERE ${isRecorded('$2', '$3::timestamptz')}) AS is_recorded`,
  values: [lock, scopeHash, pinned],
});

const stillRunning = () =>
  new ApiError('CONFLICT', 'A request with this Idempotency-Key is still running', { retryAfter: 1 });

const malformedKey = () =>
  invalid({ 'Idempotency-Key': `Idempotency-Key must be 1 to ${keyCharactersMax} printable ASCII characters` });

const hashOf = (value: unknown): Buffer => hash('sha256', JSON.stringify(value), 'buffer');

/**
 * SHA-256 of a request: the same members in another order are the same request. A large text stands in it by its own hash, so that
 * no copy of it is made.
 */
async function requestHashOf(asked: unknown): Promise<Buffer> {
  const hashes = new Map<string, string>();
  for (const text of largeTextsOf(asked)) hashes.set(text, await sha256Of(text));
  return hashOf(withSortedKeys(asked, hashes));
}

function largeTextsOf(value: unknown, found: string[] = []): string[] {
  if (typeof value === 'string' && value.length > largeTextUnits) found.push(value);
  else if (value instanceof Object) for (const member of Object.values(value)) largeTextsOf(member, found);
  return found;
}

async function sha256Of(text: string): Promise<string> {
  const digest = createHash('sha256');
  await eachPart(partsOf(text), (part) => void digest.update(part));
  return digest.digest('hex');
}

/** A copy, because JSON.stringify is many times slower with a replacer function. */
function withSortedKeys(value: unknown, hashes: ReadonlyMap<string, string>): unknown {
  // No field takes both a text and an object.
  if (typeof value === 'string' && value.length > largeTextUnits) return { sha256: hashes.get(value) };
  if (Array.isArray(value)) return value.map((element) => withSortedKeys(element, hashes));
  if (!(value instanceof Object)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, withSortedKeys(member, hashes)]));
}

const nonceBytes = 12;
const tagBytes = 16;
/** Bytes that are encrypted in one step. */
const sealedAtOnce = 256 * 1024;

/** Responses contain secrets that are stored nowhere else: only the credential of the request can decrypt them. */
const secretOf = ({ credential }: IdempotentRequest, scopeHash: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', credential, scopeHash, 'patchbay idempotent answer', 32));

/** The nonce, the tag and the encrypted text, in one piece of memory. */
async function sealed(content: JsonContent, request: IdempotentRequest, scopeHash: Buffer): Promise<Buffer> {
  const text = typeof content === 'string' ? Buffer.from(content) : content;
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', secretOf(request, scopeHash), nonce);
  const response = Buffer.allocUnsafeSlow(nonceBytes + tagBytes + text.length);
  const encrypt = (from: number) =>
    void cipher.update(text.subarray(from, from + sealedAtOnce)).copy(response, nonceBytes + tagBytes + from);
  if (text.length <= sealedAtOnce) encrypt(0);
  else for (let from = 0; from < text.length; from += sealedAtOnce) await largeStep(() => encrypt(from));
  cipher.final();
  response.set(nonce);
  response.set(cipher.getAuthTag(), nonceBytes);
  return response;
}

function opened(response: Buffer, request: IdempotentRequest, scopeHash: Buffer): Buffer {
  const cipher = createDecipheriv('aes-256-gcm', secretOf(request, scopeHash), response.subarray(0, nonceBytes));
  cipher.setAuthTag(response.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([cipher.update(response.subarray(nonceBytes + tagBytes)), cipher.final()]);
}
