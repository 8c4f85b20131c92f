import { expect, it } from 'vitest';
import { createTestServices, signUp } from '../support/services.ts';

const { services, database } = await createTestServices();
const { configurations, usage } = services.mcpServers;

it('a user can be deleted while others install the servers that go with it', async () => {
  for (let round = 0; round < 4; round++) {
    const owner = await signUp(services);
    const servers: string[] = [];
    for (let n = 0; n < 8; n++) {
      const { uuid } = await configurations.create(owner, { name: `s${n}`, transport: 'stdio', command: 'x' });
      await configurations.setVisibility(owner, uuid, { isPublic: true });
      servers.push(uuid);
    }
    const guests = await Promise.all([1, 2, 3, 4, 5].map(() => signUp(services)));
    const installing = guests.map((guest) => usage.installAll(guest, servers));
    const user = owner.principal?.userUuid;
    const deleting = database.query({ text: 'DELETE FROM users WHERE uuid = $1', values: [user] });
    await expect(Promise.all([...installing, deleting])).resolves.toHaveLength(6);
  }
  expect(await database.query({ text: 'SELECT FROM mcp_installations' })).toEqual([]);
});
