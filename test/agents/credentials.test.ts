import { describe, expect, it } from 'vitest';
import { ingest, uploaderOf } from '../documents/document-stage.ts';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { connectedSocket } from '../support/graphql-socket.ts';
import { distinctRoutes, pathOf } from '../support/http-stage.ts';
import { callerOf, graphqlOf, tenantOf } from '../support/server.ts';
import { startAgentServer } from './agent-stage.ts';

const server = await startAgentServer();
const { clock, scripted, database, services } = server;
let names = 0;

/** An agent that is deployed, with its credential as its pod gets it. */
async function agentOf() {
  const tenant = await tenantOf(server);
  const { body } = await tenant.call('POST', '/api/agents', { name: `worker-${++names}` });
  const { uuid, orchestrator_deployment } = body.agent;
  const secret = scripted.deployments.get(orchestrator_deployment)?.secretEnv.PATCHBAY_API_KEY ?? '';
  const call = callerOf(server, secret);
  const path = `/api/agents/${uuid}`;
  const beat = (mode = 'IDLE') => call('POST', `${path}/heartbeat`, { mode, uptime_seconds: 1 });
  return { tenant, uuid, secret, call, path, beat };
}
const metrics = { cpu_percent: 1, memory_mb: 1, requests_handled: 1 };

