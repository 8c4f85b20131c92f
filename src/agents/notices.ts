import type { Notifications } from '../notifications/index.ts';
import type { AgentEventFacts } from './history.ts';

export type NotifyAll = Notifications['notifyAll'];
type Notices = Parameters<NotifyAll>[1];
type Notice = Notices extends ReadonlyMap<string, infer One> ? One : never;

/** Agents that one notification names. The metadata of a notification is at most 16 kB. */
const namedMax = 50;
/** The same in its text. */
const namedInTextMax = 10;

/**
 * Notifications about agents that missed their heartbeat or recovered: one for each profile, even if a failure of a
 * node affects many of its agents.
 */
export function noticesOf(what: 'unhealthy' | 'recovered', facts: readonly AgentEventFacts[]): Notices {
  const byProfile = Map.groupBy(facts, ({ agent }) => agent.profileUuid);
  return new Map([...byProfile].map(([profileUuid, list]) => [profileUuid, noticeOf(what, list)]));
}

function noticeOf(what: 'unhealthy' | 'recovered', facts: readonly AgentEventFacts[]): Notice {
  const names = facts.slice(0, namedInTextMax).map(({ agent }) => agent.name);
  const more = facts.length > namedInTextMax ? ` and ${facts.length - namedInTextMax} more` : '';
  const subject = facts.length === 1 ? `Agent ${names[0]}` : `${facts.length} agents (${names.join(', ')}${more})`;
  const metadata = {
    count: facts.length,
    agents: facts.slice(0, namedMax).map(({ agent }) => ({ agent_uuid: agent.uuid, agent_name: agent.name })),
  };
  if (what === 'recovered')
    return {
      type: 'SUCCESS',
      severity: 'SUCCESS',
      title: 'Agent recovered',
      message: `${subject} sent a heartbeat again.`,
      metadata,
    };
  return {
    type: 'agent_unhealthy',
    severity: 'ALERT',
    title: 'Agent unhealthy',
    message: `${subject} sent no heartbeat within the interval of its mode.`,
    metadata: { error_code: unhealthyCode, ...metadata },
  };
}

/** Code of the condition AGENT_UNHEALTHY. It is never an HTTP status. Source: docs/specification/agents.md#unhealthy-agents. */
export const unhealthyCode = 480;
