import type { Challenge } from '../exchanges/challenge.ts';
import type { DiscoveryMethod } from '../exchanges/observations.ts';

/** The responses of a server and its authorization server to requests without authorization, reduced to bounded facts. */
export interface Observation {
  readonly url: string;
  /** Whether the url may be asked at all: https, and a public host. */
  readonly isSecure: boolean;
  /** Null where the server did not answer. */
  readonly probe: Probe | null;
  /** In the order of the requests; empty if the server did not respond. */
  readonly resourcePlaces: readonly (Place & { readonly isOfPath: boolean })[];
  /** Of the first place that has a document. */
  readonly resource: Found | null;
  /** The first authorization server that the resource names; null for none. */
  readonly issuer: string | null;
  readonly server: ServerMetadata | null;
}

/** The response to a first request. */
export interface Probe {
  readonly status: number;
  readonly challenge: Challenge | null;
  readonly hasChallengeHeader: boolean;
  readonly cacheControl: string | null;
}

/** A place where a document may lie. */
export interface Place {
  readonly url: string;
  /** Whether it may be asked: https, and a public host. */
  readonly isSecure: boolean;
  /** Null where nothing was answered. */
  readonly status: number | null;
  readonly hasDocument: boolean;
}

/** Whether a place may have a document that could not be read. */
export const hasNoResponse = ({ isSecure, status }: Place): boolean => isSecure && (status === null || status >= 500);

export interface Found {
  readonly url: string;
  readonly isJsonType: boolean;
  readonly members: Members;
}

/** The metadata of an authorization server. */
export interface ServerMetadata {
  /** Whether the issuer is a URL that may be asked. */
  readonly isSecure: boolean;
  readonly places: readonly Place[];
  readonly found: (Found & { readonly method: DiscoveryMethod }) | null;
}

/** Members of a metadata document: those of a closed list, of a bounded size. */
export type Members = Readonly<Record<string, string | boolean | readonly string[]>>;

const memberNames = [
  // RFC 9728, 2.
  'resource',
  'authorization_servers',
  'bearer_methods_supported',
  'scopes_supported',
  // RFC 8414, 2.
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'response_types_supported',
  'grant_types_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  // RFC 9207, 3.
  'authorization_response_iss_parameter_supported',
  // OAuth Client ID Metadata Document, 5.
  'client_id_metadata_document_supported',
] as const;
const textMax = 2_048;
const itemsMax = 100;

/** The members that rules look at. Longer texts are left out, and longer lists are cut: no server of the world has them. */
export function membersOf(document: Record<string, unknown>): Members {
  const members: Record<string, string | boolean | readonly string[]> = {};
  for (const name of memberNames) {
    const value = document[name];
    if (typeof value === 'boolean' || isText(value)) members[name] = value;
    else if (Array.isArray(value)) members[name] = value.slice(0, itemsMax).filter(isText);
  }
  return members;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= textMax;

/** A list of names; null where the document has none. */
export function listOfNames({ members }: Pick<Found, 'members'>, name: (typeof memberNames)[number]) {
  const value = members[name];
  return Array.isArray(value) ? (value as readonly string[]) : null;
}
