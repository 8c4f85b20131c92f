import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { callerOf, startTestServer, tenantOf } from '../support/server.ts';
import { addServers } from './servers.ts';

const server = await startTestServer();
const nobody = callerOf(server, null);
const { call, caller } = await tenantOf(server);
const search = async (query: string, as = nobody) => {
  const { status, body } = await as('GET', `/api/search${query}`);
  return { status, body };
};
const slugs = async (query: string) => {
  const { status, body } = await search(query);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.servers.map(({ title }: { title: string }) => title);
};
const invalid = (field: string) => ({
  status: 400,
  body: {
    error: {
      code: 'VALIDATION_ERROR',
      message: 'Validation error',
      details: { [field]: expect.stringContaining(field) },
    },
  },
});

const known = await addServers(server, caller, [
  {
    name: 'github-mcp-server',
    title: 'GitHub',
    description: 'Issues, pull requests and code search',
    packageType: 'npm',
    repositoryUrl: 'https://github.com/github/github-mcp-server.git',
    installations: 50,
    ratings: [4, 5],
    source: 'registry',
    tags: ['git'],
  },
  { name: '@acme/postgresTools', description: 'Read only queries on a database', packageType: 'npm', installations: 7 },
  { name: 'weather', description: 'Forecasts for every city', packageType: 'pypi', transports: ['http', 'sse'] },
  { name: 'chrome-devtools', description: 'Drives a browser. 100% of _pages_', packageType: 'docker' },
  { name: 'hidden-github', description: 'A private one about github', isPublic: false },
]);
await server.services.search.upkeep.takeUpWords();

describe('GET /api/search', () => {
  it('answers the documented fields to everybody', verifies('search.answer'), async () => {
    const answered = await search('?q=github');
    expect(answered).toEqual({
      status: 200,
      body: {
        servers: [
          {
            uuid: known['github-mcp-server'],
            slug: expect.stringMatching(/^github-mcp-server-/),
            title: 'GitHub',
            description: 'Issues, pull requests and code search',
            repository_url: 'https://github.com/github/github-mcp-server.git',
            package_type: 'npm',
            installation_count: 50,
            rating: 4.5,
            transports: ['stdio'],
          },
        ],
        total: 1,
        limit: 20,
        offset: 0,
      },
    });
    expect(await search('?q=github', call)).toEqual(answered);
    const weather = (await search('?q=weather')).body.servers[0];
    expect(weather).toMatchObject({ title: 'weather', repository_url: null, transports: ['http', 'sse'], rating: 0 });
  });

  it.each([
    ['a whole word', 'weather', ['weather']],
    ['any case', 'WeAtHeR', ['weather']],
    ['the beginning of the last word', 'read+only+quer', ['@acme/postgresTools']],
    ['an inflected word', 'forecasting', ['weather']],
    ['a word of a name in camel case', 'postgres', ['@acme/postgresTools']],
    ['a scoped name', '%40acme%2FpostgresTools', ['@acme/postgresTools']],
    ['letters that were swapped', 'wetaher', ['weather']],
    ['a letter too few', 'githb', ['GitHub']],
    ['two words for one', 'chrome+devtool', ['chrome-devtools']],
    ['a name without what parts it', 'chromedevtools', ['chrome-devtools']],
    ['words that stand nowhere together', 'weather+browser', ['weather', 'chrome-devtools']],
    ['a word for the same', 'pg', ['@acme/postgresTools']],
    ['an accent that no server has', 'w%C3%A9ather', ['weather']],
    ['what no server has', 'zzzzqqqq', []],
    ['only punctuation', '%25%25%25', []],
  ])('finds %s', verifies('search.words', 'search.typos'), async (_what, q, titles) => {
    expect((await slugs(`?q=${q}`)).sort()).toEqual([...titles].sort());
  });

  it(
    'lists all public servers if q is empty, in the requested order',
    verifies('search.list', 'search.sorts'),
    async () => {
      const popular = ['GitHub', '@acme/postgresTools', 'chrome-devtools', 'weather'];
      expect(await slugs('?q=')).toEqual(popular);
      expect(await slugs('?q=%20&sort=popular')).toEqual(popular);
      expect(await slugs('?q=&sort=recent')).toEqual(['chrome-devtools', 'weather', '@acme/postgresTools', 'GitHub']);
      expect((await search('?q=&limit=1&offset=1')).body).toMatchObject({
        servers: [{ title: '@acme/postgresTools' }],
        total: 4,
        limit: 1,
        offset: 1,
      });
      expect((await search('?q=&offset=10000')).body).toMatchObject({ servers: [], total: 4 });
      expect((await search('?q=weather+browser&offset=50')).body).toMatchObject({ servers: [], total: 2 });
    },
  );

  it('filters by source, package and repository, with and without words', verifies('search.filters'), async () => {
    expect(await slugs('?q=&source=registry')).toEqual(['GitHub']);
    expect(await slugs('?q=&source=community&package=npm')).toEqual(['@acme/postgresTools']);
    expect((await search('?q=&package=npm')).body.total).toBe(2);
    expect(await slugs('?q=&package=pypi&source=all')).toEqual(['weather']);
    expect(await slugs('?q=weather&package=npm')).toEqual([]);
    expect(await slugs('?q=github&source=registry&sort=recent')).toEqual(['GitHub']);
    for (const repository of [
      'https%3A%2F%2Fgithub.com%2Fgithub%2Fgithub-mcp-server',
      'git%40github.com%3Agithub%2Fgithub-mcp-server.git',
      'github%2Fgithub-mcp-server',
      'GitHub.com',
    ]) {
      expect(await slugs(`?q=&repository=${repository}`), repository).toEqual(['GitHub']);
      expect(await slugs(`?q=weather&repository=${repository}`), repository).toEqual([]);
    }
    for (const repository of ['github-mcp', '%25', "'", 'http%3A%2F%2F', '%2F'])
      expect(await slugs(`?q=&repository=${repository}`), repository).toEqual([]);
  });
});

