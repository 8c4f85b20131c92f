import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import * as liveness from '../../src/agents/liveness-statements.ts';
import * as series from '../../src/agents/series-statements.ts';
import * as telemetry from '../../src/agents/telemetry-statements.ts';
import { cleanUp } from '../support/cleanup.ts';
import { connectExplaining, explainAgain } from '../support/explain.ts';
import { createTestServices, signUp } from '../support/services.ts';
import { agentStage, type StagedAgent, telemetryOver } from './telemetry-stage.ts';

const { services, infrastructure, clock, url } = await createTestServices();
const { heartbeats, metricReports, series: sums } = telemetryOver(infrastructure);
const stage = agentStage(infrastructure);
const profileUuid = String((await signUp(services)).principal?.profileUuid);
const sql = new Client({ connectionString: url });
await sql.connect();
cleanUp(() => sql.end());

const beatAll = (agents: readonly StagedAgent[]) =>
  Promise.all(agents.map((agent) => heartbeats.record(agent, { mode: 'IDLE', uptimeSeconds: 1 })));

describe.each(['force_generic_plan', 'force_custom_plan'])(
  'with 20 000 agents and many days (G15), by a plan of %s',
  (mode) => {
    let agent: StagedAgent;
    let explaining: Client;

    beforeAll(async () => {
      explaining = await connectExplaining(url, mode);
      cleanUp(() => explaining.end());
      const { rows } = await sql.query(`SELECT count(*)::int AS count FROM agents WHERE name LIKE 'many%'`);
      for (let each = rows[0].count / 5_000; each < 4; each++) {
        const agents = await stage.agents(profileUuid, 5_000, { name: `many${each}-` });
        await sql.query(
          `UPDATE agent_liveness SET last_heartbeat_at = $2, deadline = $2::timestamptz + interval '30 seconds'
          WHERE agent_uuid = ANY($1::uuid[])`,
          [agents.map(({ uuid }) => uuid), clock.now()],
        );
      }
      agent = await stage.agent(profileUuid, { name: `of-${mode.replaceAll('_', '-')}` });
      await beatAll([agent]);
      await metricReports.record(agent, { cpuPercent: 1, memoryMb: 1, requestsHandled: 1, customMetrics: null });
      // Of thirty days, in partitions and in the default one.
      for (const [table, columns, values] of [
        ['agent_heartbeats', 'mode, uptime_seconds', `'IDLE', n`],
        ['agent_metrics', 'cpu_percent, memory_mb, requests_handled, custom_bytes', '1, 1, n, 0'],
      ])
        await sql.query(
          `INSERT INTO ${table} (agent_uuid, at, ${columns})
          SELECT $1, $2::timestamptz - n * interval '30 seconds', ${values} FROM generate_series(1, 86400) n`,
          [agent.uuid, clock.now()],
        );
      await sql.query('ANALYZE');
    });

    it.each<[string, number, () => Parameters<typeof explainAgain>[1] extends () => infer Asked ? Asked : never]>([
      ['the scan with no late agent', 2, () => liveness.due(clock.now(), null, 200)],
      [
        'the scan after another page',
        2,
        () => liveness.due(clock.now(), { agent_uuid: agent.uuid, deadline: clock.now() }, 200),
      ],
      ['the locks of a late agent', 4, () => liveness.lock(clock.now(), [agent.uuid])],
      [
        'the settling of an agent',
        4,
        () => liveness.settle([{ row: agent, deadline: null, unhealthySince: clock.now() }]),
      ],
      // One row of each of the partitions at most, until ten are together.
      ['the latest heartbeats', 10 + 40, () => telemetry.heartbeats(agent.uuid, 10, null)],
      [
        'heartbeats far behind',
        10 + 40,
        () => telemetry.heartbeats(agent.uuid, 10, { at: new Date(clock.now().getTime() - 86_400_000), id: '1' }),
      ],
      ['the latest reports', 10 + 40, () => telemetry.reports(agent.uuid, 10, 1_000_000, null)],
      [
        'one heartbeat',
        4,
        () => telemetry.recordHeartbeats(clock.now(), [{ agent, mode: 'IDLE' as const, uptimeSeconds: 1 }]),
      ],
      [
        'one report',
        4,
        () =>
          telemetry.recordReports(clock.now(), [
            { agent, cpuPercent: 1, memoryMb: 1, requestsHandled: 1, customMetrics: null, customBytes: 0 },
          ]),
      ],
      [
        'a batch of heartbeats',
        1_000 * 4,
        () =>
          telemetry.recordHeartbeats(
            clock.now(),
            Array.from({ length: 1_000 }, () => ({ agent, mode: 'IDLE' as const, uptimeSeconds: 1 })),
          ),
      ],
      [
        'the sums of a minute',
        40,
        () =>
          series.addUpMinutes([
            { agent_uuid: agent.uuid, minute: new Date(Math.floor(clock.now().getTime() / 60_000) * 60_000) },
          ]),
      ],
      ['the number of unhealthy agents', 2, () => liveness.unhealthy()],
    ])('%s reads at most %i rows', async (_what, rows, asked) => {
      expect((await explainAgain(explaining, asked)).rowsRead).toBeLessThanOrEqual(rows);
    });

    it('the aggregation costs more only with new reports', async () => {
      await sums.addUp();
      expect(await sums.addUp()).toBe(0);
    });
  },
);
