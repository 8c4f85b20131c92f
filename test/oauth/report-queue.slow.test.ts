import { expect, it } from 'vitest';
import { patienceMs } from '../support/deadline.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { addServer, startChecked } from './report-stage.ts';

it('checks a server that its owner asks for, by the queue and its worker', async () => {
  const server = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8', WORKERS: 'web' }, undefined, {
    isRealTime: true,
  });
  const { graphql, caller } = await tenantOf(server, { scopes: ['read', 'write'] });
  const checked = await startChecked();
  const uuid = await addServer(server, caller, checked.url);
  await graphql(`mutation { authorizationReportRequest(input: { serverUuid: "${uuid}" }) { server { uuid } } }`);
  const grade = async () =>
    (await graphql(`{ server(uuid: "${uuid}") { authorizationReport { grade } } }`)).data.server.authorizationReport;
  await expect.poll(grade, { timeout: patienceMs }).toEqual({ grade: 'C' });
  expect(checked.checks()).toBeGreaterThan(0);
});
