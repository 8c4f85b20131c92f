import { securityEvents, type SecurityEventType as Type } from '../../src/oauth/index.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, listed, rowColumns } from '../connection.ts';
import { enumColumn, enumOf } from '../enum.ts';
import { optional, optionalUuid } from '../optional.ts';
import { query } from '../query.ts';

const descriptions: Record<Type, string> = {
  session_authorized: 'A server or provider was authorized.',
  session_revoked: 'A session was revoked by its owner.',
  authorization_denied: 'The user denied the authorization.',
  client_registered: 'The platform registered a client at an authorization server.',
  client_configured: 'The owner of a server set or removed a client.',
  exceptions_changed: 'The owner of a server changed the exceptions from the checks.',
  refresh_refused: 'The authorization server ended the authorization.',
  issuer_mismatch: 'A callback came from an authorization server other than the expected one.',
  integrity_violation: 'Stored data failed its integrity check.',
  code_injection: 'Another user returned with the state of an authorization.',
  token_reuse: 'A refresh token was used twice; all tokens of the server were revoked.',
};

const SecurityEventType = builder.enumType('OauthSecurityEventType', {
  description: 'Type of a security event.',
  values: Object.fromEntries(
    (Object.keys(securityEvents) as Type[]).map((value) => [
      value.toUpperCase(),
      { value, description: descriptions[value] },
    ]),
  ) as Record<Uppercase<Type>, { value: Type; description: string }>,
});

const SecurityEventSeverity = enumOf('OauthSecurityEventSeverity', 'Severity of a security event.', {
  low: 'An ordinary operation.',
  medium: 'The owner should know about it.',
  high: 'An attack is possible.',
  critical: 'An attack or damaged data; the platform has rejected it.',
});

const SecurityEventOutcomeRef = enumOf(
  'OauthSecurityEventOutcome',
  'Outcome of the operation behind a security event.',
  { succeeded: 'The operation succeeded.', refused: 'The operation was rejected.', failed: 'The operation failed.' },
);

const OauthSecurityEvent = builder.prismaObject('OauthSecurityEvent', {
  description: 'An entry of the audit log of your tokens. Entries are never changed, and kept for a year.',
  select: rowColumns,
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID of the event.' }),
    type: t.field(enumColumn('type', { type: SecurityEventType, description: 'Type of the event.' })),
    severity: t.field(enumColumn('severity', { type: SecurityEventSeverity, description: 'Severity of the event.' })),
    outcome: t.field(
      enumColumn('outcome', { type: SecurityEventOutcomeRef, description: 'Outcome of the operation.' }),
    ),
    actorUuid: t.expose('actorUuid', optionalUuid('UUID of the user who caused it; null for the platform.')),
    serverUuid: t.expose('serverUuid', optionalUuid('UUID of the MCP server.')),
    sessionUuid: t.expose('sessionUuid', optionalUuid('UUID of the OAuth session.')),
    requestId: t.exposeString('requestId', optional('Id of the request (`X-Request-Id`); null for scheduled work.')),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of the event.' }),
  }),
});

const OauthSecurityEventConnection = connectionType(
  'OauthSecurityEvent',
  OauthSecurityEvent,
  'A page of security events, the newest first.',
);

query('oauthSecurityEvents', {
  type: OauthSecurityEventConnection,
  description: 'The security events of the tokens of your profile, the newest first.',
  args: () => connectionArgs(),
  extensions: { rateLimit: 'general' },
  resolve: (_root, args, context, info) =>
    listed(context.services.oauth.securityEvents, 'OauthSecurityEvent', args, context, info),
});
