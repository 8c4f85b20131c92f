import { beforeAll, expect, it } from 'vitest';
import { rules } from '../../src/oauth/index.ts';
import { callerOf, startTestServer, type TestServer, tenantOf } from '../support/server.ts';
import { addServer, startChecked, tick } from './report-stage.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8' });
});

const pathOf = (uuid: string) => `/api/servers/${uuid}/authorization-report`;

it('shows the report of a public server to everybody, and null before the first check', async () => {
  const { call, caller } = await tenantOf(server, { scopes: ['read', 'write'] });
  const checked = await startChecked();
  checked.advertisePkce(false);
  const uuid = await addServer(server, caller, checked.url);
  const nobody = callerOf(server, null);
  expect((await nobody('GET', pathOf(uuid))).body).toEqual({ server_uuid: uuid, report: null });
  await tick(server);
  const { status, body } = await nobody('GET', pathOf(uuid));
  expect(status).toBe(200);
  expect(body.report).toMatchObject({ grade: 'D', checked_at: server.clock.now().toISOString(), changes: [] });
  expect(body.report.rules.map(({ rule }: { rule: string }) => rule)).toEqual([...rules.keys()]);
  expect(body.report.rules.find(({ rule }: { rule: string }) => rule === 'pkce_s256')).toMatchObject({
    severity: 'high',
    outcome: 'failed',
    source: expect.stringContaining('RFC 7636'),
    evidence: 'The member code_challenge_methods_supported is missing',
  });
  expect((await call('GET', pathOf(uuid))).text).toBe((await nobody('GET', pathOf(uuid))).text);
});

it('shows the report of a private server to its profile alone', async () => {
  const { call, graphql, caller } = await tenantOf(server, { scopes: ['read', 'write'] });
  const otherTenant = await tenantOf(server);
  const uuid = await addServer(server, caller, (await startChecked()).url);
  await tick(server);
  await server.services.mcpServers.configurations.setVisibility(caller, uuid, { isPublic: false });
  expect((await call('GET', pathOf(uuid))).body.report).toMatchObject({ grade: expect.any(String) });
  const nowhere = await otherTenant.call('GET', pathOf('b0b0b0b0-0000-4000-8000-000000000000'));
  for (const each of [otherTenant.call, callerOf(server, null)]) {
    const { status, text } = await each('GET', pathOf(uuid));
    expect([status, text]).toEqual([404, nowhere.text]);
  }
  expect(await server.services.oauth.reports.of(otherTenant.caller, [uuid])).toEqual([null]);
  expect(await server.services.oauth.reports.outcomesOf(otherTenant.caller, [uuid])).toEqual([[]]);
  const asked = await graphql(
    `{ server(uuid: "${uuid}") { authorization { omitsReport } authorizationReport { failed } } }`,
  );
  expect(asked.data.server).toMatchObject({ authorization: { omitsReport: false } });
});

it('reads the reports of a list of servers in a constant number of statements', async () => {
  const { graphql, caller } = await tenantOf(server, { scopes: ['read', 'write'] });
  const checked = await startChecked();
  await addServer(server, caller, checked.url);
  const query = `{ ownServers(first: 50) { nodes { uuid authorizationReport { grade
    outcomes { rule outcome evidence facts { name value } } changes { rule } } } } }`;
  await tick(server);
  const count = async () => {
    server.statements.length = 0;
    const { data, errors } = await graphql(query);
    expect(errors).toBeUndefined();
    return {
      statements: server.statements.filter((text) => /oauth_report/.test(text)).length,
      servers: data.ownServers.nodes,
    };
  };
  const one = await count();
  expect(one.servers[0].authorizationReport.outcomes).toHaveLength(rules.size);
  for (let at = 0; at < 9; at++) await addServer(server, caller, checked.url);
  server.clock.advance(8 * 86_400_000);
  await tick(server);
  const ten = await count();
  expect(ten.servers).toHaveLength(10);
  for (const { authorizationReport } of ten.servers) expect(authorizationReport.grade).toMatch(/^[A-D]$/);
  expect(ten.statements).toBe(one.statements);
  expect(one.statements).toBe(3);
});

it('takes the request of an owner over the graph', async () => {
  const { graphql, caller } = await tenantOf(server, { scopes: ['read', 'write'] });
  const uuid = await addServer(server, caller, (await startChecked()).url);
  const request = `mutation { authorizationReportRequest(input: { serverUuid: "${uuid}" }) { server { uuid } } }`;
  expect(await graphql(request)).toEqual({ data: { authorizationReportRequest: { server: { uuid } } } });
  expect((await graphql(request)).errors[0].extensions.code).toBe('CONFLICT');
});
