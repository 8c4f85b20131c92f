import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** What the protected servers list. */
const protectedTools = ['read_notes', 'write_notes'] as const;

/**
 * Answers one request of Streamable HTTP by the protocol's own server, without a session: lists two tools, and each call is answered
 * with the tool's name.
 *
 * @param message The body, parsed.
 */
export async function answerMcp(req: IncomingMessage, res: ServerResponse, message: unknown): Promise<void> {
  const server = new Server({ name: 'protected', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: protectedTools.map((name) => ({ name, description: 'does it', inputSchema: { type: 'object' as const } })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name } }) => ({
    content: [{ type: 'text' as const, text: name }],
  }));
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  res.on('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(req, res, message);
}
