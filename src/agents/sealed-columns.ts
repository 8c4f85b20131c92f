import { type SealedColumn, sealedColumn } from '../platform/security/sealed-columns.ts';
import { credentialContext } from './agent.ts';

/** The sealed secrets of agents. */
export const agentSealedColumns: readonly SealedColumn[] = [
  sealedColumn({
    table: 'agents',
    column: 'credential',
    key: { uuid: 'uuid' },
    context: ({ uuid }) => credentialContext(uuid),
  }),
];
