import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Prisma } from '../../prisma/generated/client/client.ts';
import { authorize, type Caller, type Principal } from '../platform/caller.ts';
import { isUniqueViolation } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { type FieldCheck, parse } from '../platform/input/input.ts';
import { rowIn } from '../platform/input/keyset.ts';
import { createListing } from '../platform/input/listing.ts';
import type { Platform } from '../platform/platform.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import {
  type AgentRecord,
  type AgentShape,
  agentNotFound,
  credentialContext,
  deploymentNameOf,
  liveAgentsMax,
  withoutCredential,
} from './agent.ts';
import type { History } from './history.ts';
import { AgentPageRequest, NewAgent } from './input.ts';
import { type AgentState, endedStates } from './lifecycle.ts';
import type { Orchestrator } from './orchestrator/orchestrator.ts';
import {
  type AgentPolicy,
  type AgentResources,
  defaultImage,
  imageMistake,
  resourceMistakes,
} from './orchestrator/policy.ts';
import type { createQuotas, Quotas } from './quotas.ts';
import type { OrchestratorOutcome, Settlements } from './settlement.ts';

export interface AgentSettings {
  /** Parent domain of the agents' host names. */
  readonly domain: string;
  readonly policy: AgentPolicy;
  readonly quotas: Quotas;
  /** Milliseconds that a request waits for the orchestrator. */
  readonly settleMs: number;
}

export interface AgentDependencies extends Pick<Platform, 'database' | 'clock'> {
  readonly secrets: Pick<Secrets, 'seal'>;
  readonly history: History;
  readonly settlements: Settlements;
  readonly orchestrator: Pick<Orchestrator, 'kind' | 'namespace'>;
  readonly quotas: Pick<ReturnType<typeof createQuotas>, 'guard'>;
  readonly issueCredential: () => { readonly secret: string; readonly hash: Buffer<ArrayBuffer> };
  readonly settings: AgentSettings;
}

interface AgentFilter {
  readonly state?: AgentState | null | undefined;
}

/** The agents that a principal may see. */
const agentsOf = ({ profileUuid }: Principal) => ({ profileUuid }) satisfies Prisma.AgentWhereInput;

const offMessage = 'The orchestrator is off; the agent is not deployed';
const pendingMessage = 'The orchestrator has not responded yet; the platform tries again';

export type Agents = ReturnType<typeof createAgents>;

