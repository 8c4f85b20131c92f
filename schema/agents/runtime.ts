import type { LogLine, PodEvent } from '../../src/agents/index.ts';
import { builder } from '../builder.ts';
import { optionalTime } from '../optional.ts';
import { query } from '../query.ts';

const Line = builder.objectRef<LogLine>('AgentLogLine').implement({
  description: 'A line of the log of an agent.',
  fields: (t) => ({
    at: t.expose('at', optionalTime('Time of the line, if the orchestrator reports it.')),
    text: t.exposeString('text', { description: 'The line, without its end.' }),
  }),
});

const Event = builder.objectRef<PodEvent>('AgentPodEvent').implement({
  description: 'An event of the deployment or of a pod of an agent.',
  fields: (t) => ({
    type: t.exposeString('type', { description: '`Normal` or `Warning`.' }),
    reason: t.exposeString('reason', { description: 'Reason in one word, such as `BackOff`.' }),
    message: t.exposeString('message', { description: 'The reason as a sentence.' }),
    count: t.exposeInt('count', { description: 'Number of occurrences that the cluster has counted.' }),
    lastAt: t.expose('lastAt', { type: 'DateTime', description: 'Time at which it happened last.' }),
  }),
});

const uuidArg = { required: true, description: 'UUID of the agent.' } as const;
const tailArg = { description: 'Number of the last lines: 1 to 1000, 100 by default.' } as const;

query('agentLogLines', {
  type: [Line],
  description: 'The last lines of the log of an agent, the oldest first.',
  args: (arg) => ({ uuid: arg.string(uuidArg), tail: arg.int(tailArg) }),
  extensions: { rateLimit: 'agents', defaultLength: 1_000 },
  resolve: (_root, { uuid, tail }, { caller, services }) => services.agents.runtime.logs(caller, uuid, { tail }),
});

query('agentPodEvents', {
  type: [Event],
  description: 'The latest events of the deployment and the pods of an agent, the newest first.',
  args: (arg) => ({ uuid: arg.string(uuidArg) }),
  extensions: { rateLimit: 'agents', defaultLength: 50 },
  resolve: (_root, { uuid }, { caller, services }) => services.agents.runtime.podEvents(caller, uuid),
});

builder.subscriptionField('agentLogs', (t) =>
  t.field({
    type: Line,
    description: 'The log of an agent: its last lines, then each new one.',
    args: { agentUuid: t.arg.string(uuidArg), tail: t.arg.int(tailArg) },
    extensions: { rateLimit: 'agents' },
    subscribe: (_root, { agentUuid, tail }, { caller, services }) =>
      services.agents.runtime.follow(caller, agentUuid, { tail }),
    resolve: (line) => line,
  }),
);
