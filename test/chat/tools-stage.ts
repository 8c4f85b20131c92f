import { startChatModel } from '../support/chat-model.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { type ServedTool, startToolServer, texts } from '../support/tool-server.ts';
import { path } from './chat-stage.ts';

/** The product with a language model, where calls of tools have little time and few bytes. */
export async function startToolStage(environment: Record<string, string> = {}) {
  const endpoint = await startChatModel();
  const server = await startTestServer(
    { CHAT_BASE_URL: endpoint.baseUrl, CHAT_MODEL: 'm', EGRESS_ALLOW: '127.0.0.0/8', ...environment },
    undefined,
    { toolCallLimits: { totalTimeoutMs: 5_000, bytesMax: 200_000 } },
  );
  const { configurations, discoveries } = server.services.mcpServers;

  /** A tenant with a server of some tools, which was discovered, and a session that lists those named. */
  async function withTools(tools: Record<string, ServedTool>, listed = Object.keys(tools), name = 'Weather') {
    const owner = await tenantOf(server);
    const host = await startToolServer(tools);
    const headers = { 'X-Key': 'key-of-the-tools' };
    const created = await configurations.create(owner.caller, { name, transport: 'http', url: host.url, headers });
    await discover(created.uuid);
    const body = { tools: listed.map((tool) => ({ serverId: created.uuid, name: tool })) };
    const answer = await owner.call('POST', `${path}/sessions`, body);
    if (answer.status !== 200) throw new Error(answer.text);
    const { sessionId } = answer.body;
    endpoint.requests.length = 0;
    const ask = async (message = 'What is the weather in Rome?') =>
      (await owner.call('POST', `${path}/messages`, { sessionId, message, includeContext: false })).body;
    return { ...owner, host, serverId: created.uuid, slug: created.slug, sessionId, ask };
  }

  async function discover(serverUuid: string): Promise<void> {
    const row = await server.database.prisma.mcpServer.findUniqueOrThrow({ where: { uuid: serverUuid } });
    await discoveries.worker.handle([{ serverUuid, jobUuid: row.discoveryJob }]);
  }

  return { endpoint, server, withTools, discover };
}

/** A tool with a schema that tells the weather. */
export const weather: ServedTool = {
  description: 'The weather in a city.',
  inputSchema: {
    properties: { city: { type: 'string' }, days: { type: 'integer', maximum: 7 } },
    required: ['city'],
    additionalProperties: false,
  },
  run: ({ city }) => texts(`It rains in ${city}.`),
};
