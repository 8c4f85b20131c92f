import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as SdkTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { z } from 'zod';
import type { Egress } from '../platform/egress/egress.ts';
import { EgressError } from '../platform/egress/egress-error.ts';
import type { CapabilityKind } from './capabilities.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { offersMax, type Said } from './offers.ts';

/** For a whole discovery. Source: docs/specification/mcp-servers.md#discovery. */
const totalTimeoutMs = 5_000;
const bytesMax = 5 * 1024 * 1024;
/** Of one list. */
const pagesMax = 20;

export interface AskedServer {
  readonly transport: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Why a server could not be asked. The message is for its owner: it repeats nothing that the server said. */
export class DiscoveryError extends Error {
  override name = 'DiscoveryError';
  /** The challenge of a 401 or 403; null where the server asked for none. */
  readonly challenge: Challenge | null;

  constructor(message: string, challenge: Challenge | null = null) {
    super(message);
    this.challenge = challenge;
  }

  /** Whether the server refuses to answer without (another) authorization. */
  get needsAuthorization(): boolean {
    return this.challenge !== null;
  }
}

/** How a server asks for authorization. */
export interface Challenge {
  readonly status: 401 | 403;
  /** The header `WWW-Authenticate`; empty where it was left out. */
  readonly header: string;
}

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
 * Connects to a server and asks what it offers: 5 seconds and 5 MB in all, through the guarded way out.
 *
 * @param onStage Hears of each list before it is asked for.
 * @throws {DiscoveryError}
 */
export async function ask(
  server: AskedServer,
  { egress, onStage }: { egress: Pick<Egress, 'stream'>; onStage: (kind: CapabilityKind) => void },
): Promise<Said> {
  const over = new AbortController();
  const deadline = setTimeout(() => over.abort(new EgressError('timeout')), totalTimeoutMs);
  let challenge: Challenge | null = null;
  const guardedFetch = createGuardedFetch({
    egress,
    onChallenge: (status, header) => {
      challenge = { status, header };
    },
    signal: over.signal,
    totalTimeoutMs,
    bytesMax,
    isStreamable: server.transport === 'http',
    onFailure: (error) => over.abort(error),
  });
  const client = new Client({ name: 'Patchbay', version: '1' }, { capabilities: {} });
  // What breaks is told by the request that it breaks; nobody else is to hear of it.
  client.onerror = () => undefined;
  const isOver = new Promise<never>((_resolve, reject) => {
    over.signal.addEventListener('abort', () => reject(over.signal.reason));
  });
  try {
    return await Promise.race([isOver, converse(client, transportOf(server, guardedFetch), over.signal, onStage)]);
  } catch (error) {
    const { code } = error as { code?: unknown };
    throw new DiscoveryError(wordsOf(over.signal.reason ?? error), code === 401 || code === 403 ? challenge : null);
  } finally {
    clearTimeout(deadline);
    over.abort(new EgressError('aborted'));
    await client.close().catch(() => undefined);
    isOver.catch(() => undefined);
  }
}

async function converse(
  client: Client,
  transport: SdkTransport,
  signal: AbortSignal,
  onStage: (kind: CapabilityKind) => void,
): Promise<Said> {
  const options = { signal, timeout: totalTimeoutMs };
  await client.connect(transport, options);
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

function transportOf({ transport, url, headers }: AskedServer, fetch: typeof globalThis.fetch): SdkTransport {
  const requestInit = { headers: { ...headers } };
  if (transport === 'sse') return new SSEClientTransport(new URL(url), { fetch, requestInit });
  const reconnectionOptions = {
    maxRetries: 0,
    initialReconnectionDelay: 1_000,
    maxReconnectionDelay: 1_000,
    reconnectionDelayGrowFactor: 1,
  };
  return new StreamableHTTPClientTransport(new URL(url), { fetch, requestInit, reconnectionOptions }) as SdkTransport;
}

/** What an owner is told: which of our limits it was, or a status; never the server's own words. */
function wordsOf(error: unknown): string {
  if (error instanceof EgressError) return error.message;
  const { code } = error as { code?: unknown };
  if (code === 401 || code === 403) return 'The server asks for authorization';
  if (typeof code === 'number' && code >= 300 && code < 600) return `The server answered with status ${code}`;
  return 'The server does not speak the Model Context Protocol as expected';
}