/** Containerized agents of a profile. Source: docs/specification/agents.md. */
export function createAgents(deps: AgentDependencies) {
  const { database, clock, secrets, history, settlements, orchestrator, issueCredential, quotas, settings } = deps;
  const { prisma } = database;
  const isOff = orchestrator.kind === 'off';

  /** Which agents the caller may see, for relations that lead to them. */
  function visible(caller: Caller): Prisma.AgentWhereInput {
    return agentsOf(authorize(caller, 'agents:read'));
  }

  /**
   * The agents of the caller's profile, of one state or of any, the newest first, including ended ones.
   *
   * @see docs/specification/agents.md#list
   */
  const { connection, count, page } = createListing<'agents', AgentRecord, AgentShape, AgentFilter>({
    table: prisma.agent,
    action: 'agents:read',
    direction: 'desc',
    filter: (principal, { state }) => ({ ...agentsOf(principal), ...(state && { state }) }),
    columns: withoutCredential,
    rows: 'agents',
    pages: AgentPageRequest,
  });

  /**
   * An agent of the caller's profile.
   *
   * @throws {ApiError} `NOT_FOUND`, also for an agent of another profile.
   */
  async function find(caller: Caller, uuid: string, query: AgentShape = withoutCredential): Promise<AgentRecord> {
    return findIn(authorize(caller, 'agents:read'), uuid, query);
  }

  /** The same for the response of a change, which a key may request that may only write. */
  async function findChanged(
    caller: Caller,
    uuid: string,
    query: AgentShape = withoutCredential,
  ): Promise<AgentRecord> {
    return findIn(authorize(caller, 'agents:write'), uuid, query);
  }

  async function findIn(principal: Principal, uuid: string, query: AgentShape): Promise<AgentRecord> {
    return rowIn(prisma.agent, uuid, agentsOf(principal), query, agentNotFound);
  }

  /** The rules of the platform for the image and the resources of a new agent. */
  const mistakesOf: FieldCheck<z.output<typeof NewAgent>> = ({ image, resources }) => ({
    image: imageMistake(image ?? defaultImage, settings.policy.images),
    ...resourceMistakes(resourcesOf(resources, settings.policy.defaults), settings.policy),
  });

  /**
   * Creates an agent, and waits up to some seconds for its deployment. A deployment that fails is tried again by the reconciler.
   *
   * @param input.name DNS label of at most 63 characters, unique among the live agents of the profile.
   * @param input.idle_after_seconds Seconds without activity after which it is suspended: 60 to 2 592 000; never if left out.
   * @returns The agent as it was created, in state NEW, and what became of its deployment so far.
   * @throws {ApiError} `VALIDATION_ERROR`; `CONFLICT` for a name that a live agent of the profile has, and over 100 live agents.
   * @see docs/specification/agents.md#create
   */
  async function create(
    caller: Caller,
    input: z.input<typeof NewAgent>,
    query: AgentShape = withoutCredential,
  ): Promise<{ agent: AgentRecord; deployment: OrchestratorOutcome & { deploymentName: string } }> {
    const principal = authorize(caller, 'agents:write');
    const given = parse(NewAgent, input, mistakesOf);
    const uuid = randomUUID();
    const deploymentName = deploymentNameOf(given.name, uuid);
    // Committed by itself, also within a unit of work: the reconciler, in another process, must see the agent.
    const { result, settlement } = await database.outsideUnit(() =>
      settlements.afterChange(
        uuid,
        () => insert(principal, uuid, deploymentName, given, query),
        ({ appliedRevision, attempts }) => appliedRevision > 0 || attempts > 0,
        isOff ? 0 : settings.settleMs,
      ),
    );
    const success = (settlement?.appliedRevision ?? 0) > 0;
    const message = success
      ? `Agent ${given.name} deployed successfully`
      : isOff
        ? offMessage
        : (settlement?.lastError ?? pendingMessage);
    return { agent: result, deployment: { success, message, deploymentName } };
  }

  async function insert(
    { profileUuid }: Principal,
    uuid: string,
    deploymentName: string,
    { name, description, image, resources, idle_after_seconds: idleAfterSeconds }: z.output<typeof NewAgent>,
    query: AgentShape,
  ): Promise<AgentRecord> {
    const { secret, hash } = issueCredential();
    const wanted = resourcesOf(resources, settings.policy.defaults);
    const now = clock.now();
    const data = {
      uuid,
      profileUuid,
      name,
      state: 'NEW',
      description: description ?? null,
      idleAfterSeconds: idleAfterSeconds ?? null,
      image: image ?? defaultImage,
      cpuRequest: wanted.cpu_request,
      memoryRequest: wanted.memory_request,
      cpuLimit: wanted.cpu_limit,
      memoryLimit: wanted.memory_limit,
      orchestratorNamespace: orchestrator.namespace,
      orchestratorDeployment: deploymentName,
      dnsName: `${name}.${settings.domain}`,
      credentialHash: hash,
      credential: secrets.seal(secret, credentialContext(uuid)),
      createdAt: now,
      updatedAt: now,
    };
    try {
      const { agent, publish } = await database.transaction(async (tx) => {
        const checkQuota = await quotas.guard(tx, profileUuid);
        // Locked before the count, so that two requests at once cannot both take the last place.
        await tx.query({
          text: 'SELECT 1 FROM profiles WHERE uuid = $1 FOR NO KEY UPDATE',
          values: [profileUuid],
        });
        const live = { profileUuid, state: { notIn: [...endedStates] } };
        if ((await tx.prisma.agent.count({ where: { ...live, name } })) > 0) throw nameTaken();
        if ((await tx.prisma.agent.count({ where: live })) >= liveAgentsMax)
          throw new ApiError('CONFLICT', `A profile can have at most ${liveAgentsMax} live agents`);
        const agent = await tx.prisma.agent.create({ ...query, data });
        await checkQuota();
        await tx.prisma.agentLiveness.create({ data: { agentUuid: uuid } });
        // The clock of the database decides which agents are due. The clock of this process may be ahead.
        await tx.query({
          name: 'agents_due_at_once',
          text: 'UPDATE agents SET due_at = coalesce($2::timestamptz, clock_timestamp()) WHERE uuid = $1',
          values: [uuid, clock.pinned()],
        });
        const subject = { uuid, profileUuid, name };
        return {
          agent,
          publish: await history.record(tx, 'CREATED', 'user', [{ agent: subject, from: null, to: 'NEW' }]),
        };
      });
      publish();
      return agent;
    } catch (error) {
      if (isUniqueViolation(error)) throw nameTaken();
      throw error;
    }
  }

  return { mistakesOf, visible, page, connection, count, find, findChanged, create };
}

const nameTaken = () => new ApiError('CONFLICT', 'Agent with this name already exists');

/** With the defaults filled in. */
const resourcesOf = (given: z.output<typeof NewAgent>['resources'], defaults: AgentResources): AgentResources => ({
  cpu_request: given?.cpu_request ?? defaults.cpu_request,
  memory_request: given?.memory_request ?? defaults.memory_request,
  cpu_limit: given?.cpu_limit ?? defaults.cpu_limit,
  memory_limit: given?.memory_limit ?? defaults.memory_limit,
});
