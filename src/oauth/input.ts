import { z } from 'zod';
import { isUuid, label, listOf, storableText, trueOrFalse, upTo } from '../platform/input/input.ts';

/** A scope token. Source: RFC 6749, 3.3. */
const scopeToken = z
  .string({ error: 'scopes must be a list of strings' })
  .min(1, 'each of scopes must not be empty')
  .max(256, 'each of scopes must be at most 256 characters')
  .refine(
    upTo(256, (text) => /^[\x21\x23-\x5b\x5d-\x7e]*$/.test(text)),
    'each of scopes must be printable ASCII without spaces, quotes and backslashes',
  );

/** Source: docs/specification/oauth.md#initiate. */
const serverUuid = z
  .string({
    error: ({ input }) => (input === undefined ? 'serverUuid is required' : 'serverUuid must be a string'),
  })
  .refine(isUuid, 'serverUuid must be a UUID')
  .transform((uuid) => uuid.toLowerCase())
  .describe('UUID of an MCP server of yours.');

/** Where the authorization server sends the browser back to. Source: docs/specification/oauth.md#initiate. */
export const callbackPath = '/api/oauth/callback';

export const FlowStart = z.object({
  serverUuid,
  redirectUri: z
    .string({ error: 'redirectUri must be a string' })
    .refine((uri) => uri === callbackPath, `redirectUri must be ${callbackPath}`)
    .meta({ const: callbackPath })
    .nullish()
    .describe(`Path of the callback. Only \`${callbackPath}\`, the default, is allowed.`),
});

export const RefreshCall = z.object({ serverUuid });

/** The query of the callback. Everything is optional, because the outcome of a wrong one is a redirect. */
export const FlowCallback = z.object({
  state: z.string().nullish(),
  code: z.string().nullish(),
  error: z.string().nullish(),
  iss: z.string().nullish(),
});

const isLoopback = (hostname: string) => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** https, or http on loopback; without a fragment and user information. Source: docs/specification/oauth.md#redirect-uris; RFC 8252, 7.3. */
function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text) || /[\s\\]/.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '' || text.includes('#')) return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

export const NewSession = z.object({
  provider: label('provider', 255).describe(
    'Name of a provider that the operator has configured, or UUID or slug of an MCP server of yours.',
  ),
  redirect_uri: storableText('redirect_uri')
    .max(2_048, { error: 'redirect_uri must be at most 2048 characters', abort: true })
    .refine(isRedirectUri, 'redirect_uri must be an https URL, or an http URL on loopback, without a fragment')
    .describe('URL to which the authorization server redirects the browser: https, or http on loopback.'),
  scopes: listOf('scopes', scopeToken, { of: 'strings', max: 100 })
    .nullish()
    .describe('Scopes to request; by default those that the provider or the server names.'),
});

const required = (field: string, max: number) =>
  z
    .string({ error: ({ input }) => (input === undefined ? `${field} is required` : `${field} must be a string`) })
    .min(1, `${field} is required`)
    .max(max, `${field} must be at most ${max} characters`);

export const SessionCallback = z.object({
  session_id: required('session_id', 255).describe(
    'The `session_id` from the response to POST /api/mcp/oauth/session.',
  ),
  code: required('code', 4_096).describe('The `code` of the redirect.'),
  state: required('state', 200).describe('The `state` of the redirect.'),
  iss: z
    .string({ error: 'iss must be a string' })
    .max(2_048, 'iss must be at most 2048 characters')
    .nullish()
    .describe('The `iss` of the redirect, where it has one (RFC 9207).'),
});

/** The server whose authorization is to be checked. */
export const ReportRequest = z.object({ serverUuid });

/** A client that the owner of a server has registered by hand, and what the owner lets pass. */
export const ServerSettings = z.object({
  serverUuid,
  client: z
    .object({
      issuer: label('issuer', 2_048),
      clientId: label('clientId', 512),
      clientSecret: label('clientSecret', 2_048).nullish(),
      authenticationMethod: z.enum(['client_secret_basic', 'client_secret_post']).nullish(),
    })
    .nullish(),
  removesClient: trueOrFalse('removesClient').nullish(),
  allowsOtherIssuer: trueOrFalse('allowsOtherIssuer').nullish(),
  omitsResource: trueOrFalse('omitsResource').nullish(),
  omitsReport: trueOrFalse('omitsReport').nullish(),
});
