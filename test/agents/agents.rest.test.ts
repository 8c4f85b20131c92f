import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { defaultImage } from '../../src/agents/index.ts';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { type Call, callerOf, tenantOf } from '../support/server.ts';
import { nil, startAgentServer, uuidPattern } from './agent-stage.ts';
import { readyStatus, unreachable } from './scripted-orchestrator.ts';

const server = await startAgentServer();
const { clock, scripted } = server;
const path = '/api/agents';

const made = async (call: Call, name = 'worker', over: object = {}) => {
  const { status, body } = await call('POST', path, { name, ...over });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
let names = 0;
/** A host that no other agent of this file holds. */
const fresh = () => `worker-${++names}`;

describe('POST /api/agents', () => {
  it(
    'answers the new agent in state NEW with every default, and its deployment',
    verifies('agents.create', 'agents.defaults'),
    async () => {
      const { call } = await tenantOf(server);
      const name = fresh();
      const body = await made(call, name);
      expect(body).toEqual({
        agent: {
          uuid: expect.stringMatching(uuidPattern),
          name,
          dns_name: `${name}.agents.localhost`,
          state: 'NEW',
          orchestrator_namespace: 'agents',
          orchestrator_deployment: `${name}-${body.agent.uuid.replaceAll('-', '').slice(0, 12)}`,
          created_at: clock.now().toISOString(),
          provisioned_at: null,
          activated_at: null,
          terminated_at: null,
          last_heartbeat_at: null,
          metadata: {
            description: null,
            image: defaultImage,
            resources: { cpu_request: '100m', memory_request: '256Mi', cpu_limit: '1000m', memory_limit: '1Gi' },
          },
        },
        deployment: {
          success: true,
          message: `Agent ${name} deployed successfully`,
          deploymentName: body.agent.orchestrator_deployment,
        },
      });
      const { body: details } = await call('GET', `${path}/${body.agent.uuid}`);
      expect(details.agent).toEqual({
        ...body.agent,
        state: 'PROVISIONED',
        provisioned_at: clock.now().toISOString(),
      });
    },
  );

  it(
    'keeps description, image and resources as given, and adds defaults',
    verifies('agents.create', 'agents.defaults'),
    async () => {
      const { call } = await tenantOf(server);
      const description = 'Reads "papers": {a: &b *c}\n---\nkind: Secret';
      const { agent } = await made(call, fresh(), {
        description,
        image: 'ghcr.io/acme/agent:1.2',
        resources: { cpu_limit: '2', memory_request: null },
      });
      expect(agent.metadata).toEqual({
        description,
        image: 'ghcr.io/acme/agent:1.2',
        resources: { cpu_request: '100m', memory_request: '256Mi', cpu_limit: '2', memory_limit: '1Gi' },
      });
      const deployed = scripted.deployments.get(agent.orchestrator_deployment);
      expect(deployed).toMatchObject({ image: 'ghcr.io/acme/agent:1.2', agentUuid: agent.uuid });
      expect(JSON.stringify(deployed)).not.toContain('papers');
    },
  );

  it('ignores what a client must not set', async () => {
    const { call } = await tenantOf(server);
    const other = await tenantOf(server);
    const forged = { uuid: nil, state: 'ACTIVE', profileUuid: other.caller.principal?.profileUuid, dns_name: 'x.test' };
    const { agent } = await made(call, fresh(), { ...forged, created_at: '2000-01-01T00:00:00Z' });
    expect(agent).toMatchObject({ state: 'NEW', created_at: clock.now().toISOString() });
    expect(agent.uuid).not.toBe(nil);
    expect((await other.call('GET', path)).body).toEqual([]);
  });

  const dnsSafe = 'Name must be DNS-safe: lowercase alphanumeric and hyphens only';
  const tooLong = 'Name must be at most 63 characters';
  const reserved = 'Name must not begin with kube- or xn--';
  it.each([
    ['left out', undefined, 'Name is required'],
    ['null', null, 'Name is required'],
    ['empty', '', 'Name is required'],
    ['a number', 7, 'Name is required'],
    ['a list', ['a'], 'Name is required'],
    ['of 64 characters', 'a'.repeat(64), tooLong],
    ['of 30 000 characters', 'A'.repeat(30_000), tooLong],
    ...['-a', 'a-', 'A', 'a.b', 'a\n', '\na', 'a_b', 'a b', 'ä', '-', ' a', 'a\u0000'].map((name) => [
      JSON.stringify(name),
      name,
      dnsSafe,
    ]),
    ['of punycode', 'xn--80ak6aa92e', reserved],
    ['kube-system', 'kube-system', reserved],
  ] as [string, unknown, string][])(
    'G02: refuses a name that is %s',
    verifies('agents.name'),
    async (_what, name, error) => {
      const { call } = await tenantOf(server);
      const answer = await call('POST', path, { name });
      expect([answer.status, answer.body]).toEqual([400, { error }]);
      expect((await call('GET', path)).body).toEqual([]);
    },
  );

  it.each(['a', '0', 'a--b', `${'a'.repeat(62)}9`, '9-9'])(
    'G02: takes the name %s',
    verifies('agents.name'),
    async (name) => {
      const { call } = await tenantOf(server);
      const { agent } = await made(call, name);
      expect(agent.name).toBe(name);
      expect(agent.orchestrator_deployment).toMatch(/^[a-z][-a-z0-9]{0,61}[a-z0-9]$/);
    },
  );

  it.each([
    [{ image: 'evil image' }, 'image must be a container image reference, such as ghcr.io/acme/agent:1.2'],
    [{ image: 'a;reboot' }, 'image must be a container image reference, such as ghcr.io/acme/agent:1.2'],
    [{ resources: { cpu_limit: '1e9' } }, null],
    [{ resources: { cpu_request: '-1' } }, 'cpu_request must be an amount of CPU, such as 100m or 0.5'],
    [{ resources: { memory_limit: '100Gi' } }, 'memory_limit must be at most 8Gi'],
    [{ resources: { cpu_limit: '50m' } }, 'cpu_request (100m) must be at most cpu_limit (50m)'],
    [{ resources: { memory_request: '2Gi' } }, 'memory_request (2Gi) must be at most memory_limit (1Gi)'],
    [{ resources: { cpu_limit: 1 } }, null],
    [{ resources: 'all' }, 'resources must be an object'],
    [{ description: 'x'.repeat(2_001) }, 'description must be at most 2000 characters'],
    [{ description: 'a\u0000' }, null],
    [{ description: 7 }, null],
  ] as [object, string | null][])('G08: refuses the case %#', verifies('agents.policy'), async (over, error) => {
    const { call } = await tenantOf(server);
    const answer = await call('POST', path, { name: fresh(), ...over });
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, ['error']]);
    if (error) expect(answer.body.error).toBe(error);
    expect((await call('GET', path)).body).toEqual([]);
  });

  it('names every wrong field at once', async () => {
    const { call } = await tenantOf(server);
    const { body } = await call('POST', path, { name: 'A', image: 'evil image', resources: { cpu_request: '-1' } });
    for (const part of [dnsSafe, 'image must be', 'cpu_request must be']) expect(body.error).toContain(part);
  });

  it(
    'G08: in production runs the default image alone, unless the operator allows others',
    verifies('agents.policy'),
    async () => {
      const strict = await startAgentServer({ environment: { AGENT_IMAGES: 'docker.io/nginxinc/nginx-unprivileged' } });
      const { call } = await tenantOf(strict);
      const answer = await call('POST', path, { name: 'evil', image: 'evil/x' });
      expect([answer.status, answer.body]).toEqual([
        400,
        { error: 'image is not allowed on this platform; allowed: docker.io/nginxinc/nginx-unprivileged' },
      ]);
      expect((await call('POST', path, { name: 'good' })).status).toBe(200);
    },
  );

  it(
    'refuses the name of a live agent of the profile with 409; it is free again once that one has ended',
    verifies('agents.name.unique'),
    async () => {
      const { call } = await tenantOf(server);
      const name = fresh();
      const { agent } = await made(call, name);
      const again = await call('POST', path, { name });
      expect([again.status, again.body]).toEqual([409, { error: 'Agent with this name already exists' }]);
      expect((await call('DELETE', `${path}/${agent.uuid}`)).status).toBe(200);
      const next = await made(call, name);
      expect(next.agent.uuid).not.toBe(agent.uuid);
      expect(next.agent.orchestrator_deployment).not.toBe(agent.orchestrator_deployment);
      expect(next.deployment.success).toBe(true);
    },
  );

  it('G01: of two at once one is 200 and one 409, with one deployment', verifies('agents.name.unique'), async () => {
    const { call } = await tenantOf(server);
    const name = fresh();
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', path, { name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect([...scripted.deployments.values()].filter((each) => each.name === name)).toHaveLength(1);
  });

  it(
    'G05: with the cluster away answers NEW and success false, and deploys once it is back',
    verifies('agents.create.unreachable'),
    async () => {
      const { call } = await tenantOf(server);
      const name = fresh();
      scripted.fail(`apply ${name}`, { before: unreachable() });
      const { agent, deployment } = await made(call, name);
      expect(agent.state).toBe('NEW');
      expect(deployment).toEqual({
        success: false,
        message: 'The cluster does not answer',
        deploymentName: agent.orchestrator_deployment,
      });
      const { body } = await call('GET', `${path}/${agent.uuid}`);
      expect(body.agent).toMatchObject({ state: 'NEW', provisioned_at: null });
      expect(body.lifecycleEvents[0]).toMatchObject({
        event_type: 'ERROR',
        metadata: { triggered_by: 'system', reason: 'unreachable', message: 'The cluster does not answer' },
      });
      scripted.heal();
      clock.advance(2_000);
      await eventually('it is deployed', async () => {
        const { body: later } = await call('GET', `${path}/${agent.uuid}`);
        return later.agent.state === 'PROVISIONED';
      });
    },
  );

  it('runs once for an Idempotency-Key', verifies('agents.create.once'), async () => {
    const { call } = await tenantOf(server);
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { name: fresh() };
    const [first, again] = [await call('POST', path, body, headers), await call('POST', path, body, headers)];
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await call('GET', path)).body).toHaveLength(1);
    const other = await call('POST', path, { name: fresh() }, headers);
    expect([other.status, Object.keys(other.body), typeof other.body.error]).toEqual([422, ['error'], 'string']);
  });
});

