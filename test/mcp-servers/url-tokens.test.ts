import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { hitsIn } from '../support/canaries.ts';
import { eventually } from '../support/deadline.ts';
import { callerOf, graphqlOf, tenantOf } from '../support/server.ts';
import { added, documents } from '../support/server-stage.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { registered, startWebhookServer } from '../support/webhook-stage.ts';

const server = await startWebhookServer();
const token = 'canary-of-a-query-token';
const whole = `https://mcp.example.com/in?key=${token}`;
const masked = 'https://mcp.example.com/in?********';

async function stage() {
  const owner = await tenantOf(server);
  const { secret } = await server.services.auth.apiKeys.create(owner.user, { name: 'reader', scopes: ['read'] });
  const { uuid } = await added(owner.call, { transport: 'http', url: whole, command: undefined });
  return { owner, uuid, reader: { call: callerOf(server, secret), graphql: graphqlOf(server, secret) } };
}

describe('the query of a server’s url', () => {
  it(
    'is shown to the own profile where it may write, and masked for a key that only reads',
    verifies('everywhere.url-tokens'),
    async () => {
      const { owner, uuid, reader } = await stage();
      const query =
        'query ($uuid: String!) { server(uuid: $uuid) { url } ownServers { nodes { url } } proxiedServers { url } }';
      const urlsOf = async (graphql: typeof owner.graphql) => {
        const { data } = await graphql(query, { uuid });
        return [data.server.url, data.ownServers.nodes[0].url, data.proxiedServers[0].url];
      };
      expect(await urlsOf(owner.graphql)).toEqual([whole, whole, whole]);
      expect(await urlsOf(reader.graphql)).toEqual([masked, masked, masked]);
      expect((await owner.call('GET', '/api/mcp-servers')).body[0].url).toBe(whole);
      expect((await reader.call('GET', '/api/mcp-servers')).body[0].url).toBe(masked);
    },
  );

  it(
    'is in no answer to others: lists, search, collections, installed servers',
    verifies('everywhere.url-tokens'),
    async () => {
      const { owner, uuid } = await stage();
      const other = await tenantOf(server);
      await owner.graphql(documents.show, { input: { uuid, isPublic: true } });
      const collection = await owner.call('POST', '/api/collections', {
        name: 'c',
        serverUuids: [uuid],
        isPublic: true,
      });
      await other.graphql(documents.install, { input: { uuid } });
      const told: [string, string][] = [];
      for (const call of [other.call, callerOf(server, null)])
        for (const at of [`/api/servers/${uuid}`, '/api/search?q=', `/api/collections/public/${collection.body.uuid}`])
          told.push([at, (await call('GET', at)).text]);
      for (const graphql of [other.graphql, graphqlOf(server, null)])
        for (const query of [
          `{ server(uuid: "${uuid}") { url } }`,
          '{ servers(query: "") { nodes { url } } }',
          `{ collection(uuid: "${collection.body.uuid}") { servers { nodes { url } } } }`,
        ])
          told.push([query, JSON.stringify(await graphql(query))]);
      expect(hitsIn(told, new Map([['token', token]]))).toEqual([]);
      expect(told.filter(([, text]) => text.includes(masked)).length).toBeGreaterThanOrEqual(4);
    },
  );

  it('is not in the event of a change, as it is stored and sent', verifies('everywhere.url-tokens'), async () => {
    const { owner, uuid } = await stage();
    const receiver = await startReceiver();
    await registered(owner.call, { url: receiver.base, events: ['server.updated'] });
    const moved = `https://mcp.example.com/moved?key=${token}`;
    expect((await owner.graphql(documents.update, { input: { uuid, url: moved } })).errors).toBeUndefined();
    const rows = await server.database.query<{ data: string }>({
      text: "SELECT data FROM outbox_events WHERE profile_uuid = $1 AND type = 'server.updated'",
      values: [owner.caller.principal?.profileUuid],
    });
    expect(rows.map(({ data }) => JSON.parse(data).changes)).toEqual([
      { url: 'https://mcp.example.com/moved?********' },
    ]);
  });
});

describe('the query of a webhook’s url', () => {
  it(
    'is masked for a key that may not write, on every path to the webhook',
    verifies('everywhere.url-tokens'),
    async () => {
      const { owner, reader } = await stage();
      const receiver = await startReceiver();
      const url = `${receiver.base}/in?key=${token}`;
      const { id } = await registered(owner.call, { url });
      await owner.call('POST', `/api/webhooks/${id}/test`);
      await eventually('the test call arrives', () => receiver.received.length === 1);
      const query = '{ webhooks { nodes { url deliveries { nodes { webhook { url } error responseBody } } } } }';
      const told: [string, string][] = [];
      for (const at of ['/api/webhooks', `/api/webhooks/${id}`, `/api/webhooks/${id}/deliveries`])
        told.push([at, (await reader.call('GET', at)).text]);
      told.push([query, JSON.stringify(await reader.graphql(query))]);
      expect(hitsIn(told, new Map([['token', token]]))).toEqual([]);
      expect((await reader.call('GET', `/api/webhooks/${id}`)).body.url).toBe(`${receiver.base}/in?********`);
      expect((await owner.call('GET', `/api/webhooks/${id}`)).body.url).toBe(url);
    },
  );
});
