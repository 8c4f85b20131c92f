import { createInterface } from 'node:readline';
import type { AgentDeployment } from '../../../src/agents/orchestrator/orchestrator.ts';
import { openLocalDriver } from './local-driver.ts';
import { quiet } from './orchestrator-stage.ts';

// A process that applies and removes local agents, for tests that kill it: `local-parent.ts <data folder>`. Each line of its
// standard input is a deployment to apply, or the name of one to remove.

const orchestrator = openLocalDriver(process.argv[2] as string);
for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as AgentDeployment | string;
  if (typeof order === 'string') while (!(await orchestrator.remove(order, quiet())));
  else await orchestrator.apply(order, quiet());
  process.stdout.write('done\n');
}
