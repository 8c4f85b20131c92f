import type { Agent, Prisma } from '../../prisma/generated/client/client.ts';
import { ApiError } from '../platform/errors.ts';

/** An agent as others than this area see it. */
export type AgentRecord = Omit<Agent, 'credential' | 'credentialHash'>;
export type AgentShape = Pick<Prisma.AgentFindManyArgs, 'select' | 'include' | 'omit'>;

/** Columns of an agent that are read by default. */
export const withoutCredential = { omit: { credential: true, credentialHash: true } } as const satisfies AgentShape;

/** The same for an agent that does not exist, a malformed id, and an agent of another profile. Source: docs/specification/errors.md#agent-errors. */
export const agentNotFound = () => new ApiError('NOT_FOUND', 'Agent not found');

/** The context of the credential's encryption. */
export const credentialContext = (uuid: string): string => `agent ${uuid} credential`;

/** Live agents of a profile. */
export const liveAgentsMax = 100;

/**
 * The name of an agent's deployment and of all objects beside it: at most 63 characters, begins with a letter as the
 * name of a Service must, and ends with a part of the agent's uuid, so that equal names of several profiles do not
 * collide.
 */
export function deploymentNameOf(name: string, uuid: string): string {
  const suffix = uuid.replaceAll('-', '').slice(0, 12);
  const label = /^[a-z]/.test(name) ? name : `a-${name}`;
  let stem = label.slice(0, 50);
  while (stem.endsWith('-')) stem = stem.slice(0, -1);
  return `${stem}-${suffix}`;
}
