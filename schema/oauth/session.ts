import { listedMax, type SessionChange } from '../../src/oauth/index.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, listed, rowQuery } from '../connection.ts';
import { enumOf } from '../enum.ts';
import { optional, optionalTime, optionalUuid } from '../optional.ts';
import { query } from '../query.ts';
import { ownRow } from '../row.ts';

const OauthSessionStatus = enumOf('OauthSessionStatus', 'Status of an OAuth session.', {
  pending: 'The user has not returned from the authorization server.',
  active: 'The platform holds tokens.',
  expired: 'The tokens or the pending authorization have expired, or the authorization server has ended them.',
  revoked: 'The tokens were revoked.',
});

export const OauthSession = builder.prismaNode('OauthSession', {
  description: 'An authorization at an authorization server, whose tokens the platform keeps encrypted.',
  ...ownRow(({ caller, services }) => services.oauth.sessions.visible(caller)),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, as the REST API shows it.' }),
    provider: t.exposeString('provider', {
      description: 'Name of the configured provider, else the slug of the MCP server.',
    }),
    serverUuid: t.expose('serverUuid', optionalUuid('UUID of the MCP server; null for a configured provider.')),
    status: t.field({
      type: OauthSessionStatus,
      description: 'Status of the session.',
      select: { status: true, expiresAt: true, canRefresh: true },
      resolve: (session, _args, { services }) => services.oauth.sessions.statusOf(session),
    }),
    issuer: t.exposeString('issuer', { description: 'Issuer of the authorization server.' }),
    scopes: t.exposeStringList('scopes', {
      description: 'The granted scopes; for a pending session the requested ones.',
    }),
    canRefresh: t.exposeBoolean('canRefresh', { description: 'Whether the platform holds a refresh token.' }),
    error: t.exposeString('error', optional('Reason why the session ended, or why the last refresh failed.')),
    failures: t.exposeInt('failures', { description: 'Number of refreshes that failed in a row.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
    lastUsedAt: t.expose('lastUsedAt', optionalTime('Time of the last request with the access token, to the minute.')),
    expiresAt: t.expose(
      'expiresAt',
      optionalTime(
        'Expiry of the access token; for a pending session the expiry of its state. Null if it is not known.',
      ),
    ),
    endedAt: t.expose('endedAt', optionalTime('Time at which the session ended.')),
  }),
});

const OauthSessionConnection = connectionType('OauthSession', OauthSession, 'A page of sessions, the newest first.');

query('oauthSessions', {
  type: OauthSessionConnection,
  description: 'The OAuth sessions of your profile, the newest first. Ended sessions are kept for 30 days.',
  args: () => connectionArgs(),
  extensions: { rateLimit: 'general' },
  resolve: (_root, args, context, info) => listed(context.services.oauth.sessions, 'OauthSession', args, context, info),
});

query('oauthSessionList', {
  type: [OauthSession],
  description: 'All OAuth sessions of your profile, at most 1 000, as in GET /api/mcp/oauth/session.',
  extensions: { rateLimit: 'general', defaultLength: listedMax },
  resolve: (_root, _args, context, info) =>
    context.services.oauth.sessions.list(context.caller, rowQuery(context, info, 'OauthSession')),
});

query('oauthSession', {
  type: OauthSession,
  nullable: true,
  description: 'One of your OAuth sessions.',
  args: (arg) => ({ uuid: arg.string({ required: true, description: 'UUID of the session.' }) }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, { uuid }, context, info) =>
    context.services.oauth.sessions.find(context.caller, uuid, rowQuery(context, info, 'OauthSession')),
});

const Change = builder.objectRef<SessionChange>('OauthSessionChange').implement({
  description: 'A change of an OAuth session.',
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID of the session.' }),
    status: t.expose('status', { type: OauthSessionStatus, description: 'Status after the change.' }),
  }),
});

builder.subscriptionField('oauthSessionChanged', (t) =>
  t.field({
    type: Change,
    description: 'Every OAuth session of your profile that is created, authorized, refreshed or ended.',
    extensions: { rateLimit: 'general', sharesResults: true },
    subscribe: (_root, _args, { caller, services }) => services.oauth.watch.changes(caller),
    resolve: (change) => change,
  }),
);
