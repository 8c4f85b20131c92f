import { describe, expect, it } from 'vitest';
import { anonymous } from '../../src/platform/caller.ts';
import type { Database, Statement } from '../../src/platform/database/database.ts';
import { createFound } from '../../src/search/found.ts';
import { verifies } from '../requirements.ts';
import { createTestServices, signUp } from '../support/services.ts';
import { addServers } from './servers.ts';

const { services, database, clock } = await createTestServices();
const owner = await signUp(services);
const nobody = anonymous('192.0.2.1');
const { configurations } = services.mcpServers;

/** A search over a database in which `meanwhile` happens right after the servers were found, and before they are read. */
function searchWith(meanwhile: () => Promise<unknown>) {
  const finds = /^search_(servers|list_|shelves_)/;
  async function query(statement: Statement) {
    const rows = await database.query(statement);
    if (finds.test(statement.name ?? '')) await meanwhile();
    return rows;
  }
  return createFound({ database: { ...database, query: query as Database['query'] }, onSearch: () => undefined });
}

it('H01: what a search found holds no secrets of a server', verifies('search.hidden'), async () => {
  const { uuid } = await configurations.create(owner, {
    name: 'bettong',
    transport: 'stdio',
    command: 'x',
    env: { TOKEN: 'canary' },
  });
  await configurations.setVisibility(owner, uuid, { isPublic: true });
  const { page, connection } = services.search.found;
  const { edges } = await connection(nobody, { query: 'bettong' });
  const found = [...(await page(nobody, { query: 'bettong' }, {})).servers, ...edges.map(({ node }) => node)];
  expect(found.map((server) => server.uuid)).toEqual([uuid, uuid]);
  for (const server of found) expect(Object.keys(server).filter((name) => /^(env|headers)$/.test(name))).toEqual([]);
  await configurations.remove(owner, uuid);
});

describe('a server that becomes private after a search found it, and before the search reads it', () => {
  const searches = [
    ['by words', { query: 'quoll' }],
    ['by words, the newest first', { query: 'quoll', sort: 'recent' }],
    ['in the list of popular servers', { query: '', sort: 'popular' }],
    ['in the list of new servers', { query: '', sort: 'recent' }],
    ['in the list of a source', { query: '', source: 'community' }],
  ] as const;

  it.each(searches)('is not in the response: %s', verifies('search.hidden'), async (_how, input) => {
    const names = ['quoll-one', 'quoll-two'];
    const servers = await addServers({ database, clock }, owner, [{ name: 'quoll-one' }, { name: 'quoll-two' }]);
    const [one, two] = names.map((name) => String(servers[name]));
    const hide = () => configurations.setVisibility(owner, String(one), { isPublic: false });
    const show = () => configurations.setVisibility(owner, String(one), { isPublic: true });

    const undisturbed = await searchWith(async () => undefined).page(nobody, input, {});
    expect(undisturbed.servers.map(({ uuid }) => uuid).toSorted()).toEqual([one, two].toSorted());
    expect((await searchWith(hide).page(nobody, input, {})).servers.map(({ uuid }) => uuid)).toEqual([two]);
    await show();
    const { edges } = await searchWith(hide).connection(nobody, input);
    expect(edges.map(({ node }) => node.uuid)).toEqual([two]);
    await configurations.remove(owner, String(one));
    await configurations.remove(owner, String(two));
  });
});
