import { type SealedColumn, sealedColumn } from '../platform/security/sealed-columns.ts';
import { secretContext } from './attempt.ts';

const columnOf = (column: string) =>
  sealedColumn({ table: 'webhooks', column, key: { uuid: 'uuid' }, context: ({ uuid }) => secretContext(uuid) });

/** A rotation copies `secret` to `previous_secret`, so `secret` comes first. */
export const webhookSealedColumns: readonly SealedColumn[] = [columnOf('secret'), columnOf('previous_secret')];