describe('what a search is asked with', () => {
  it.each([
    ['q', ''],
    ['q', '?'],
    ['q', '?query=x'],
    ['q', '?q=a&q=b'],
    ['q[]', '?q[]=a'],
    ['q', '?q=%00'],
    ['q', `?q=${'x'.repeat(501)}`],
    ['query', '?q=%ff'],
    ['query', '?q=%ed%a0%80'],
    ['source', '?q=&source=github'],
    ['source', '?q=&source=REGISTRY'],
    ['source', '?q=&source='],
    ['package', '?q=&package=cargo'],
    ['package', '?q=&package=npm&package=pypi'],
    ['sort', '?q=&sort=best'],
    ['repository', `?q=&repository=${'x'.repeat(301)}`],
    ['limit', '?q=&limit=0'],
    ['limit', '?q=&limit=101'],
    ['limit', '?q=&limit=-1'],
    ['limit', '?q=&limit=NaN'],
    ['limit', '?q=&limit=1.5'],
    ['limit', '?q=&limit='],
    ['limit', '?q=&limit=1000000000000'],
    ['limit', '?q=&limit=1&limit=2'],
    ['limit', '?q=&limit=1e1'],
    ['offset', '?q=&offset=-1'],
    ['offset', '?q=&offset=10001'],
    ['offset', '?q=&offset=1000000000000'],
    ['offset', '?q=&offset=x'],
  ])('is refused by name where it is wrong: %s of %s (H05)', verifies('search.inputs'), async (field, query) => {
    const answered = await search(query);
    if (field === 'q[]') expect(answered.status).toBe(400);
    else expect(answered).toEqual(invalid(field));
  });

  it.each([
    "'; DROP TABLE mcp_servers; --",
    "' OR 1=1 --",
    '%',
    '_',
    '%_%_%',
    '\\',
    "\\'",
    "a'b\\c",
    '.*',
    '^(a+)+$',
    '(((((',
    'a & b | !c',
    '!weather',
    'weather & !weather',
    "'weather':*",
    'weather <-> forecast',
    'weather:*A',
    '& | !',
    'source=registry',
    'package=npm',
    'repository=github.com',
    '🌦️ weather ☂',
    '\u202eweather',
    'ﬁle Ⅷ ｆｕｌｌ',
    '天气 服务器',
    'mcp server',
    'the of and',
    'toString __proto__ constructor',
    'x'.repeat(500),
    'a '.repeat(250),
    "'".repeat(500),
    '%'.repeat(500),
    '\u0301'.repeat(500),
    '\uffff\ufffe',
    Array.from({ length: 70 }, (_, n) => `w${n}`).join(' '),
  ])('is harmless: %j (H05)', verifies('search.inputs'), async (text) => {
    for (const rest of ['', '&sort=recent', '&sort=popular&package=npm&source=registry&repository=x%27y'])
      expect((await search(`?q=${encodeURIComponent(text)}${rest}`)).status).toBe(200);
    expect((await search(`?q=&repository=${encodeURIComponent(text.slice(0, 300))}`)).status).toBe(200);
    expect(await slugs('?q=weather')).toEqual(['weather']);
  });

  it('is refused before it is looked at where it is enormous (H05)', verifies('search.inputs'), async () => {
    // Node ends a request line this long by itself.
    expect([400, 414, 431]).toContain((await nobody('GET', `/api/search?q=${'x'.repeat(100_000)}`)).status);
    const body = {
      query: 'query ($q: String!) { servers(query: $q) { totalCount } }',
      variables: { q: 'x'.repeat(20_000) },
    };
    const { status, body: answered } = await nobody('POST', '/graphql', body);
    expect([status, answered.errors[0].extensions.code]).toEqual([200, 'VALIDATION_ERROR']);
  });

  it('finds by words alone what filters are written with inside (H05)', verifies('search.inputs'), async () => {
    // The index holds `package=npm` of two servers; a search for it searches for two words.
    expect(await slugs('?q=package%3Dnpm')).toEqual([]);
  });

  it('takes the documented budget: 30 a minute from an address, 100 with a key', verifies('search.rates'), async () => {
    const limited = await startTestServer({ RATE_LIMITS: '{}' });
    const { call: withKey } = await tenantOf(limited);
    for (const [as, limit] of [
      [callerOf(limited, null), 30],
      [withKey, 100],
    ] as const) {
      const { headers } = await as('GET', '/api/search?q=');
      expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([
        `${limit}`,
        `${limit - 1}`,
      ]);
      for (let asked = 1; asked < limit; asked++) expect((await as('GET', '/api/search?q=')).status).toBe(200);
      const over = await as('GET', '/api/search?q=');
      expect([over.status, over.headers.has('retry-after')]).toEqual([429, true]);
    }
    // What else one does has budgets of its own.
    expect((await withKey('GET', '/api/notifications')).status).toBe(200);
  });
});
