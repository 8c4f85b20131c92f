import { OauthError } from '../exchanges/oauth-error.ts';
import { checkProtectedResource } from '../exchanges/protected-resource.ts';
import { type Found, hasNoResponse, listOfNames, type Observation } from './observation.ts';
import { advertised, failed, passed, type Rule, status, unknown, url, type Verdict } from './verdict.ts';

/** A rule about an existing document; it does not run without one (`stage`). */
const ofDocument =
  (evaluate: (found: Found, observation: Observation) => Verdict) =>
  (observation: Observation): Verdict =>
    evaluate(observation.resource as Found, observation);

/** The metadata of the protected resource. */
export const resourceRules: readonly Rule[] = [
  {
    id: 'resource_metadata',
    title: 'The server publishes protected resource metadata',
    source: 'RFC 9728, 3',
    severity: 'high',
    stage: 'challenge',
    evaluate({ resource, resourcePlaces }) {
      if (resource) return passed('There is a document', url(resource.url));
      if (resourcePlaces.some(hasNoResponse)) return unknown('Not every place of the document was answered');
      return failed('There is no document at any of its places');
    },
  },
  {
    id: 'resource_well_known',
    title: 'The metadata lies at the well-known path of the server',
    source: 'RFC 9728, 3.1',
    severity: 'low',
    stage: 'resource',
    evaluate({ resourcePlaces }) {
      const place = resourcePlaces.find(({ isOfPath }) => isOfPath);
      if (place?.hasDocument) return passed('There is a document', url(place.url));
      if (!place || hasNoResponse(place)) return unknown('The well-known path was not answered', url(place?.url));
      return failed('There is no document', url(place.url), status(place.status ?? 0));
    },
  },
  {
    id: 'resource_media_type',
    title: 'The metadata is sent as application/json',
    source: 'RFC 9728, 3.2',
    severity: 'low',
    stage: 'resource',
    evaluate: ofDocument(({ isJsonType, url: place }) =>
      isJsonType ? passed('Content-Type is right', url(place)) : failed('Content-Type is another', url(place)),
    ),
  },
  {
    id: 'resource_identifier',
    title: 'The metadata is of this server',
    source: 'RFC 9728, 3.3',
    severity: 'high',
    stage: 'resource',
    evaluate: ofDocument(({ members, url: place }, { url: server }) => {
      const { resource } = members;
      if (typeof resource !== 'string') return failed('The member resource is missing');
      try {
        checkProtectedResource({ resource, authorization_servers: ['https://any.example'] }, place, server);
      } catch (error) {
        if (!(error instanceof OauthError)) throw error;
        return failed('The member resource names another server', url(resource));
      }
      return passed('The member resource names the server', url(resource));
    }),
  },
  {
    id: 'authorization_servers',
    title: 'The metadata names authorization servers, each by an https URL',
    source: 'RFC 9728, 2',
    severity: 'high',
    stage: 'resource',
    evaluate: ofDocument((found, { server }) => {
      const [first, ...rest] = listOfNames(found, 'authorization_servers') ?? [];
      if (first === undefined) return failed('The member authorization_servers is missing or empty');
      const isWeb = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
      if (!isWeb(first) || !rest.every(isWeb) || !server?.isSecure)
        return failed('An authorization server is named by something else', url(first));
      return passed('All are named by https URLs', url(first));
    }),
  },
  {
    id: 'token_in_header',
    title: 'Tokens are asked for in the header, and not in the URL',
    source: 'RFC 6750, 2.3; MCP, Token Requirements',
    severity: 'medium',
    stage: 'resource',
    evaluate: ofDocument((found) => {
      const methods = listOfNames(found, 'bearer_methods_supported');
      if (methods === null) return passed('The member bearer_methods_supported is left out');
      if (methods.includes('query')) return failed('Tokens in the URL are advertised', advertised(methods));
      if (!methods.includes('header')) return failed('Tokens in the header are not advertised', advertised(methods));
      return passed('Tokens in the URL are not advertised', advertised(methods));
    }),
  },
  {
    id: 'resource_scopes',
    title: 'The metadata lists scopes',
    source: 'RFC 9728, 2',
    severity: 'low',
    stage: 'resource',
    evaluate: ofDocument((found) => {
      const scopes = listOfNames(found, 'scopes_supported');
      return scopes && scopes.length > 0
        ? passed('The member scopes_supported is there', advertised(scopes))
        : failed('The member scopes_supported is missing or empty');
    }),
  },
];
