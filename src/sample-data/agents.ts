import type { Story } from './story.ts';

/**
 * An agent that has ended, and, if agents run as local processes, a live one: the reconciler deploys it, and it sends
 * its own heartbeats. On a cluster nothing is deployed without a request.
 */
export function addAgents({ at }: Story): void {
  // Created and ended on one day, which is one transaction: the reconciler never sees it alive.
  at(3.9, async ({ services, as }) => {
    const input = { name: 'archivist', description: 'Filed the reports of October.' };
    await services.agents.create(as('owner'), input);
  });
  at(3.1, async ({ services, database, as }) => {
    const { profileUuid = '' } = as('owner').principal ?? {};
    const { uuid } = await database.prisma.agent.findFirstOrThrow({
      where: { profileUuid, name: 'archivist' },
      select: { uuid: true },
    });
    await services.agents.remove(as('owner'), uuid);
  });
  at(0.001, async ({ services, as }) => {
    if (services.agents.orchestratorKind !== 'local') return;
    const description = 'Writes to the clipboard how long it has been up, and how many requests it has handled.';
    await services.agents.create(as('owner'), { name: 'example-agent', description });
  });
}
