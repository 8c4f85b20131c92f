import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyWebhook } from '../../src/webhooks/verify-webhook.mjs';

/** A call that came to one of the endpoints. */
export interface Arrival {
  readonly endpoint: number;
  /** Which event it tells, by the number that its data holds. */
  readonly number: number;
  readonly id: string;
  readonly retryCount: number;
  readonly isAccepted: boolean;
}

export interface Receivers {
  urlOf(endpoint: number): string;
  readonly arrivals: readonly Arrival[];
  /** Pairs of an event and an endpoint that were answered 2xx at least once. */
  accepted(): number;
  /** What was looked at of the signatures, and what of them was wrong. */
  readonly signatures: { checked: number; wrong: number };
  close(): Promise<void>;
}

/**
 * Endpoints of which some refuse an event at first: a share of the pairs of event and endpoint, chosen by a hash, answers
 * the first one to so many attempts with 500, or ends the connection in the middle.
 */
export async function startReceivers(options: {
  secret: string;
  failingShare: number;
  failuresMax: number;
  responseMs?: number;
  /** Of so many calls one signature is looked at. */
  sampleOf?: number;
}): Promise<Receivers> {
  const { secret, failingShare, failuresMax, responseMs = 0, sampleOf = 1 } = options;
  const arrivals: Arrival[] = [];
  const acceptedPairs = new Set<string>();
  const signatures = { checked: 0, wrong: 0 };

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const body = JSON.parse(raw.toString()) as { id: string; retry_count: number; data: { document_id: string } };
    const endpoint = Number(req.url?.slice(1));
    const number = Number(body.data.document_id);
    if (arrivals.length % sampleOf === 0) {
      signatures.checked += 1;
      if (!verifyWebhook(secret, raw, req.headers['x-service-signature'])) signatures.wrong += 1;
    }
    const [share = 0, count = 0, manner = 0] = createHash('sha256').update(`${number} ${endpoint}`).digest();
    const failures = share < failingShare * 256 ? 1 + (count % failuresMax) : 0;
    const isAccepted = body.retry_count >= failures;
    arrivals.push({ endpoint, number, id: body.id, retryCount: body.retry_count, isAccepted });
    if (isAccepted) acceptedPairs.add(`${number} ${endpoint}`);
    if (responseMs > 0) await delay(responseMs);
    if (isAccepted) res.end('ok');
    else if (manner % 2 === 0) res.writeHead(500).end('no');
    else res.socket?.destroy();
  }

  const server = createServer((req, res) => void answer(req, res).catch(() => res.socket?.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (endpoint) => `http://127.0.0.1:${port}/${endpoint}`,
    arrivals,
    accepted: () => acceptedPairs.size,
    signatures,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
