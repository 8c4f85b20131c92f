import { type SealedColumn, sealedColumn } from '../platform/security/sealed-columns.ts';

export const tokenContext = (userUuid: string): string => `github account ${userUuid} token`;
export const verifierContext = (userUuid: string): string => `github link ${userUuid} verifier`;

export const registrySealedColumns: readonly SealedColumn[] = [
  sealedColumn({
    table: 'github_accounts',
    column: 'token',
    key: { user_uuid: 'uuid' },
    context: ({ user_uuid: userUuid }) => tokenContext(userUuid),
  }),
  sealedColumn({
    table: 'github_link_states',
    column: 'verifier',
    key: { state_hash: 'bytea' },
    contextColumns: ['user_uuid'],
    context: ({ user_uuid: userUuid }) => verifierContext(userUuid),
  }),
];
