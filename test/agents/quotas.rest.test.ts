import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { tenantOf } from '../support/server.ts';
import { startAgentServer } from './agent-stage.ts';

const server = await startAgentServer({
  environment: {
    AGENT_QUOTAS: '{"free": {"cpu": "2500m", "memory": "3Gi", "agents": 4}, "*": {"agents": 1}}',
    AGENT_DEFAULTS: '{"cpuLimit": "1", "memoryLimit": "512Mi"}',
  },
});
let names = 0;

async function projectOf() {
  const { call, graphql } = await tenantOf(server);
  const create = (resources?: object) => call('POST', '/api/agents', { name: `quota-${++names}`, resources });
  const made = async (resources?: object) => `/api/agents/${(await create(resources)).body.agent.uuid}`;
  const quota = async () =>
    (await graphql('{ agentQuota { cpu { used limit } memory { used limit } agents { used limit } } }')).data
      .agentQuota;
  return { call, create, made, quota };
}
const apiError = (what: string) => ({ error: `The project's quota is exceeded: ${what}` });

describe("a project's quota", () => {
  it(
    'refuses a larger amount, naming it, and shows the use',
    verifies('agents.quota', 'agents.defaults-of-installation'),
    async () => {
      const { call, create, made, quota } = await projectOf();
      const [first, second] = [await made(), await made()];
      const { status, body } = await create();
      expect([status, body]).toEqual([
        409,
        apiError('CPU limits would be 3 cores, 0.5 cores over the 2.5 cores allowed'),
      ]);
      expect(await quota()).toEqual({
        cpu: { used: 2, limit: 2.5 },
        memory: { used: 1, limit: 3 },
        agents: { used: 2, limit: 4 },
      });
      const grown = await call('POST', `${first}/redeploy`, { resources: { memory_limit: '4Gi' } });
      expect([grown.status, grown.body]).toEqual([
        409,
        apiError('memory limits would be 4.5 GiB, 1.5 GiB over the 3 GiB allowed'),
      ]);
      expect((await call('POST', `${first}/suspend`)).status).toBe(200);
      await made();
      for (const what of ['resume', 'wake']) expect((await call('POST', `${first}/${what}`)).status).toBe(409);
      expect((await call('POST', `${second}/redeploy`, { resources: { cpu_limit: '500m' } })).status).toBe(200);
      expect((await call('POST', `${first}/resume`)).status).toBe(200);
      expect((await quota()).cpu).toEqual({ used: 2.5, limit: 2.5 });
      await call('DELETE', first);
      expect((await quota()).agents.used).toBe(2);
      expect((await (await projectOf()).quota()).agents.used).toBe(0);
    },
  );

  it('is not passed by requests at once', verifies('agents.quota'), async () => {
    const { call, create, made, quota } = await projectOf();
    const created = await Promise.all(Array.from({ length: 4 }, () => create()));
    expect(created.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    const paths = created.flatMap(({ body }) => (body.agent ? [`/api/agents/${body.agent.uuid}`] : []));
    for (const path of paths) await call('POST', `${path}/suspend`);
    for (let more = 0; more < 2; more++) {
      paths.push(await made());
      await call('POST', `${paths.at(-1)}/suspend`);
    }
    const resumed = await Promise.all(paths.map((path) => call('POST', `${path}/resume`)));
    expect(resumed.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    expect(await quota()).toMatchObject({ cpu: { used: 2 }, agents: { used: 4 } });
  });
});
