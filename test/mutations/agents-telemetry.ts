import { mutationsOf } from './mutation.ts';

export const agentsTelemetry = mutationsOf('agents', [
  [
    'heartbeat-of-profile',
    'telemetry-statements.ts',
    `AS g (agent_uuid, profile_uuid, mode, uptime_seconds, place)
          JOIN agents a ON a.uuid = g.agent_uuid AND a.profile_uuid = g.profile_uuid`,
    `AS g (agent_uuid, profile_uuid, mode, uptime_seconds, place)
          JOIN agents a ON a.uuid = g.agent_uuid`,
    'A heartbeat is taken from the profile of the agent alone.',
    ['heartbeats.service'],
  ],
  [
    'report-of-profile',
    'telemetry-statements.ts',
    `custom_metrics, custom_bytes, place)
          JOIN agents a ON a.uuid = g.agent_uuid AND a.profile_uuid = g.profile_uuid`,
    `custom_metrics, custom_bytes, place)
          JOIN agents a ON a.uuid = g.agent_uuid`,
    'A metric report is taken from the profile of the agent alone.',
    ['metric-reports.service'],
  ],
  [
    'watched-states',
    'telemetry-statements.ts',
    "(state) => state !== 'NEW' && !isEnded(state)",
    '(state) => !isEnded(state) || state',
    'An agent that has ended is not watched, and never becomes unhealthy.',
    ['liveness.service', 'heartbeats.service'],
  ],
  [
    'deadline-stays',
    'telemetry-statements.ts',
    "AND l.deadline >= excluded.last_heartbeat_at + ${intervalOf('excluded.mode')} / 2 THEN l.deadline",
    "AND l.deadline >= excluded.last_heartbeat_at + ${intervalOf('excluded.mode')} THEN l.deadline",
    'Most heartbeats change no index.',
    ['telemetry.slow', 'heartbeats.service'],
  ],
  [
    'deadline-of-shorter-mode',
    'telemetry-statements.ts',
    'WHEN l.deadline <= excluded.deadline\n',
    'WHEN l.deadline IS NOT NULL\n',
    'A shorter mode is watched by its own interval.',
    ['liveness.service', 'heartbeats.service'],
  ],
  [
    'one-activation',
    'activation.ts',
    "if (agent.state !== 'PROVISIONED') return () => {};",
    "if (agent.state === 'NEW') return () => {};",
    'First heartbeats that come at once make one transition.',
    ['heartbeats.service'],
  ],
  [
    'late-by-last-heartbeat',
    'liveness.ts',
    'return deadline > now ?',
    'return deadline >= now ?',
    'An agent is unhealthy after exactly one interval without a heartbeat.',
    ['liveness.service'],
  ],
  [
    'broken-agent-alone',
    'liveness.ts',
    'if (agentUuids.length === 1) {',
    'if (agentUuids.length >= 1) {',
    'An agent that cannot be settled stops none of the others.',
    ['liveness.service'],
  ],
  [
    'bad-row-alone',
    'combined.ts',
    'if (call.length === 1 ||',
    'if (call.length >= 1 ||',
    'A heartbeat that cannot be stored fails alone.',
    ['heartbeats.service'],
  ],
  [
    'recovery-once',
    'recovery.ts',
    'AND unhealthy_since IS NOT NULL ORDER BY',
    'ORDER BY',
    'An agent recovers once.',
    ['liveness.service'],
  ],
  [
    'series-next-minute',
    'series-statements.ts',
    "date_trunc('minute', following.at, 'UTC') FROM touched",
    't.minute FROM touched',
    'A late report counts no request twice.',
    ['series.service'],
  ],
  [
    'partitions-kept',
    'partitions.ts',
    'if (start + table.days * dayMs > oldest) continue;',
    'if (start > oldest) continue;',
    'A partition is dropped when all of its rows are too old.',
    ['partitions.service'],
  ],
]);
