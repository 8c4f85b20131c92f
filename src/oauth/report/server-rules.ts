import type { AuthorizationServer } from 'oauth4webapi';
import { chosenMethod } from '../exchanges/client-authentication.ts';
import { hasNoResponse, listOfNames, type Observation, type ServerMetadata } from './observation.ts';
import { advertised, failed, passed, type Rule, status, unknown, url, type Verdict } from './verdict.ts';

type Document = NonNullable<ServerMetadata['found']>;

/** A rule about an existing document; it does not run without one (`stage`). */
const ofDocument =
  (evaluate: (found: Document, issuer: string) => Verdict) =>
  ({ server, issuer }: Observation): Verdict =>
    evaluate(server?.found as Document, issuer as string);

const endpointNames = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
] as const;
const required: ReadonlySet<string> = new Set(['authorization_endpoint', 'token_endpoint']);
const retiredGrants: ReadonlySet<string> = new Set(['implicit', 'password']);
const isTokenType = (type: string) => type.split(' ').includes('token');

/**
 * The metadata of the authorization server.
 *
 * @param isEndpoint Whether a URL may be asked: https, and a public host.
 */
export const serverRules = (isEndpoint: (value: unknown) => boolean): readonly Rule[] => [
  {
    id: 'server_metadata',
    title: 'The authorization server publishes metadata',
    source: 'RFC 8414, 3; OpenID Connect Discovery 1.0, 4',
    severity: 'high',
    stage: 'issuer',
    evaluate({ server, issuer }) {
      if (server?.found) return passed('There is a document', url(server.found.url));
      const places = server?.places ?? [];
      if (places.some(hasNoResponse)) return unknown('Not every place of the document was answered', url(issuer));
      const [first] = places;
      return failed('There is no document', url(issuer), ...(first?.status ? [status(first.status)] : []));
    },
  },
  {
    id: 'server_media_type',
    title: 'The metadata of the authorization server is sent as application/json',
    source: 'RFC 8414, 3.2',
    severity: 'low',
    stage: 'metadata',
    evaluate: ofDocument(({ isJsonType, url: place }) =>
      isJsonType ? passed('Content-Type is right', url(place)) : failed('Content-Type is another', url(place)),
    ),
  },
  {
    id: 'issuer_identical',
    title: 'The issuer is the one that was asked, byte for byte',
    source: 'RFC 8414, 3.3',
    severity: 'high',
    stage: 'metadata',
    evaluate: ofDocument(({ members: { issuer } }, asked) => {
      if (typeof issuer !== 'string') return failed('The member issuer is missing');
      return issuer === asked ? passed('Both are the same', url(issuer)) : failed('It is another', url(issuer));
    }),
  },
  {
    id: 'endpoints_secure',
    title: 'The authorization and token endpoints are there, and all endpoints use https',
    source: 'RFC 8414, 2; RFC 6749, 3.1 and 3.2',
    severity: 'high',
    stage: 'metadata',
    evaluate: ofDocument(({ members }) => {
      for (const name of endpointNames) {
        const value = members[name];
        if (value === undefined && !required.has(name)) continue;
        if (value === undefined) return failed(`The member ${name} is missing`);
        if (!isEndpoint(value)) return failed(`The member ${name} is no https URL of a public host`, url(value));
      }
      return passed('All are https URLs', url(members.token_endpoint));
    }),
  },
  {
    id: 'token_endpoint_place',
    title: 'The token endpoint is on the host of the issuer, or the server promises iss',
    source: 'RFC 9700, 4.4',
    severity: 'medium',
    stage: 'metadata',
    evaluate: ofDocument(({ members }, issuer) => {
      const { token_endpoint: endpoint } = members;
      if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return failed('There is no token endpoint');
      if (new URL(endpoint).origin === new URL(issuer).origin) return passed('It is on that host', url(endpoint));
      return members.authorization_response_iss_parameter_supported === true
        ? passed('It is on another host, and the server promises iss', url(endpoint))
        : failed('It is on another host', url(endpoint));
    }),
  },
  {
    id: 'pkce_s256',
    title: 'PKCE with S256 is advertised',
    source: 'RFC 7636, 4.2; RFC 8414, 2; MCP, Authorization Code Protection',
    severity: 'high',
    stage: 'metadata',
    evaluate: ofDocument((found) => {
      const methods = listOfNames(found, 'code_challenge_methods_supported');
      if (methods === null) return failed('The member code_challenge_methods_supported is missing');
      return methods.includes('S256')
        ? passed('S256 is advertised', advertised(methods))
        : failed('S256 is not advertised', advertised(methods));
    }),
  },
  {
    id: 'pkce_plain',
    title: 'PKCE with plain is not advertised',
    source: 'RFC 9700, 2.1.1',
    severity: 'low',
    stage: 'metadata',
    evaluate: ofDocument((found) => {
      const methods = listOfNames(found, 'code_challenge_methods_supported') ?? [];
      return methods.includes('plain')
        ? failed('plain is advertised', advertised(methods))
        : passed('plain is not advertised');
    }),
  },
  {
    id: 'response_type_code',
    title: 'The response type code is advertised',
    source: 'RFC 8414, 2',
    severity: 'medium',
    stage: 'metadata',
    evaluate: ofDocument((found) => {
      const types = listOfNames(found, 'response_types_supported');
      if (types === null) return failed('The member response_types_supported is missing');
      return types.includes('code')
        ? passed('code is advertised', advertised(types))
        : failed('code is not advertised', advertised(types));
    }),
  },
  {
    id: 'grant_type_code',
    title: 'The grant type authorization_code is supported',
    source: 'RFC 8414, 2',
    severity: 'medium',
    stage: 'metadata',
    evaluate: ofDocument((found) => {
      const types = listOfNames(found, 'grant_types_supported');
      if (types === null) return passed('The member grant_types_supported is left out, whose default has it');
      return types.includes('authorization_code')
        ? passed('authorization_code is advertised', advertised(types))
        : failed('authorization_code is not advertised', advertised(types));
    }),
  },
  {
    id: 'retired_grants',
    title: 'The grants implicit and password are not advertised',
    source: 'RFC 9700, 2.1.2 and 2.4',
    severity: 'low',
    stage: 'metadata',
    evaluate: ofDocument((found) => {
      const grants = (listOfNames(found, 'grant_types_supported') ?? []).filter((name) => retiredGrants.has(name));
      const types = (listOfNames(found, 'response_types_supported') ?? []).filter(isTokenType);
      return grants.length + types.length > 0
        ? failed('Such a grant or its response type is advertised', advertised([...grants, ...types]))
        : passed('No such grant is advertised');
    }),
  },
  {
    id: 'iss_parameter',
    title: 'The server promises iss in its authorization responses',
    source: 'RFC 9207, 3; RFC 9700, 2.1',
    severity: 'medium',
    stage: 'metadata',
    evaluate: ofDocument(({ members }) =>
      members.authorization_response_iss_parameter_supported === true
        ? passed('The member authorization_response_iss_parameter_supported is true')
        : failed('The member authorization_response_iss_parameter_supported is not true'),
    ),
  },
  {
    id: 'client_registration',
    title: 'Clients can register, or be known by a metadata document',
    source: 'RFC 7591, 3; OAuth Client ID Metadata Document, 5',
    severity: 'medium',
    stage: 'metadata',
    evaluate: ofDocument(({ members }) => {
      const kinds = [
        ...(members.client_id_metadata_document_supported === true ? ['metadata_document'] : []),
        ...(typeof members.registration_endpoint === 'string' ? ['dynamic'] : []),
      ];
      return kinds.length > 0
        ? passed('There is a way', advertised(kinds))
        : failed('Neither is advertised: a client has to be configured by hand');
    }),
  },
  {
    id: 'client_authentication',
    title: 'The token endpoint takes an authentication method of the platform',
    source: 'RFC 8414, 2; RFC 6749, 2.3',
    severity: 'medium',
    stage: 'metadata',
    evaluate: ofDocument((found) => {
      const methods = listOfNames(found, 'token_endpoint_auth_methods_supported');
      const metadata = methods === null ? {} : { token_endpoint_auth_methods_supported: [...methods] };
      const method = chosenMethod(metadata as AuthorizationServer);
      const facts = methods === null ? [] : [advertised(methods)];
      return method === null
        ? failed('It takes none of client_secret_basic, client_secret_post and none', ...facts)
        : passed('It takes such a method', ...facts);
    }),
  },
  {
    id: 'revocation_endpoint',
    title: 'Tokens can be revoked',
    source: 'RFC 7009, 2; RFC 8414, 2',
    severity: 'low',
    stage: 'metadata',
    evaluate: ofDocument(({ members: { revocation_endpoint: endpoint } }) =>
      typeof endpoint === 'string'
        ? passed('There is a revocation endpoint', url(endpoint))
        : failed('The member revocation_endpoint is missing'),
    ),
  },
  {
    id: 'server_scopes',
    title: 'The metadata of the authorization server lists scopes',
    source: 'RFC 8414, 2',
    severity: 'low',
    stage: 'metadata',
    evaluate: ofDocument((found) => {
      const scopes = listOfNames(found, 'scopes_supported');
      return scopes && scopes.length > 0
        ? passed('The member scopes_supported is there', advertised(scopes))
        : failed('The member scopes_supported is missing or empty');
    }),
  },
];
