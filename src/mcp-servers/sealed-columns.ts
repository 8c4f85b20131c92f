import { type SealedColumn, sealedColumn } from '../platform/security/sealed-columns.ts';
import { variableContext } from './sealed-variables.ts';

export const mcpServerSealedColumns: readonly SealedColumn[] = (['env', 'headers'] as const).map((place) =>
  sealedColumn({
    table: 'mcp_servers',
    column: place,
    key: { uuid: 'uuid' },
    context: ({ uuid }) => variableContext(uuid, place),
  }),
);
