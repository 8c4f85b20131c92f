import { catalogue } from './catalogue.ts';
import { offers } from './offers.ts';
import { people } from './people.ts';
import type { SampleServer } from './sample-server.ts';
import type { Story } from './story.ts';

const hour = 1 / 24;

/** Who the people are, and whom they follow. They have signed up before the story begins. */
export function addPeople({ at, random }: Story): void {
  for (const { name, bio, links } of people) {
    at(30.9, ({ services, as }) => services.users.update(as(name), { bio, isPublic: true, socialLinks: links }));
    for (const { name: other } of people)
      if (other !== name && random.chance(0.4))
        at(28 * random.next() + 0.5, async ({ services, database, as }) => {
          const userUuid = as(other).principal?.userUuid as string;
          const { username } = await database.prisma.user.findUniqueOrThrow({ where: { uuid: userUuid } });
          await services.users.follow(as(name), username);
        });
  }
}

/** The sample servers and their capabilities. */
export const addServers = (whose: 'people' | 'owner') => (story: Story) => {
  for (const server of catalogue) if ((server.by === 'owner') === (whose === 'owner')) addServer(story, server);
};

function addServer({ at, random }: Story, { by, addedDaysAgo, isPublic, input }: SampleServer): void {
  const added = addedDaysAgo - random.next() / 2;
  at(added, async ({ services, database, clock, as }) => {
    const { uuid } = await services.mcpServers.configurations.create(as(by), input);
    // The user did not ask for connections to these hosts: discovery runs when the owner requests it.
    const data = { discoveryStatus: 'never', discoveryAt: null };
    if (!input.url) return;
    await database.prisma.mcpServer.update({ where: { uuid }, data, select: { uuid: true } });
    await database.prisma.oauthServerSettings.create({
      data: { serverUuid: uuid, omitsReport: true, updatedAt: clock.now() },
    });
  });
  const said = offers[input.name];
  if (said)
    at(added - hour, async ({ services, as, server }) =>
      services.mcpServers.discoveries.report(as(by), await server(input.name), said),
    );
  if (isPublic)
    at(added - 2 * hour, async ({ services, as, server }) =>
      services.mcpServers.configurations.setVisibility(as(by), await server(input.name), { isPublic: true }),
    );
}
