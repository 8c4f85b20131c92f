import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { initialized, type McpRequest, resultOf, startMcpHost, tool } from '../support/mcp-host.ts';
import { createTestServices } from '../support/services.ts';
import { startToolServer, texts } from '../support/tool-server.ts';
import { discoveryStage } from './discovery-stage.ts';

const stage = await createTestServices();
const { configurations, toolCalls } = stage.services.mcpServers;
const { owner, added, asked } = discoveryStage(stage);
const signal = new AbortController().signal;

describe('a call of a tool', () => {
  it("is made for one's own servers alone, and never for a stdio server", async () => {
    const [caller, other] = [await owner(), await owner()];
    const host = await startToolServer({ echo: { run: ({ text }) => texts(String(text)) } });
    const serverUuid = await added(caller, host.url);
    await asked(caller, serverUuid);
    const [found] = await toolCalls.find(caller, [{ serverUuid, name: 'echo' }]);
    if (!found) throw new Error('not found');
    expect(await toolCalls.call(caller, found, { text: 'hello' }, signal)).toEqual({
      status: 'succeeded',
      text: 'hello',
    });
    expect(await toolCalls.find(other, [{ serverUuid, name: 'echo' }])).toEqual([null]);
    const apiError = { code: 'NOT_FOUND', message: 'Server not found' };
    await expect(toolCalls.call(other, found, {}, signal)).rejects.toMatchObject(apiError);
    await configurations.update(caller, serverUuid, { transport: 'stdio', command: 'npx' });
    await expect(toolCalls.call(caller, found, {}, signal)).rejects.toMatchObject(apiError);
    expect(host.calls).toHaveLength(1);
  });

  it('ends the session that the server has opened, and answers an error of the protocol as a failure', async () => {
    const caller = await owner();
    const host = await startMcpHost({
      initialize: (request: McpRequest, res: ServerResponse) => {
        res.writeHead(200, { 'Content-Type': 'application/json', 'Mcp-Session-Id': 'one' });
        res.end(resultOf(request, initialized));
      },
      'tools/list': { tools: [tool('echo')] },
      'resources/list': { resources: [] },
      'prompts/list': { prompts: [] },
    });
    const serverUuid = await added(caller, host.url);
    await asked(caller, serverUuid);
    const [found] = await toolCalls.find(caller, [{ serverUuid, name: 'echo' }]);
    if (!found) throw new Error('not found');
    host.received.length = 0;
    const outcome = await toolCalls.call(caller, found, { path: 'x' }, signal);
    expect(outcome).toEqual({ status: 'failed', text: expect.stringContaining('Method not found') });
    expect(host.received.map(({ method }) => method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      'DELETE',
    ]);
    expect(host.received.at(-1)?.headers['mcp-session-id']).toBe('one');
  });

  it('ends when it is given up', async () => {
    const caller = await owner();
    const stop = new AbortController();
    const host = await startToolServer({
      hangs: {
        run() {
          stop.abort();
          return new Promise<never>(() => undefined);
        },
      },
    });
    const serverUuid = await added(caller, host.url);
    await asked(caller, serverUuid);
    const [found] = await toolCalls.find(caller, [{ serverUuid, name: 'hangs' }]);
    if (!found) throw new Error('not found');
    expect(await toolCalls.call(caller, found, {}, stop.signal)).toEqual({
      status: 'failed',
      text: 'The request was given up',
    });
  });
});
