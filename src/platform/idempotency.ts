import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Database } from './database/database.ts';
import { Refusal } from './errors.ts';
import type { Job } from './jobs.ts';

/** How long an answer can be had again. Source: gaps.md, Everywhere. */
const rememberedSeconds = 86_400;
/** How long a key may be, in characters. */
const keyCharactersMax = 255;

/** A request that its client may send again without it being done again. */
export interface IdempotentRequest {
  /** The client's own `Idempotency-Key`. */
  readonly key: string;
  /** The key or session that asks, by its id and by its secret, which alone can read the answer again. */
  readonly credentialUuid: string;
  readonly credential: string;
  /** Method and path, as the route has them. */
  readonly route: string;
  /** Everything that decides what is done: a key stands for one request. */
  readonly asked: unknown;
}

export interface IdempotentAnswer {
  readonly text: string;
  readonly isReplayed: boolean;
}

/**
 * The header `Idempotency-Key` (gaps.md, Everywhere; draft-ietf-httpapi-idempotency-key-header): the answer is written in the
 * transaction of its effect, so that both are there or neither, whatever breaks. A refusal has no effect and leaves nothing
 * behind: the same key may be tried again.
 */
export function createIdempotency({ database, clock }: { database: Database; clock: Clock }) {
  /**
   * Does what is asked, once for all requests with the same key.
   *
   * @param run Does it with a database that is one transaction, and gives the text of the answer.
   * @throws {Refusal} `VALIDATION_ERROR` for a malformed key; `CONFLICT` while the first is under way;
   *   `IDEMPOTENCY_KEY_REUSED` when the key stands for another request; what `run` throws.
   */
  async function once(request: IdempotentRequest, run: (tx: Database) => Promise<string>): Promise<IdempotentAnswer> {
    if (!/^[\x21-\x7e]+$/.test(request.key) || request.key.length > keyCharactersMax) throw malformedKey();
    const { credentialUuid, route, key } = request;
    const scopeHash = sha256([credentialUuid, route, key]);
    const requestHash = hashOf(request.asked);
    return database.transaction(async (tx) => {
      // Held to the end of the transaction, also when this process dies: nobody waits for what will not come.
      const [lock] = await tx.query<{ taken: boolean }>({
        name: 'idempotency_lock',
        text: 'SELECT pg_try_advisory_xact_lock($1) AS taken',
        values: [scopeHash.readBigInt64BE()],
      });
      if (!lock?.taken)
        throw new Refusal('CONFLICT', 'A request with this Idempotency-Key is still running', { retryAfter: 1 });
      const [known] = await tx.query<{ request_hash: Buffer; answer: Buffer }>({
        name: 'idempotency_find',
        text: `SELECT request_hash, answer FROM idempotent_answers
          WHERE scope_hash = $1 AND expires_at > coalesce($2, clock_timestamp())`,
        values: [scopeHash, clock.pinned()],
      });
      if (known) {
        if (!known.request_hash.equals(requestHash))
          throw new Refusal('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request');
        return { text: opened(known.answer, request, scopeHash), isReplayed: true };
      }
      const text = await run(tx);
      await tx.query({
        name: 'idempotency_save',
        text: `INSERT INTO idempotent_answers (scope_hash, request_hash, answer, expires_at)
          VALUES ($1, $3, $4, coalesce($2, clock_timestamp()) + make_interval(secs => $5))
          ON CONFLICT (scope_hash) DO UPDATE
            SET request_hash = excluded.request_hash, answer = excluded.answer, expires_at = excluded.expires_at`,
        values: [scopeHash, clock.pinned(), requestHash, sealed(text, request, scopeHash), rememberedSeconds],
      });
      return { text, isReplayed: false };
    });
  }

  /** @returns How many answers went. */
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

/** What of idempotency runs on a clock. */
export const idempotencyJobs = (idempotency: { purgeExpired(): Promise<number> }): Job[] => [
  { name: 'idempotency-purge-expired-answers', cron: '7 * * * *', run: () => idempotency.purgeExpired() },
];

const malformedKey = () =>
  new Refusal('VALIDATION_ERROR', 'Validation error', {
    details: { 'Idempotency-Key': `Idempotency-Key must be 1 to ${keyCharactersMax} printable ASCII characters` },
  });

const sha256 = (value: unknown): Buffer => hash('sha256', JSON.stringify(value, sortedKeys), 'buffer');

/** @throws {Refusal} `VALIDATION_ERROR` for what cannot be written out again: V8 reads JSON of any depth, and writes it by calls. */
function hashOf(asked: unknown): Buffer {
  try {
    return sha256(asked);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Refusal('VALIDATION_ERROR', 'Validation error', { details: { body: 'The body is too deep' } });
  }
}

/** The same members in another order are the same request. */
const sortedKeys = (_name: string, value: unknown): unknown =>
  value instanceof Object && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const nonceBytes = 12;
const tagBytes = 16;

/** Answers hold secrets that are stored nowhere else: only who has the credential that asked can open one. */
const secretOf = ({ credential }: IdempotentRequest, scopeHash: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', credential, scopeHash, 'patchbay idempotent answer', 32));

function sealed(text: string, request: IdempotentRequest, scopeHash: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', secretOf(request, scopeHash), nonce);
  const body = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function opened(answer: Buffer, request: IdempotentRequest, scopeHash: Buffer): string {
  const cipher = createDecipheriv('aes-256-gcm', secretOf(request, scopeHash), answer.subarray(0, nonceBytes));
  cipher.setAuthTag(answer.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([cipher.update(answer.subarray(nonceBytes + tagBytes)), cipher.final()]).toString();
}
