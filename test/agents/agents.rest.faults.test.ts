import { describe, expect, it, onTestFinished } from 'vitest';
import { databaseTimeouts } from '../../src/platform/database/database.ts';
import { verifies } from '../requirements.ts';
import { createTestDatabase } from '../support/database.ts';
import { tenantOf } from '../support/server.ts';
import { createTcpProxy } from '../support/tcp-proxy.ts';
import { agentPathOf, nil, startAgentServer } from './agent-stage.ts';

const server = await startAgentServer();
const path = '/api/agents';
const beat = { mode: 'IDLE', uptime_seconds: 1 };
const report = { cpu_percent: 12.5, memory_mb: 181.2, requests_handled: 3 };

describe('an agent that the caller may not see', () => {
  it('G09: is 404, byte for byte as one that never was', verifies('agents.not-found'), async () => {
    const [owner, other] = [await tenantOf(server), await tenantOf(server)];
    const foreign = await agentPathOf(owner.call);
    const requests = [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/export', {}],
      ['POST', '/heartbeat', beat],
      ['POST', '/metrics', report],
    ] as const;
    for (const [method, what, body] of requests)
      for (const each of [foreign, `${path}/${nil}`, `${path}/x`, `${path}/%00`, `${path}/${nil}%20`]) {
        const answer = await other.call(method, each + what, body);
        expect([answer.status, answer.text], `${method} ${each}${what}`).toEqual([
          404,
          '{"error":"Agent not found"}\n',
        ]);
      }
    expect((await owner.call('GET', foreign)).body).toMatchObject({
      agent: { state: 'PROVISIONED', last_heartbeat_at: null },
      recentMetrics: [],
    });
  });
});

describe('faults', () => {
  it('are in the shape of agents: malformed JSON, wrong methods, wrong types', verifies('agents.errors'), async () => {
    const { call } = await tenantOf(server);
    const agent = await agentPathOf(call);
    for (const each of [path, `${agent}/heartbeat`, `${agent}/metrics`, `${agent}/export`])
      for (const body of ['{"a":', '[]', '"x"', 'null']) {
        const answer = await call('POST', each, body);
        expect([answer.status, Object.keys(answer.body), typeof answer.body.error], `${each} ${body}`).toEqual([
          400,
          ['error'],
          'string',
        ]);
      }
    for (const [method, each, allow] of [
      ['PUT', path, 'GET, POST'],
      ['PUT', agent, 'DELETE, GET, PATCH'],
      ['GET', `${agent}/heartbeat`, 'POST'],
    ] as const) {
      const answer = await call(method, each);
      expect([answer.status, Object.keys(answer.body)]).toEqual([405, ['error']]);
      const allowed = answer.headers
        .get('allow')
        ?.split(', ')
        .filter((name) => !['HEAD', 'OPTIONS'].includes(name));
      expect(allowed?.sort().join(', ')).toBe(allow);
    }
    const type = await call('POST', path, 'name=x', { 'Content-Type': 'application/x-www-form-urlencoded' });
    expect([type.status, Object.keys(type.body)]).toEqual([415, ['error']]);
  });

  it('of the database are 500 with the documented text, never 401', verifies('agents.errors'), async () => {
    const proxy = await createTcpProxy(await createTestDatabase());
    onTestFinished(() => proxy.close());
    const broken = await startAgentServer({ url: proxy.url, databaseTimeouts, isOff: true });
    const { call } = await tenantOf(broken);
    const agent = await agentPathOf(call);
    await proxy.cut();
    for (const [method, each, error, body] of [
      ['GET', path, 'Failed to list agents'],
      ['POST', path, 'Failed to create agent', { name: 'x' }],
      ['GET', agent, 'Failed to fetch agent'],
      ['DELETE', agent, 'Failed to delete agent'],
      ['POST', `${agent}/export`, 'Failed to export agent', {}],
      ['POST', `${agent}/heartbeat`, 'Failed to record heartbeat', beat],
      ['POST', `${agent}/metrics`, 'Failed to record metrics', report],
    ] as const) {
      const answer = await call(method, each, body);
      expect([answer.status, answer.body]).toEqual([500, { error }]);
    }
    await proxy.restore();
  });
});
