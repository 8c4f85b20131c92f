import type { z } from 'zod';
import type { ApiKey, Prisma } from '../../prisma/generated/client/client.ts';
import { authorize, type Caller, type Principal, type Scope, type Tier } from '../platform/caller.ts';
import { ApiError } from '../platform/errors.ts';
import { isUuid, parse } from '../platform/input/input.ts';
import { byAge, ConnectionRequest, keysetQuery, uuidIn } from '../platform/input/keyset.ts';
import { createListing } from '../platform/input/listing.ts';
import type { Platform } from '../platform/platform.ts';
import { apiKeyPrefix, isApiKey, newApiKey } from './api-key-format.ts';
import { ApiKeyFilter, NewApiKey, PageRequest } from './input.ts';
import { profileNotFound, profilesOf } from './profiles.ts';
import { secretHash } from './secret-hash.ts';
import { type Verification, VerifiedKeys } from './verified-keys.ts';

/** Keys that work, per profile. */
export const liveKeysMax = 200;
/** Revoked and expired keys of a profile that are kept for the list; the oldest go first. */
export const deadKeysMax = 200;
const lifetimeYearsMax = 10;
const usedAtPrecisionMs = 60_000;

/** An API key as others than this file see it. */
export type ApiKeyRecord = Omit<ApiKey, 'keyHash'>;
export type ApiKeyShape = Pick<Prisma.ApiKeyFindManyArgs, 'select' | 'include' | 'omit'>;

const withoutHash = { omit: { keyHash: true } } as const;

export type ApiKeyState = 'active' | 'expired' | 'revoked';

/** The keys of the profiles that a principal may see. */
const apiKeysOf = (principal: Principal) => ({ profile: profilesOf(principal) }) satisfies Prisma.ApiKeyWhereInput;

const working = (now: Date) =>
  ({ revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }) satisfies Prisma.ApiKeyWhereInput;

interface KeyRow {
  uuid: string;
  scopes: Scope[];
  channel: 'sdk' | 'mcp';
  last_used_at: Date | null;
  now: Date;
  expires_at: Date | null;
  profile_uuid: string;
  project_uuid: string;
  user_uuid: string;
  is_admin: boolean;
  tier: Tier;
}

const verifyText = `SELECT k.uuid, k.scopes, k.channel, k.last_used_at, k.expires_at, coalesce($2, clock_timestamp()) AS now,
    p.uuid AS profile_uuid, j.uuid AS project_uuid, u.uuid AS user_uuid, u.is_admin, j.tier
  FROM api_keys k
    JOIN profiles p ON p.uuid = k.profile_uuid
    JOIN projects j ON j.uuid = p.project_uuid
    JOIN users u ON u.uuid = j.user_uuid
  WHERE k.key_hash = $1 AND k.revoked_at IS NULL AND u.disabled_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > coalesce($2, clock_timestamp()))`;

export type ApiKeys = ReturnType<typeof createApiKeys>;