describe('the orchestrator that is off', () => {
  it('answers success false, and lets an agent end', verifies('agents.off'), async () => {
    const off = await startAgentServer({ isOff: true });
    const { call } = await tenantOf(off);
    const { agent, deployment } = await made(call, 'worker');
    expect(deployment).toEqual({
      success: false,
      message: 'The orchestrator is off; the agent is not deployed',
      deploymentName: agent.orchestrator_deployment,
    });
    expect((await call('GET', `${path}/${agent.uuid}`)).body.orchestratorStatus).toBeNull();
    for (const state of ['ACTIVE', 'DRAINING']) {
      const each = await made(call, state.toLowerCase());
      await off.database.query({
        text: 'UPDATE agents SET state = $2, applied_revision = 1, drain_until = $3 WHERE uuid = $1',
        values: [each.agent.uuid, state, state === 'DRAINING' ? new Date('2100-01-01') : null],
      });
      const answer = await call('DELETE', `${path}/${each.agent.uuid}`);
      expect(answer.body.orchestrator).toEqual({ success: true, message: 'Agent terminated successfully' });
      expect((await call('GET', `${path}/${each.agent.uuid}`)).body.agent.state).toBe('TERMINATED');
    }
  });
});

describe('orchestratorStatus', () => {
  it(
    'is what the orchestrator last reported, without what the specification does not name',
    verifies('agents.status'),
    async () => {
      const { call } = await tenantOf(server);
      const { agent } = await made(call, fresh());
      const statusOf = async () => (await call('GET', `${path}/${agent.uuid}`)).body.orchestratorStatus;
      expect(await statusOf()).toBeNull();
      scripted.tell(agent.orchestrator_deployment, readyStatus());
      const { revision: _r, failure: _f, ...documented } = readyStatus();
      expect(await eventually('it is stored', statusOf)).toEqual(documented);
      await call('DELETE', `${path}/${agent.uuid}`);
      expect(await statusOf()).toBeNull();
    },
  );
});

describe('without a key', () => {
  it.each([
    ['GET', path],
    ['POST', path],
    ['GET', `${path}/${nil}`],
    ['DELETE', `${path}/${nil}`],
    ['POST', `${path}/${nil}/export`],
    ['POST', `${path}/${nil}/heartbeat`],
    ['POST', `${path}/${nil}/metrics`],
  ])('%s %s is 401 Unauthorized', verifies('agents.unauthorized'), async (method, each) => {
    for (const key of [null, 'pbk_wrong', `pba_${'a'.repeat(49)}`]) {
      const answer = await callerOf(server, key)(method, each, method === 'POST' ? {} : undefined);
      expect([answer.status, answer.body]).toEqual([401, { error: 'Unauthorized' }]);
    }
  });
});
