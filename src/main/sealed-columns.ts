import { agentSealedColumns } from '../agents/index.ts';
import { mcpServerSealedColumns } from '../mcp-servers/index.ts';
import { oauthSealedColumns } from '../oauth/index.ts';
import type { SealedColumn } from '../platform/security/sealed-columns.ts';
import { registrySealedColumns } from '../registry/index.ts';
import { webhookSealedColumns } from '../webhooks/index.ts';

/** Every column of the database with sealed secrets, but `encryption_keys.sealed`, which shows that a key is the one of its id. */
export const sealedColumns: readonly SealedColumn[] = [
  ...agentSealedColumns,
  ...webhookSealedColumns,
  ...mcpServerSealedColumns,
  ...registrySealedColumns,
  ...oauthSealedColumns,
];