/** Secrets by which programs act as a profile. Source: docs/specification/identity.md#api-keys. */
export function createApiKeys({ database, clock }: Pick<Platform, 'database' | 'clock'>) {
  const { prisma } = database;
  /** When this process last tried to write a key's time of use, in milliseconds: a failing write is not tried per request. */
  const usedAtWrites = new Map<string, number>();

  const verifiedKeys = new VerifiedKeys();

  /**
   * The principal of an API key: its profile. One indexed read, at most one in 0.9 seconds for each key; none for text
   * without a valid checksum.
   *
   * @returns null for an unknown, revoked or expired key (it ends exactly at `expiresAt`), and for the key of a
   * disabled user. Administration requires the scope `admin`.
   */
  function verify(secret: string): Promise<Principal | null> {
    if (!isApiKey(secret)) return Promise.resolve(null);
    const hash = secretHash(secret);
    // Where time is pinned, real seconds say nothing about what still holds.
    if (clock.pinned() !== null) return verifyNow(hash).then((found) => found?.principal ?? null);
    return verifiedKeys.principalOf(hash.toString('latin1'), () => verifyNow(hash));
  }

  async function verifyNow(hash: Buffer): Promise<Verification | null> {
    const [row] = await database.read<KeyRow>({
      name: 'auth_api_key_verify',
      text: verifyText,
      values: [hash, clock.pinned()],
    });
    if (row === undefined) return null;
    noteUse(row);
    const scopes = new Set(row.scopes);
    const principal: Principal = {
      kind: 'key',
      credentialUuid: row.uuid,
      userUuid: row.user_uuid,
      projectUuid: row.project_uuid,
      profileUuid: row.profile_uuid,
      scopes,
      source: row.channel,
      isAdmin: row.is_admin && scopes.has('admin'),
      tier: row.tier,
    };
    return { principal, lastsMs: row.expires_at && row.expires_at.getTime() - row.now.getTime() };
  }

  /** Writes the time of use, at most once a minute and behind the request's back. */
  function noteUse({ uuid, last_used_at: lastUsedAt, now }: KeyRow): void {
    const latest = Math.max(lastUsedAt?.getTime() ?? Number.NEGATIVE_INFINITY, usedAtWrites.get(uuid) ?? 0);
    if (now.getTime() - latest < usedAtPrecisionMs) return;
    if (usedAtWrites.size >= 10_000) usedAtWrites.clear();
    usedAtWrites.set(uuid, now.getTime());
    const statement = {
      name: 'auth_api_key_used',
      text: `UPDATE api_keys SET last_used_at = $2
        WHERE uuid = $1 AND (last_used_at IS NULL OR last_used_at <= $2::timestamptz - interval '1 minute')`,
      values: [uuid, now],
    };
    database
      .query(statement)
      .catch((error: unknown) => database.report(error, "an API key's time of use was not written"));
  }

  /** Whether a key works now. At the very instant of `expiresAt` it no longer does. */
  function state({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>): ApiKeyState {
    if (revokedAt !== null) return 'revoked';
    return expiresAt !== null && expiresAt <= clock.now() ? 'expired' : 'active';
  }

  /** Which API keys the caller may see, for relations that lead to keys. */
  function visible(caller: Caller): Prisma.ApiKeyWhereInput {
    return apiKeysOf(authorize(caller, 'api-keys:read'));
  }

  /** The query that reads a page of a profile's keys together with the profile, restricted to keys that the caller may see. */
  function related(caller: Caller, input: z.input<typeof ConnectionRequest>) {
    const visible = apiKeysOf(authorize(caller, 'api-keys:read'));
    const { where, ...keyset } = keysetQuery(parse(ConnectionRequest, input), 'desc');
    return { where: { AND: [visible, where] }, ...keyset };
  }

  /**
   * The keys of a profile (the caller's own by default), the newest first, including revoked and expired ones.
   *
   * @throws {ApiError} `NOT_FOUND` for a profile that the caller cannot see.
   */
  const { connection, count, page } = createListing<'apiKeys', ApiKeyRecord, ApiKeyShape, z.input<typeof ApiKeyFilter>>(
    {
      table: prisma.apiKey,
      action: 'api-keys:read',
      direction: 'desc',
      filter: async (principal, input) => ({
        profileUuid: await profileFor(principal, parse(ApiKeyFilter, input).profileUuid),
      }),
      columns: withoutHash,
      rows: 'apiKeys',
      pages: PageRequest,
    },
  );

  /**
   * Creates a key of a profile, the caller's own by default.
   *
   * @param input.scopes `read` and `write` by default. A key cannot grant scopes that it does not have.
   * @param input.channel `sdk` (default) or `mcp`: the `source` of the entries that the key writes.
   * @param input.expiresAt In the future, at most ten years away; never by default.
   * @returns The key's record, and the secret, which is shown only here and not stored.
   * @throws {ApiError} `FORBIDDEN` for a key without the scope `admin` or without one of `scopes`; `VALIDATION_ERROR`;
   * `NOT_FOUND` for a profile that the caller cannot see; `CONFLICT` over 200 working keys of the profile.
   */
  async function create(
    caller: Caller,
    input: z.input<typeof NewApiKey>,
    query: ApiKeyShape = withoutHash,
  ): Promise<{ apiKey: ApiKeyRecord; secret: string }> {
    const principal = authorize(caller, 'api-keys:write');
    const { profileUuid: asked, name, scopes, channel, expiresAt = null } = parse(NewApiKey, input, mistakesOf);
    const missing = scopes.find((scope) => !principal.scopes.has(scope));
    if (missing) throw new ApiError('FORBIDDEN', `Cannot grant scope "${missing}": your key does not have it`);
    const now = clock.now();
    const profileUuid = await profileFor(principal, asked);
    const secret = newApiKey();
    const row = { prefix: apiKeyPrefix(secret), keyHash: secretHash(secret), createdAt: now };
    const apiKey = await prisma.$transaction(async (tx) => {
      // The count runs under the lock, so that two at once cannot both take the last free place.
      const locked = await tx.$queryRaw<unknown[]>`SELECT 1 FROM profiles
        WHERE uuid = ${profileUuid}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`;
      if (locked.length === 0) throw profileNotFound();
      if ((await tx.apiKey.count({ where: { profileUuid, ...working(now) } })) >= liveKeysMax)
        throw new ApiError('CONFLICT', `A profile can have at most ${liveKeysMax} working API keys`);
      const surplus = await tx.apiKey.findMany({
        where: { profileUuid, NOT: working(now) },
        orderBy: byAge('desc'),
        skip: deadKeysMax,
        select: { uuid: true },
      });
      if (surplus.length > 0) await tx.apiKey.deleteMany({ where: { uuid: { in: surplus.map(({ uuid }) => uuid) } } });
      return tx.apiKey.create({ ...query, data: { profileUuid, name, scopes, channel, expiresAt, ...row } });
    });
    return { apiKey, secret };
  }

  /**
   * Ends a key for good: every request that comes after the response is refused, in every process. Idempotent: a key that
   * is revoked already keeps its first `revokedAt`.
   *
   * @throws {ApiError} `FORBIDDEN` for a key without the scope `admin`; `NOT_FOUND` for another user's key.
   */
  async function revoke(
    caller: Caller,
    input: { uuid: string },
    query: ApiKeyShape = withoutHash,
  ): Promise<ApiKeyRecord> {
    const principal = authorize(caller, 'api-keys:write');
    const where = { uuid: input.uuid, ...apiKeysOf(principal) };
    if (isUuid(input.uuid)) {
      await prisma.apiKey.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt: clock.now() } });
      verifiedKeys.clear();
      const apiKey = await prisma.apiKey.findFirst({ ...query, where });
      if (apiKey !== null) return apiKey;
    }
    throw new ApiError('NOT_FOUND', 'API key not found');
  }

  /** The errors in fields of a new key that its schema cannot express. */
  function mistakesOf({ expiresAt }: Partial<z.output<typeof NewApiKey>>) {
    return { expiresAt: expiresAt ? expiryMistake(expiresAt, clock.now()) : undefined };
  }

  /** @throws {ApiError} `NOT_FOUND` for a profile that the principal cannot see. */
  async function profileFor(principal: Principal, asked: string | null | undefined): Promise<string> {
    if ((asked ?? null) === null) return principal.profileUuid;
    return uuidIn(prisma.profile, asked, profilesOf(principal), profileNotFound);
  }

  /** Queries the database for every key, also for those that were verified in the last second. */
  function forgetVerified(): void {
    verifiedKeys.clear();
  }

  return { mistakesOf, verify, forgetVerified, state, visible, related, connection, count, page, create, revoke };
}

/** The message for an instant in the past and for one that is over ten years away. */
function expiryMistake(expiresAt: Date, now: Date): string | undefined {
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + lifetimeYearsMax);
  if (expiresAt > now && expiresAt <= latest) return undefined;
  return `expiresAt must be in the future, at most ${lifetimeYearsMax} years away`;
}
