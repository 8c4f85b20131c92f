import { z } from 'zod';
import type { Egress } from '../platform/egress/egress.ts';
import { EgressError } from '../platform/egress/egress-error.ts';
import { ApiError } from '../platform/errors.ts';
import { namePattern, ownerPattern, type RepositoryName } from './repository.ts';

/** GitHub's addresses, and the platform's client there. */
export interface GithubSettings {
  /** Of its pages, such as https://github.com. */
  readonly url: string;
  /** Of its API. Every look-up goes there, whatever a submission says (H04). */
  readonly apiUrl: string;
  /** Null where accounts cannot be linked. */
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  /** Where it sends people back to. */
  readonly redirectUri: string;
}

/** A repository as GitHub knows it, to one of its users. */
export interface GithubRepository extends RepositoryName {
  readonly id: number;
  readonly url: string;
  readonly ownerId: number;
  readonly isAdmin: boolean;
  readonly isPrivate: boolean;
  readonly isFork: boolean;
  readonly isArchived: boolean;
  readonly description: string | null;
  readonly pushedAt: Date;
}

/** GitHub does not take the token any more. */
export class GithubTokenRefused extends Error {
  override name = 'GithubTokenRefused';
}

export type Github = ReturnType<typeof createGithub>;

/** From the call to the last byte. */
const timeoutMs = 5_000;
/** Bytes of a response about a user or a repository. */
const responseBytesMax = 256 * 1024;

const id = z.int().positive();
const User = z.object({ id, login: z.string().min(1).max(100) });
const Repository = z.object({
  id,
  name: z.string().regex(namePattern),
  owner: z.object({ id, login: z.string().regex(ownerPattern) }),
  permissions: z.object({ admin: z.boolean() }).optional(),
  private: z.boolean(),
  fork: z.boolean().default(false),
  archived: z.boolean().default(false),
  description: z.string().nullish(),
  pushed_at: z.iso.datetime({ offset: true }).nullish(),
});

/**
 * GitHub's REST API, as one of its users sees it: over the guarded way out, with a deadline and a bound on each response.
 *
 * @see https://docs.github.com/en/rest
 */
export function createGithub({ egress, settings }: { egress: Pick<Egress, 'request'>; settings: GithubSettings }) {
  /** @throws {GithubTokenRefused} @throws {ApiError} `UNAVAILABLE` where GitHub has no response that could be used. */
  async function ask(token: string, path: string, accept = 'application/vnd.github+json', bytesMax = responseBytesMax) {
    const response = await egress
      .request({
        url: `${settings.apiUrl.replace(/\/$/, '')}${path}`,
        method: 'GET',
        headers: {
          Accept: accept,
          Authorization: `Bearer ${token}`,
          'User-Agent': 'patchbay',
          'X-GitHub-Api-Version': '2022-11-28',
        },
        totalTimeoutMs: timeoutMs,
        responseBytesMax: bytesMax,
        mayRepeat: true,
      })
      .catch((error: unknown) => {
        throw error instanceof EgressError ? unavailable(error) : error;
      });
    if (response.status === 401) throw new GithubTokenRefused();
    // Rejected by a rate limit, or a fault of GitHub: the result is unknown.
    if (response.status === 429 || response.status >= 500 || isRateLimit(response)) throw unavailable();
    return response;
  }

  async function user(token: string): Promise<z.output<typeof User>> {
    return read(User, await ask(token, '/user'));
  }

  /** @returns null where the user sees none of that name; `moved` where it has another name by now. */
  async function repository(
    token: string,
    { owner, name }: RepositoryName,
  ): Promise<GithubRepository | 'moved' | null> {
    return repositoryAt(token, `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`);
  }

  /** The same by its number, which it keeps. */
  async function repositoryById(token: string, repositoryId: bigint): Promise<GithubRepository | 'moved' | null> {
    return repositoryAt(token, `/repositories/${repositoryId}`);
  }

  async function repositoryAt(token: string, path: string): Promise<GithubRepository | 'moved' | null> {
    const response = await ask(token, path);
    if (response.status >= 300 && response.status < 400) return 'moved';
    // 403: blocked by an organisation; 451: by law.
    if (response.status >= 400) return null;
    const found = read(Repository, response);
    return {
      id: found.id,
      owner: found.owner.login,
      name: found.name,
      url: `${settings.url.replace(/\/$/, '')}/${found.owner.login}/${found.name}`,
      ownerId: found.owner.id,
      isAdmin: found.permissions?.admin === true,
      isPrivate: found.private,
      isFork: found.fork,
      isArchived: found.archived,
      description:
        found.description
          ?.toWellFormed()
          .replace(/[\s\p{Cc}]+/gu, ' ')
          .trim() || null,
      pushedAt: new Date(found.pushed_at ?? 0),
    };
  }

  /** A file of the default branch as text; null where there is none, `large` for more than `bytesMax`. */
  async function file(token: string, { owner, name }: RepositoryName, path: string, bytesMax: number) {
    const at = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/contents/${encodeURIComponent(path)}`;
    const response = await ask(token, at, 'application/vnd.github.raw+json', bytesMax);
    if (response.status !== 200) return null;
    return response.isTruncated ? ('large' as const) : { text: response.body.toString('utf8') };
  }

  return { user, repository, repositoryById, file };
}

const isRateLimit = ({ status, headers }: Awaited<ReturnType<Egress['request']>>) =>
  status === 403 && (headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined);

function read<Schema extends z.ZodType>(
  schema: Schema,
  { status, body, isTruncated }: Awaited<ReturnType<Egress['request']>>,
): z.output<Schema> {
  if (status !== 200 || isTruncated) throw unavailable();
  try {
    return schema.parse(JSON.parse(body.toString('utf8')));
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** Errors that are not the caller's fault, and that an immediate retry would not solve. */
const unavailable = (cause?: unknown) =>
  new ApiError('UNAVAILABLE', 'GitHub could not be asked; try again later', { retryAfter: 30, cause });
