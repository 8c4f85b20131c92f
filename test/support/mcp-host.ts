import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { freePort } from '../services/free-port.ts';
import { cleanUp } from './cleanup.ts';

const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

/** The protocol's own example server, in a process of its own, for the length of a test. @returns Its address, without a path. */
export async function startEverything(transport: 'sse' | 'streamableHttp'): Promise<string> {
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, [everything, transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the example server ended')));
    // Read to the end: it writes there all the time.
    child.stderr?.on('data', (text) => String(text).includes(`port ${port}`) && resolve());
  });
  return `http://127.0.0.1:${port}`;
}

/** What a server answers to a request of the protocol: its result, or a way to answer by itself. */
export type McpAnswers = Record<string, unknown | ((request: McpRequest, res: ServerResponse) => void)>;

export interface McpRequest {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly cursor?: string };
}

export interface McpHost {
  readonly url: string;
  readonly received: { readonly method: string; readonly headers: IncomingMessage['headers'] }[];
  answers: McpAnswers;
}

export const resultOf = ({ id }: McpRequest, result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result });

/** A server of streamable HTTP that says whatever a test tells it to. */
export async function startMcpHost(answers: McpAnswers): Promise<McpHost> {
  const host: McpHost = { url: '', received: [], answers };
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const request = (text ? JSON.parse(text) : { method: req.method }) as McpRequest;
    host.received.push({ method: request.method, headers: req.headers });
    if (request.id === undefined) {
      res.writeHead(req.method === 'POST' ? 202 : 405).end();
      return;
    }
    const answer = host.answers[request.method];
    if (typeof answer === 'function') {
      answer(request, res);
      return;
    }
    res.writeHead(200, { 'Content-Type': 'application/json' });
    res.end(
      answer === undefined
        ? JSON.stringify({ jsonrpc: '2.0', id: request.id, error: { code: -32_601, message: 'Method not found' } })
        : resultOf(request, answer),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(host, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` });
}

/** The answer to `initialize` of a server that offers all there is. */
export const initialized = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {}, resources: {}, prompts: {} },
  serverInfo: { name: 'test', version: '1' },
};

export const tool = (name: string, description = 'does it') => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
});
