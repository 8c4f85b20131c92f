import { type SealedColumn, sealedColumn } from '../platform/security/sealed-columns.ts';
import { clientSecretContext, tokenContext } from './sealed-tokens.ts';
import { verifierContext } from './states.ts';

/** A session or state of a configured provider has no server: the column is null there. */
type MaybeServer = string | null;

export const oauthSealedColumns: readonly SealedColumn[] = [
  ...(['access_token', 'refresh_token'] as const).map((column) =>
    sealedColumn({
      table: 'oauth_sessions',
      column,
      key: { uuid: 'uuid' },
      contextColumns: ['user_uuid', 'server_uuid'],
      context: ({ uuid: sessionUuid, user_uuid: userUuid, server_uuid }) =>
        tokenContext({ userUuid, serverUuid: server_uuid as MaybeServer, sessionUuid }, column),
    }),
  ),
  sealedColumn({
    table: 'oauth_clients',
    column: 'client_secret',
    key: { uuid: 'uuid' },
    contextColumns: ['user_uuid', 'server_uuid'],
    context: ({ uuid, user_uuid, server_uuid }) => clientSecretContext(user_uuid, server_uuid, uuid),
  }),
  sealedColumn({
    table: 'oauth_pkce_states',
    column: 'verifier',
    key: { state_hash: 'bytea' },
    contextColumns: ['user_uuid', 'server_uuid'],
    context: ({ user_uuid, server_uuid }) => verifierContext(user_uuid, server_uuid as MaybeServer),
  }),
];
