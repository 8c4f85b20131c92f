import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { cleanUp } from './cleanup.ts';

/** A tool of the server: its schema, and what it does. */
export interface ServedTool {
  readonly description?: string;
  readonly inputSchema?: Record<string, unknown>;
  readonly run: (args: Record<string, unknown>) => CallToolResult | Promise<CallToolResult>;
}

export const texts = (...parts: string[]): CallToolResult => ({
  content: parts.map((text) => ({ type: 'text', text })),
});

/** The protocol's own server over streamable HTTP, whose tools a test gives it. */
export async function startToolServer(tools: Record<string, ServedTool>) {
  const calls: { readonly name: string; readonly args: unknown; readonly headers: IncomingMessage['headers'] }[] = [];
  /** Sessions that clients have ended. */
  let ended = 0;
  let requests = 0;

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    requests += 1;
    if (req.method === 'DELETE') {
      ended += 1;
      res.writeHead(200).end();
      return;
    }
    const server = new Server({ name: 'tools', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: Object.entries(tools).map(([name, { description = name, inputSchema = {} }]) => ({
        name,
        description,
        inputSchema: { ...inputSchema, type: 'object' as const },
      })),
    }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args = {} } }) => {
      calls.push({ name, args, headers: req.headers });
      const tool = tools[name];
      if (!tool) throw new Error('there is no such tool');
      return tool.run(args);
    });
    const transport = new StreamableHTTPServerTransport();
    res.on('close', () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(req, res);
  }

  const http = createServer((req, res) => {
    answer(req, res).catch(() => res.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  cleanUp(() => {
    http.closeAllConnections();
    http.close();
  });
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    calls,
    ended: () => ended,
    requests: () => requests,
  };
}
