import { authorizationServerCandidates } from '../exchanges/authorization-server.ts';
import { readChallenge } from '../exchanges/challenge.ts';
import { initialize } from '../exchanges/discovery.ts';
import type { MetadataCache } from '../exchanges/metadata-cache.ts';
import type { Candidate } from '../exchanges/metadata-documents.ts';
import { OauthError } from '../exchanges/oauth-error.ts';
import { resourceCandidates } from '../exchanges/protected-resource.ts';
import { jsonObjectOf, type Requests } from '../exchanges/requests.ts';
import { type Found, membersOf, type Observation, type Place, type Probe, type ServerMetadata } from './observation.ts';

/** How many characters of `Cache-Control` are looked at. */
const headerMax = 500;

/**
 * Observes a server and its authorization server without a consent: at most two requests to the server, three for its
 * metadata and three for that of the authorization server, all without a credential. No client is registered and no
 * flow is started.
 *
 * @param cache Responses of authorization servers: servers that share one do not request it again.
 */
export function createObserve({ requests, cache }: { requests: Requests; cache: MetadataCache }) {
  /**
   * @param request.endsAt When no more is asked: a time of `performance.now()`.
   * @param request.isFresh Whether authorization servers are asked although the cache has their response.
   */
  return async function observe(
    url: string,
    { endsAt, isFresh }: { endsAt: number; isFresh: boolean },
  ): Promise<Observation> {
    const isSecure = requests.isEndpoint(url);
    const probe = isSecure ? await probed(url, endsAt) : null;
    const nothing = { resourcePlaces: [], resource: null, issuer: null, server: null };
    if (probe === null) return { url, isSecure, probe, ...nothing };
    const { places: resourcePlaces, found: resource } = await readResource(url, probe, endsAt);
    const [issuer = null] = (resource?.members.authorization_servers as readonly string[] | undefined) ?? [];
    const server = issuer === null ? null : await readServer(issuer, endsAt, isFresh);
    return { url, isSecure, probe, resourcePlaces, resource, issuer, server };
  };

  /** As a client begins, by POST; a server of the transport "HTTP with SSE" is opened by GET. */
  async function probed(url: string, endsAt: number): Promise<Probe | null> {
    const post = {
      endsAt,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: initialize,
    } as const;
    const get = { endsAt, method: 'GET', headers: { accept: 'text/event-stream' } } as const;
    return orNull(async () => {
      let response = await requests.ask(url, post);
      if (response.status === 404 || response.status === 405) response = await requests.ask(url, get);
      const header = textOf(response.headers['www-authenticate']);
      const isRefused = response.status === 401 || response.status === 403;
      return {
        status: response.status,
        challenge: isRefused ? readChallenge(header) : null,
        hasChallengeHeader: header !== null,
        cacheControl: textOf(response.headers['cache-control'])?.slice(0, headerMax) ?? null,
      };
    });
  }

  /** The place that the challenge names, the well-known path of the server, and that of its host where neither has a document. */
  async function readResource(url: string, { challenge }: Probe, endsAt: number) {
    const places: Observation['resourcePlaces'][number][] = [];
    const named = challenge?.resourceMetadata ?? null;
    const ofPath = resourceCandidates(url, null)[0]?.url;
    let found: Found | null = null;
    for (const candidate of resourceCandidates(url, named)) {
      const isOfPath = candidate.url === ofPath;
      if (found !== null && !isOfPath) continue;
      const { place, document } = await read(candidate, endsAt);
      places.push({ ...place, isOfPath });
      found ??= document;
    }
    return { places, found };
  }

  async function readServer(issuer: string, endsAt: number, isFresh: boolean): Promise<ServerMetadata> {
    const known = isFresh ? undefined : cache.get<ServerMetadata>(issuer);
    if (known !== undefined) return known;
    let candidates: readonly Candidate[];
    try {
      candidates = authorizationServerCandidates(issuer, requests.isEndpoint);
    } catch (error) {
      if (!(error instanceof OauthError)) throw error;
      return { isSecure: error.reason !== 'insecure_endpoint', places: [], found: null };
    }
    const places: Place[] = [];
    for (const candidate of candidates) {
      const { place, document } = await read(candidate, endsAt);
      places.push(place);
      if (document === null) continue;
      const metadata = { isSecure: true, places, found: { ...document, method: candidate.method } };
      cache.set(issuer, metadata);
      return metadata;
    }
    return { isSecure: true, places, found: null };
  }

  async function read({ url }: Candidate, endsAt: number): Promise<{ place: Place; document: Found | null }> {
    const response = await orNull(() => requests.get(url, endsAt));
    const members = response?.status === 200 ? jsonObjectOf(response) : null;
    const type = textOf(response?.headers['content-type']) ?? '';
    return {
      place: {
        url,
        isSecure: requests.isEndpoint(url),
        status: response?.status ?? null,
        hasDocument: members !== null,
      },
      document: members && {
        url,
        isJsonType: /^application\/json\s*(;|$)/i.test(type.slice(0, headerMax)),
        members: membersOf(members),
      },
    };
  }
}

/** Null for a request without an response. */
async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof OauthError) return null;
    throw error;
  }
}

const textOf = (header: string | string[] | undefined): string | null =>
  Array.isArray(header) ? header.join(', ') : (header ?? null);