describe("an agent's credential", () => {
  it(
    'permits reports of its own agent, and the clipboard, documents and notifications of its profile',
    verifies('agents.credential.scope'),
    async () => {
      const { tenant, call, path, beat } = await agentOf();
      expect((await beat()).body).toEqual({ message: 'Heartbeat recorded' });
      expect((await call('POST', `${path}/metrics`, metrics)).status).toBe(200);
      expect((await call('POST', '/api/clipboard', { name: 'from-agent', value: 'v' })).status).toBe(200);
      expect((await tenant.call('GET', '/api/clipboard?name=from-agent')).text).toContain('"value":"v"');
      expect((await call('GET', '/api/notifications')).status).toBe(200);
      expect((await call('GET', '/api/documents')).status).toBe(200);
      const other = await agentOf();
      const foreign = await call('POST', `${other.path}/heartbeat`, { mode: 'IDLE', uptime_seconds: 1 });
      expect([foreign.status, foreign.body]).toEqual([404, { error: 'Agent not found' }]);
      const { body: sibling } = await tenant.call('POST', '/api/agents', { name: `worker-${++names}` });
      for (const [what, body] of [
        ['heartbeat', { mode: 'IDLE', uptime_seconds: 1 }],
        ['metrics', metrics],
      ] as const) {
        const answer = await call('POST', `/api/agents/${sibling.agent.uuid}/${what}`, body);
        expect([answer.status, answer.body]).toEqual([404, { error: 'Agent not found' }]);
      }
    },
  );

  it(
    'permits the documents of its profile over both APIs, those of no other, and ends with the heartbeats',
    verifies('agents.credential.scope', 'agents.credential.lease'),
    async () => {
      const { tenant, secret, call, beat } = await agentOf();
      const other = await tenantOf(server);
      const made = { title: 'Notes', content: 'The harbour opens at seven.' };
      const foreign = (await other.call('POST', '/api/documents/ai', { ...made, title: 'Foreign' })).body.documentId;
      const graph = graphqlOf(server, secret);
      const query =
        '{ documents { nodes { title } } documentSearch(query: "when does the harbour open") { results { title } } }';
      const upload = uploaderOf(server, secret);
      expect((await upload('x')).status).toBe(403);
      await beat();
      const uploaded = await upload('The harbour opens at seven.', { title: 'Uploaded' });
      expect(uploaded.status).toBe(200);
      const id = uploaded.body.documentId;
      expect((await call('POST', '/api/documents/ai', made)).status).toBe(201);
      await ingest(server);
      expect((await tenant.call('GET', `/api/documents/${id}`)).body.document.status).toBe('ready');
      const titles = (rows: { title: string }[]) => [...new Set(rows.map(({ title }) => title))].sort();
      expect(titles((await call('GET', '/api/documents')).body.documents)).toEqual(['Notes', 'Uploaded']);
      const question = { query: 'when does the harbour open' };
      expect(titles((await call('POST', '/api/documents/search', question)).body.results)).toEqual([
        'Notes',
        'Uploaded',
      ]);
      expect(titles((await call('POST', '/api/rag/query', question)).body.passages)).toEqual(['Notes', 'Uploaded']);
      const { data } = (await graph(query)) as { data: Record<string, Record<string, { title: string }[]>> };
      expect(titles(data.documents?.nodes ?? [])).toEqual(['Notes', 'Uploaded']);
      expect(titles(data.documentSearch?.results ?? [])).toEqual(['Notes', 'Uploaded']);
      for (const [method, path] of [
        ['GET', `/api/documents/${foreign}`],
        ['GET', `/api/documents/${foreign}/text`],
        ['GET', `/api/library/download/${foreign}`],
        ['DELETE', `/api/documents/${foreign}`],
      ] as const)
        expect((await call(method, path)).status, path).toBe(404);
      const one = await graph(`{ document(uuid: "${foreign}") { title } }`);
      expect(JSON.stringify(one)).toContain('NOT_FOUND');
      clock.advance(30_000);
      expect((await call('GET', `/api/documents/${id}`)).status).toBe(403);
      expect((await upload('x')).status).toBe(403);
      expect((await call('POST', '/api/documents/search', question)).status).toBe(403);
      expect(JSON.stringify(await graph(query))).toContain('FORBIDDEN');
    },
  );

  const permitted =
    /^\/api\/(clipboard|documents|library|notifications|rag)(\/|$)|^\/api\/agents\/:uuid\/(heartbeat|metrics)$/;
  const ofCallers = distinctRoutes.filter(({ access, path }) => access === 'caller' && !permitted.test(path));

  it('permits no other path that needs a key', verifies('agents.credential.scope'), async () => {
    expect(ofCallers.length).toBeGreaterThan(20);
    const { call, beat } = await agentOf();
    await beat();
    for (const route of ofCallers) {
      const answer = await call(route.method, pathOf(route), route.method === 'GET' ? undefined : {});
      // A body may be refused before its sender is.
      expect(answer.status, `${route.method} ${route.path} ${answer.text}`).not.toBe(200);
      expect([400, 403, 404, 422], `${route.method} ${route.path}`).toContain(answer.status);
    }
    for (const [method, path] of [
      ['GET', '/api/agents'],
      ['GET', '/api/projects'],
      ['GET', '/api/webhooks'],
      ['GET', '/api/api-keys'],
    ] as const)
      expect((await call(method, path)).status, path).toBe(403);
    const create = await call('POST', '/api/agents', { name: 'child' });
    expect([create.status, Object.keys(create.body)]).toEqual([403, ['error']]);
  });

  it(
    'is suspended at the instant at which the heartbeat is late, also without a scan, until the next heartbeat',
    verifies('agents.credential.lease'),
    async () => {
      const { call, path, beat } = await agentOf();
      const status = async () => (await call('GET', '/api/clipboard')).status;
      expect(await status()).toBe(403);
      for (const [mode, seconds] of [
        ['EMERGENCY', 5],
        ['IDLE', 30],
        ['SLEEP', 900],
      ] as const) {
        expect((await beat(mode)).status).toBe(200);
        expect(await status(), mode).toBe(200);
        clock.advance(seconds * 1_000 - 1);
        expect(await status(), mode).toBe(200);
        clock.advance(1);
        expect(await status(), mode).toBe(403);
        expect((await call('POST', `${path}/metrics`, metrics)).status).toBe(200);
      }
      expect(await services.agents.liveness.scan()).toBeGreaterThan(0);
      expect(await status()).toBe(403);
      await beat();
      expect(await status()).toBe(200);
    },
  );

  it(
    'is suspended with its agent, of which nothing runs, whatever still sends heartbeats with it',
    verifies('agents.credential.lease'),
    async () => {
      const { tenant, call, path, beat } = await agentOf();
      const status = async () => (await call('GET', '/api/clipboard')).status;
      await beat('SLEEP');
      expect(await status()).toBe(200);
      expect((await tenant.call('POST', `${path}/suspend`)).status).toBe(200);
      expect(await status()).toBe(403);
      expect((await beat('SLEEP')).status).toBe(200);
      expect(await status()).toBe(403);
      expect((await tenant.call('POST', `${path}/resume`)).status).toBe(200);
      await beat('SLEEP');
      expect(await status()).toBe(200);
    },
  );

  it('ends with the agent, its profile, and a disabled user', verifies('agents.credential.end'), async () => {
    const ends: ((agent: Awaited<ReturnType<typeof agentOf>>) => Promise<unknown>)[] = [
      ({ tenant, path }) => tenant.call('DELETE', path),
      ({ uuid }) => database.query({ text: "UPDATE agents SET state = 'KILLED' WHERE uuid = $1", values: [uuid] }),
      ({ uuid }) =>
        database.query({
          text: 'UPDATE profiles SET deleted_at = now() WHERE uuid = (SELECT profile_uuid FROM agents WHERE uuid = $1)',
          values: [uuid],
        }),
      ({ tenant }) =>
        database.query({
          text: 'UPDATE users SET disabled_at = now() WHERE uuid = $1',
          values: [tenant.user.principal?.userUuid],
        }),
    ];
    for (const end of ends) {
      const agent = await agentOf();
      expect((await agent.beat()).status).toBe(200);
      await end(agent);
      const answers = [await agent.beat(), await agent.call('GET', '/api/clipboard')];
      expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    }
  });

  it('closes its subscriptions when it is suspended', verifies('agents.credential.lease'), async () => {
    const { secret, beat } = await agentOf();
    await beat('EMERGENCY');
    const socket = await connectedSocket(server.base, secret);
    const query = 'subscription { clipboardChanged { kind } }';
    socket.send({ type: 'subscribe', id: '1', payload: { query } });
    let seen: string | null = null;
    void socket.next().then(({ type }) => (seen = type));
    // Again, because what is set before the subscription begins is not shown.
    await eventually('a message', async () => {
      await callerOf(server, secret)('POST', '/api/clipboard', { name: 'a', value: 'v' });
      return seen !== null;
    });
    expect(seen).toBe('next');
    clock.advance(5_000);
    expect((await socket.closed).code).toBe(4403);
  });

  it('stands nowhere in clear, and is sealed again by another key', verifies('agents.credential.secret'), async () => {
    const { secret, tenant, uuid, call, beat } = await agentOf();
    await beat();
    await call('GET', '/api/agents');
    const shown = await tenant.call('GET', `/api/agents/${uuid}`);
    const exported = await tenant.call('POST', `/api/agents/${uuid}/export`, {});
    const fields = (await graphqlOf(server, tenant.secret)('{ __type(name: "Agent") { fields { name } } }')).data.__type
      ?.fields;
    expect(JSON.stringify(fields ?? [])).not.toMatch(/credential/i);
    const [row] = await database.query<{ all: string; credential: string }>({
      text: 'SELECT row_to_json(a)::text AS all, credential FROM agents a WHERE uuid = $1',
      values: [uuid],
    });
    expect(secret).toMatch(/^pba_\w{49}$/);
    for (const text of [server.logged.join(''), shown.text, exported.text, row?.all ?? ''])
      expect(text).not.toContain(secret);
    expect(row?.credential).not.toBe('');
  });
});
