import { expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { openEventStream } from '../support/event-stream.ts';
import { initialized, startMcpHost, tool } from '../support/mcp-host.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { added } from '../support/server-stage.ts';

// The product as it runs: with its workers, and time that passes.
const server = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8', WORKERS: 'web' }, undefined, { isRealTime: true });

it(
  'a server that is added over REST is discovered by a worker soon, and every step is published',
  verifies('servers.discovery', 'servers.changes'),
  async () => {
    const { call, secret } = await tenantOf(server);
    const host = await startMcpHost({
      initialize: { ...initialized, capabilities: { tools: {} } },
      'tools/list': { tools: [tool('read')] },
    });
    const headers = { Authorization: `Bearer ${secret}` };
    const progress = await openEventStream(
      server.base,
      'subscription { serverDiscoveryProgressed { serverUuid stage error offers } }',
      headers,
    );
    const changed = await openEventStream(
      server.base,
      'subscription { serverToolsChanged { serverUuid changes { name change } } }',
      headers,
    );
    const { uuid } = await added(call, { transport: 'http', command: null, url: host.url });
    const stages = async () => {
      const seen: string[] = [];
      while (!seen.includes('SUCCEEDED')) {
        const news = (await progress.next())?.data.data.serverDiscoveryProgressed;
        expect(news.serverUuid).toBe(uuid);
        seen.push(news.stage);
      }
      return seen;
    };
    expect(await stages()).toEqual(['QUEUED', 'CONNECTING', 'TOOLS', 'SUCCEEDED']);
    const { body } = await call('GET', `/api/servers/${uuid}`);
    expect(body.tools).toEqual([{ name: 'read', description: 'does it', parameters: tool('read').inputSchema }]);
    host.answers['tools/list'] = { tools: [tool('read', 'sends it away')] };
    expect((await call('POST', `/api/discover/${uuid}`)).body.queued).toBe(1);
    expect((await changed.next())?.data.data.serverToolsChanged).toEqual({
      serverUuid: uuid,
      changes: [{ name: 'read', change: 'CHANGED' }],
    });
    await eventually('it is stored', async () => {
      const answer = await call('GET', `/api/servers/${uuid}`);
      return answer.body.tools[0].description === 'sends it away';
    });
    progress.close();
    changed.close();
  },
);
