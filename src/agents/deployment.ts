import type { Secrets } from '../platform/security/secrets.ts';
import { credentialContext } from './agent.ts';
import type { AgentState } from './lifecycle.ts';
import type { AgentDeployment } from './orchestrator/orchestrator.ts';

/** An agent as the reconciler reads it. */
export interface DueRow {
  readonly uuid: string;
  readonly profile_uuid: string;
  readonly project_uuid: string;
  readonly name: string;
  readonly state: AgentState;
  readonly orchestrator_deployment: string;
  readonly dns_name: string;
  readonly holds_host: boolean;
  readonly image: string;
  readonly cpu_request: string;
  readonly memory_request: string;
  readonly cpu_limit: string;
  readonly memory_limit: string;
  readonly replicas: number;
  readonly restarted_at: Date | null;
  readonly revision: number;
  readonly applied_revision: number;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly credential: string;
  /** Whether its profile was deleted, so that nothing of the agent may go on. */
  readonly is_orphaned: boolean;
  readonly is_drained: boolean;
}

/** The desired deployment of an agent. */
export const deploymentOf = (
  row: DueRow,
  { secrets, platformUrl }: { secrets: Pick<Secrets, 'open'>; platformUrl: string },
): AgentDeployment => ({
  agentUuid: row.uuid,
  profileUuid: row.profile_uuid,
  projectUuid: row.project_uuid,
  name: row.name,
  deployment: row.orchestrator_deployment,
  host: row.dns_name,
  revision: row.revision,
  image: row.image,
  resources: {
    cpuRequest: row.cpu_request,
    memoryRequest: row.memory_request,
    cpuLimit: row.cpu_limit,
    memoryLimit: row.memory_limit,
  },
  replicas: row.replicas,
  restartedAt: row.restarted_at,
  env: { PATCHBAY_URL: platformUrl, PATCHBAY_AGENT_UUID: row.uuid },
  secretEnv: { PATCHBAY_API_KEY: secrets.open(row.credential, credentialContext(row.uuid)) },
});
