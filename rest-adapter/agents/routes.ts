import type { z } from 'zod';
import { AgentPageRequest, DrainRequest, NewAgent, Redeployment } from '../../src/agents/input.ts';
import { agentErrors } from '../errors.ts';
import {
  type AgentFieldsFragment,
  CreateAgentDocument,
  DeleteAgentDocument,
  DrainAgentDocument,
  ListAgentsDocument,
  RedeployAgentDocument,
  RestartAgentDocument,
  ResumeAgentDocument,
  SuspendAgentDocument,
} from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import { type agentAnswer, agentsAnswer, changedAnswer, createdAnswer, deletedAnswer } from './answers.ts';
import * as reference from './reference.ts';

const shared = { tag: 'Agents', access: 'caller' } as const;
const changed = {
  ...shared,
  method: 'POST',
  errors: agentErrors('Failed to update agent'),
  answer: changedAnswer,
} as const;

/** The paths of agents. Source: spec.md, Agents; gaps.md, Agents; below /api/agents/{uuid} also operations of our own. */
export const agentRoutes: readonly Route[] = [
  route({
    ...shared,
    method: 'GET',
    path: '/api/agents',
    errors: agentErrors('Failed to list agents'),
    reference: reference.listAgents,
    operation: ListAgentsDocument,
    query: AgentPageRequest,
    variables: ({ query }) => query,
    body: ({ agentPage }) => agentPage.agents.map(agentBody),
    answer: agentsAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'TOO_LARGE'],
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/api/agents',
    isIdempotent: true,
    errors: agentErrors('Failed to create agent'),
    reference: reference.createAgent,
    operation: CreateAgentDocument,
    input: NewAgent,
    check: 'newAgent',
    variables: ({ body }) => ({ input: body }),
    body: ({ agentCreate: { agent, deployment } }) => ({
      agent: agentBody(agent),
      deployment: {
        success: deployment.success,
        message: deployment.message,
        deploymentName: deployment.deploymentName,
      },
    }),
    answer: createdAnswer,
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'CONFLICT'],
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/api/agents/:uuid',
    errors: agentErrors('Failed to delete agent'),
    reference: reference.deleteAgent,
    operation: DeleteAgentDocument,
    variables: ({ params }) => ({ input: { uuid: params.uuid } }),
    body: ({ agentDelete: { agent, orchestrator } }) => ({
      message: `Agent ${agent.name} deleted successfully`,
      orchestrator: { success: orchestrator.success, message: orchestrator.message },
    }),
    answer: deletedAnswer,
    refusals: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route({
    ...changed,
    path: '/api/agents/:uuid/suspend',
    reference: reference.suspendAgent,
    operation: SuspendAgentDocument,
    variables: ({ params }) => ({ input: { uuid: params.uuid } }),
    body: ({ agentSuspend: { agent } }) => ({ agent: agentBody(agent) }),
    refusals: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route({
    ...changed,
    path: '/api/agents/:uuid/resume',
    reference: reference.resumeAgent,
    operation: ResumeAgentDocument,
    variables: ({ params }) => ({ input: { uuid: params.uuid } }),
    body: ({ agentResume: { agent } }) => ({ agent: agentBody(agent) }),
    refusals: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route({
    ...changed,
    path: '/api/agents/:uuid/restart',
    reference: reference.restartAgent,
    operation: RestartAgentDocument,
    variables: ({ params }) => ({ input: { uuid: params.uuid } }),
    body: ({ agentRestart: { agent } }) => ({ agent: agentBody(agent) }),
    refusals: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route({
    ...changed,
    path: '/api/agents/:uuid/redeploy',
    reference: reference.redeployAgent,
    operation: RedeployAgentDocument,
    input: Redeployment,
    variables: ({ params, body }) => ({ input: { ...body, uuid: params.uuid } }),
    body: ({ agentRedeploy: { agent } }) => ({ agent: agentBody(agent) }),
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route({
    ...changed,
    path: '/api/agents/:uuid/drain',
    reference: reference.drainAgent,
    operation: DrainAgentDocument,
    input: DrainRequest,
    variables: ({ params, body }) => ({ input: { ...body, uuid: params.uuid } }),
    body: ({ agentDrain: { agent } }) => ({ agent: agentBody(agent) }),
    refusals: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
];

const agentBody = (agent: AgentFieldsFragment): z.output<typeof agentAnswer> => ({
  uuid: agent.uuid,
  name: agent.name,
  dns_name: agent.dnsName,
  state: agent.state,
  orchestrator_namespace: agent.orchestratorNamespace,
  orchestrator_deployment: agent.orchestratorDeployment,
  created_at: agent.createdAt,
  provisioned_at: agent.provisionedAt,
  activated_at: agent.activatedAt,
  terminated_at: agent.terminatedAt,
  last_heartbeat_at: agent.lastHeartbeatAt,
  metadata: {
    description: agent.description,
    image: agent.image,
    resources: {
      cpu_request: agent.resources.cpuRequest,
      memory_request: agent.resources.memoryRequest,
      cpu_limit: agent.resources.cpuLimit,
      memory_limit: agent.resources.memoryLimit,
    },
  },
});
