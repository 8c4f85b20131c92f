import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { z } from 'zod';
import type { Egress } from '../platform/egress/egress.ts';
import type { CapabilityKind } from './capabilities.ts';
import { type AskedServer, converse } from './conversation.ts';
import { offersMax, type Said } from './offers.ts';

/** For a whole discovery. Source: docs/specification/mcp-servers.md#discovery. */
const limits = { totalTimeoutMs: 5_000, bytesMax: 5 * 1024 * 1024 };
/** Of one list. */
const pagesMax = 20;

// Not the SDK's own: one tool that is not as it should be would cost all others, and output schemas would be compiled.
const page = (list: string) =>
  z.looseObject({ [list]: z.array(z.unknown()), nextCursor: z.string().optional() }) as z.ZodType<
    Record<string, unknown> & { nextCursor?: string | undefined }
  >;

const lists = [
  { kind: 'tool', method: 'tools/list', list: 'tools', capability: 'tools' },
  { kind: 'resource', method: 'resources/list', list: 'resources', capability: 'resources' },
  { kind: 'resource_template', method: 'resources/templates/list', list: 'resourceTemplates', capability: 'resources' },
  { kind: 'prompt', method: 'prompts/list', list: 'prompts', capability: 'prompts' },
] as const;

/**
 * Connects to a server and reads its capabilities: 5 seconds and 5 MB in all, through the egress client.
 *
 * @param onStage Is called with each list before it is requested.
 * @throws {ServerFailure}
 */
export function ask(
  server: AskedServer,
  { egress, onStage }: { egress: Pick<Egress, 'stream'>; onStage: (kind: CapabilityKind) => void },
): Promise<Said> {
  return converse(server, { egress, limits }, (client, options) => listAll(client, options, onStage));
}

async function listAll(
  client: Client,
  options: { signal: AbortSignal; timeout: number },
  onStage: (kind: CapabilityKind) => void,
): Promise<Said> {
  const capabilities = client.getServerCapabilities() ?? {};
  const said: Partial<Record<CapabilityKind, unknown[]>> = {};
  for (const { kind, method, list, capability } of lists) {
    if (capabilities[capability] === undefined) continue;
    onStage(kind);
    const items: unknown[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < pagesMax && items.length < offersMax; pages++) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await client.request({ method, params }, page(list), options).catch((error: unknown) => {
        // Servers that have resources need not have templates of them.
        if (kind === 'resource_template' && (error as { code?: unknown }).code === methodNotFound) return null;
        throw error;
      });
      if (result === null) break;
      items.push(...(result[list] as unknown[]).slice(0, offersMax));
      cursor = result.nextCursor;
      if (cursor === undefined) break;
    }
    said[kind] = items;
  }
  return said;
}

const methodNotFound = -32_601;
