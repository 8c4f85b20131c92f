import { systemClock } from '../../src/platform/clock.ts';
import { each, fillBy, type GrowthArea, get, graphql, send, valuesOf } from './stage.ts';

/** A hundred agents live, the others have ended; one has all the history, telemetry and intervals of use. */
export const agents: GrowthArea = {
  name: 'agents',
  page: 'agents',
  async fill(pool, { owner, own }) {
    await fillBy(
      pool,
      `WITH made AS (
          INSERT INTO agents (uuid, profile_uuid, name, state, image, cpu_request, memory_request, cpu_limit, memory_limit,
            orchestrator_namespace, orchestrator_deployment, dns_name, credential_hash, credential, created_at, updated_at)
          SELECT u, $1, 'agent-' || n, CASE WHEN n <= 100 THEN 'ACTIVE' ELSE 'TERMINATED' END, 'image', '1', '1', '1', '1', 'agents', u::text,
            u::text, uuid_send(u), '', now() - n * interval '1 second', now()
          FROM (SELECT n, gen_random_uuid() AS u FROM generate_series(1, $2::int) n) numbered RETURNING uuid)
        INSERT INTO agent_liveness (agent_uuid, last_heartbeat_at, deadline) SELECT uuid, now(), now() + interval '1 year' FROM made`,
      [owner.profileUuid, own],
    );
    const [agent] = await first(pool, owner.profileUuid);
    await fillBy(
      pool,
      `INSERT INTO agent_events (agent_uuid, profile_uuid, event_type, from_state, to_state, metadata, occurred_at)
        SELECT $1, $2, 'RESTARTED', 'ACTIVE', 'ACTIVE', '{}', now() - ($3::int - n) * interval '30 days' / $3::int FROM generate_series(1, $3::int) n`,
      [agent, owner.profileUuid, own],
    );
    for (const [table, columns, values] of [
      ['agent_heartbeats', 'mode, uptime_seconds', `'IDLE', n`],
      ['agent_metrics', 'cpu_percent, memory_mb, requests_handled, custom_bytes', '1, 1, n, 0'],
    ])
      await fillBy(
        pool,
        `INSERT INTO ${table} (agent_uuid, at, ${columns})
          SELECT $1, now() - n * interval '30 days' / $2::int, ${values} FROM generate_series(1, $2::int) n`,
        [agent, own],
      );
    await fillBy(
      pool,
      `INSERT INTO agent_metric_buckets (agent_uuid, seconds, at, samples, cpu_percent_average, cpu_percent_max, memory_mb_average, memory_mb_max, requests_handled)
        SELECT $1, 60, date_trunc('minute', now()) - n * interval '1 minute', 1, 1, 1, 1, 1, 1 FROM generate_series(1, $2::int) n`,
      [agent, own],
    );
    // A year of intervals: the list by days goes over 30 days of them.
    await fillBy(
      pool,
      `INSERT INTO agent_usage (agent_uuid, profile_uuid, cpu_millicores, memory_bytes, started_at, ended_at, cpu_before, memory_before)
        SELECT $1, $2, 1000, 1000, at, at + interval '1 second', n, n FROM generate_series(1, $3::int) n,
          LATERAL (SELECT now() - ($3::int - n + 1) * interval '365 days' / $3::int AS at) clock`,
      [agent, owner.profileUuid, own],
    );
  },
  async operations(pool, { owner, own }) {
    const [uuid] = await first(pool, owner.profileUuid);
    const variables = { uuid };
    const now = systemClock.now().getTime();
    const [from, to] = [new Date(now - 3_600_000 * 12).toISOString(), new Date(now).toISOString()];
    return [
      { name: 'list', calls: [get('/api/agents?limit=20')] },
      { name: 'last page', calls: [get(`/api/agents?limit=20&offset=${own - 20}`)] },
      { name: 'one', calls: [get(`/api/agents/${uuid}`)] },
      { name: 'usage of one', calls: [get(`/api/agents/${uuid}/usage`)] },
      { name: 'usage of the last 30 days', calls: [graphql('{ agentUsage { cpuHours days { day cpuHours } } }')] },
      { name: 'connection, first page', calls: [graphql('{ agents(first: 20) { nodes { name } } }')] },
      { name: 'connection, active', calls: [graphql('{ agents(first: 20, state: ACTIVE) { nodes { name } } }')] },
      { name: 'connection, total', calls: [graphql('{ agents(first: 0) { totalCount } }')] },
      {
        name: 'history and telemetry',
        calls: [
          graphql(
            `query ($uuid: String!) { agent(uuid: $uuid) { lifecycleEvents(first: 20) { eventType }
              recentHeartbeats(first: 20) { mode } recentMetrics(first: 20) { cpuPercent } cost { cpuHours } } }`,
            variables,
          ),
        ],
      },
      {
        name: 'series of 12 hours',
        calls: [
          graphql(
            `query ($uuid: String!, $from: DateTime!, $to: DateTime!) {
              agentMetricSeries(uuid: $uuid, from: $from, to: $to, resolution: MINUTE) { at samples } }`,
            { uuid, from, to },
          ),
        ],
      },
      { name: 'quota', calls: [graphql('{ agentQuota { agents { used } } }')] },
      {
        name: 'heartbeat',
        calls: [send('POST', `/api/agents/${uuid}/heartbeat`, { mode: 'IDLE', uptime_seconds: 1 })],
      },
      {
        name: 'metrics',
        calls: each([1, 2], (requests_handled) =>
          send('POST', `/api/agents/${uuid}/metrics`, { cpu_percent: 1, memory_mb: 1, requests_handled }),
        ),
      },
    ];
  },
};

const first = (pool: Parameters<typeof valuesOf>[0], profileUuid: string) =>
  valuesOf<string>(pool, 'SELECT uuid FROM agents WHERE profile_uuid = $1 ORDER BY created_at DESC LIMIT 1', [
    profileUuid,
  ]);
