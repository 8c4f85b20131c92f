import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/**
 * How an answer goes wrong on its way. The request was carried out in each case. Where a fault leaves a text, it holds the honest
 * answer: a client without bounds takes it.
 */
export const transportFaults = [
  /** No byte of an answer, and the connection stays. */
  'silent',
  /** A byte each 200 ms. */
  'slow',
  /** 5 MB of JSON. */
  'huge',
  /** 8 MB of JSON in 8 kB. */
  'gzip-bomb',
  /** A page, with status 200. */
  'html',
  /** JSON that ends too early. */
  'cut-json',
  /** Redirected to itself for ever. */
  'redirect-loop',
  'status-500',
  'not-found',
  /** The connection is reset in place of an answer. */
  'reset',
] as const;

export type TransportFault = (typeof transportFaults)[number];

const slowMs = 200;

/** Sends an honest answer with a fault. */
export function sendFaulty(res: ServerResponse, fault: TransportFault, status: number, body: object): void {
  const text = JSON.stringify(body);
  const sendJson = (content: string | Buffer, headers: Record<string, string> = {}) =>
    res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(content);
  const padded = (bytes: number) => JSON.stringify({ ...body, padding: 'x'.repeat(bytes) });
  const sends: Record<TransportFault, () => unknown> = {
    silent: () => undefined,
    slow: () => sendSlowly(res.writeHead(status, { 'Content-Type': 'application/json' }), text),
    huge: () => sendJson(padded(5_000_000)),
    'gzip-bomb': () => sendJson(gzipSync(padded(8_000_000)), { 'Content-Encoding': 'gzip' }),
    html: () => res.writeHead(200, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html><title>Sign in</title>'),
    'cut-json': () => sendJson(text.slice(0, -1)),
    'redirect-loop': () => res.writeHead(307, { Location: res.req.url ?? '/' }).end(),
    'status-500': () => res.writeHead(500, { 'Content-Type': 'application/json' }).end('{"error":"server_error"}'),
    'not-found': () => res.writeHead(404).end(),
    reset: () => res.socket?.resetAndDestroy(),
  };
  sends[fault]();
}

function sendSlowly(res: ServerResponse, text: string): void {
  const bytes = [...text];
  const timer = setInterval(() => {
    const next = bytes.shift();
    if (next === undefined) res.end();
    else res.write(next);
  }, slowMs);
  res.once('close', () => clearInterval(timer));
}
