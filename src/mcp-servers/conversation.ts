import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as SdkTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Egress } from '../platform/egress/egress.ts';
import { EgressError } from '../platform/egress/egress-error.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

export interface AskedServer {
  readonly transport: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Why a server could not be asked. The message is for its owner: it repeats nothing that the server said. */
export class ServerFailure extends Error {
  override name = 'ServerFailure';
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

/** Of one conversation, from the connection to the last response. */
export interface ConversationLimits {
  readonly totalTimeoutMs: number;
  readonly bytesMax: number;
}

export interface ConversationOptions {
  readonly egress: Pick<Egress, 'stream'>;
  readonly limits: ConversationLimits;
  /** Ends the conversation when it is aborted. */
  readonly signal?: AbortSignal;
  /** Whether to send the server the end of its session, if there is time. */
  readonly endsSession?: boolean;
}

/** How long a server may take to respond to the end of its session. */
const endMs = 1_000;

/**
 * Connects to a server through the guarded egress, and closes the connection after the last question.
 *
 * @param talk Asks the questions, each with the options that it is given.
 * @throws {ServerFailure}
 */
export async function converse<Result>(
  server: AskedServer,
  { egress, limits, signal, endsSession = false }: ConversationOptions,
  talk: (client: Client, options: { signal: AbortSignal; timeout: number }) => Promise<Result>,
): Promise<Result> {
  const { totalTimeoutMs, bytesMax } = limits;
  const over = new AbortController();
  const deadline = setTimeout(() => over.abort(new EgressError('timeout')), totalTimeoutMs);
  const giveUp = () => over.abort(new EgressError('aborted'));
  signal?.addEventListener('abort', giveUp);
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
  // Each failure is thrown by the request that it breaks.
  client.onerror = () => undefined;
  const isOver = new Promise<never>((_resolve, reject) => {
    over.signal.addEventListener('abort', () => reject(over.signal.reason));
  });
  isOver.catch(() => undefined);
  try {
    if (signal?.aborted) giveUp();
    const transport = transportOf(server, guardedFetch);
    const options = { signal: over.signal, timeout: totalTimeoutMs };
    const result = await Promise.race([isOver, client.connect(transport, options).then(() => talk(client, options))]);
    if (endsSession) await sessionEnded(transport);
    return result;
  } catch (error) {
    const { code } = error as { code?: unknown };
    throw new ServerFailure(wordsOf(over.signal.reason ?? error), code === 401 || code === 403 ? challenge : null);
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', giveUp);
    giveUp();
    await client.close().catch(() => undefined);
  }
}

/** Ends the session at a server of streamable HTTP. A missing response changes nothing. */
async function sessionEnded(transport: SdkTransport): Promise<void> {
  if (!(transport instanceof StreamableHTTPClientTransport)) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, endMs);
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), late]).finally(() => clearTimeout(timer));
}

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

/** The reason for the owner: which of our limits was reached, or a status; never the server's own words. */
function wordsOf(error: unknown): string {
  if (error instanceof EgressError) return error.message;
  const { code } = error as { code?: unknown };
  if (code === 401 || code === 403) return 'The server asks for authorization';
  if (typeof code === 'number' && code >= 300 && code < 600) return `The server answered with status ${code}`;
  return 'The server does not speak the Model Context Protocol as expected';
}
