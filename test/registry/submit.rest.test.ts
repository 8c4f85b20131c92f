import { describe, expect, it, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { manifestOf } from '../support/github.ts';
import { accept, inPath, startRegistryStage, submission } from '../support/registry-stage.ts';
import { callerOf, startTestServer, tenantOf } from '../support/server.ts';
import { errorOf } from '../support/webhook-documents.ts';
import { mistakesIn } from './server-schema.ts';

const stage = await startRegistryStage();
const { server, github, nobody, admin } = stage;
const submit = '/api/registry/submit';
const officialKey = 'io.modelcontextprotocol.registry/official';

// biome-ignore lint/suspicious/noExplicitAny: what a server.json holds is not typed
const listed = (servers: any[]) =>
  servers.map(({ server: { version }, _meta }) => [version, _meta[officialKey].isLatest]).sort();

const stored = async () =>
  (
    await server.database.query<{ count: number }>({ text: 'SELECT count(*)::int AS count FROM registry_submissions' })
  )[0]?.count;

describe('the way from a repository to the registry', () => {
  it(
    'is: link, submit, accept, read',
    verifies('registry.submit', 'registry.review', 'registry.private', 'registry.health', 'registry.valid'),
    async () => {
      const submitter = await stage.submitter('octocat');
      const repository = github.repository(submitter.account, 'weather-mcp');
      expect((await (await tenantOf(server)).call('GET', '/api/registry/health')).body).toEqual({
        status: 'healthy',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        last_indexed: null,
        total_servers: 0,
      });
      const { status, body, text } = await submitter.call('POST', submit, submission('octocat/weather-mcp'));
      expect(status, text).toBe(200);
      expect(body).toEqual({
        uuid: expect.any(String),
        slug: `weather-mcp-${body.uuid.slice(0, 8)}`,
        repository: 'octocat/weather-mcp',
        package_type: 'npm',
        status: 'pending',
      });
      const name = 'io.github.octocat/weather-mcp';
      for (const call of [nobody, submitter.call]) {
        expect((await call('GET', '/v0.1/servers')).body).toEqual({ servers: [], metadata: { count: 0 } });
        expect((await call('GET', `/v0.1/servers/${inPath(name)}/versions/latest?include_deleted=true`)).status).toBe(
          404,
        );
        expect((await call('GET', `/api/servers/${body.uuid}`)).status).toBe(404);
      }
      const accepted = await accept(admin, body.uuid);
      expect(accepted.status, accepted.text).toBe(200);
      expect(accepted.body.submission).toMatchObject({ ...body, status: 'accepted', name, version: '1.2.3' });
      const entry = (await nobody('GET', `/v0.1/servers/${inPath(name)}/versions/latest`)).body;
      const now = server.clock.now().toISOString();
      expect(entry).toEqual({
        server: {
          $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
          name,
          description: 'Tells the weather.',
          repository: { url: `${github.url}/octocat/weather-mcp`, source: 'github', id: String(repository.id) },
          version: '1.2.3',
          packages: [
            {
              registryType: 'npm',
              registryBaseUrl: 'https://registry.npmjs.org',
              identifier: '@octo/weather',
              version: '1.2.3',
              transport: { type: 'stdio' },
              environmentVariables: [{ name: 'WEATHER_API_KEY' }],
            },
          ],
        },
        _meta: {
          [officialKey]: { status: 'active', statusChangedAt: now, publishedAt: now, updatedAt: now, isLatest: true },
        },
      });
      expect(mistakesIn(entry, 'response')).toEqual([]);
      expect((await nobody('GET', `/api/servers/${body.uuid}`)).body).toMatchObject({
        uuid: body.uuid,
        name: 'weather-mcp',
        transport: 'stdio',
        command: 'npx',
        args: ['-y', '@octo/weather@1.2.3'],
        env: { WEATHER_API_KEY: '********' },
      });
      const [row] = await server.database.query({
        text: 'SELECT * FROM mcp_servers WHERE uuid = $1',
        values: [body.uuid],
      });
      expect(row).toMatchObject({
        profile_uuid: submitter.profileUuid,
        slug: body.slug,
        source: 'registry',
        is_public: true,
        package_type: 'npm',
        repository_url: `${github.url}/octocat/weather-mcp`,
        version: '1.2.3',
      });
      expect((await (await tenantOf(server)).call('GET', '/api/registry/health')).body).toMatchObject({
        total_servers: 1,
        last_indexed: now,
      });
      const { notifications } = (await submitter.call('GET', '/api/notifications')).body;
      expect(notifications).toEqual([
        expect.objectContaining({
          type: 'SUCCESS',
          message: `"${name}" 1.2.3 is in the registry now.`,
          metadata: { server_id: body.uuid },
        }),
      ]);
      const events = await server.database.query<{ type: string; data: string }>({
        text: "SELECT type, data FROM outbox_events WHERE profile_uuid = $1 AND type = 'server.updated'",
        values: [submitter.profileUuid],
      });
      expect(events.map(({ data }) => JSON.parse(data))).toEqual([
        { server_uuid: body.uuid, changes: { source: 'registry', is_public: true, version: '1.2.3' } },
      ]);
    },
  );
});

describe('POST /api/registry/submit', () => {
  it(
    'is 403 without a linked account, and for what the account does not own: H04',
    verifies('registry.submit'),
    async () => {
      const [somebody, submitter, other] = [
        await stage.person(),
        await stage.submitter('mine'),
        await stage.submitter('theirs'),
      ];
      github.repository(other.account, 'secret', { private: true });
      github.repository(other.account, 'tool');
      const before = await stored();
      const unlinked = await somebody.call('POST', submit, submission('mine/tool'));
      expect([unlinked.status, unlinked.body.error.code]).toEqual([403, 'FORBIDDEN']);
      const answers = await Promise.all(
        ['theirs/tool', 'theirs/secret', 'theirs/nothing', 'nobody/nothing'].map((name) =>
          submitter.call('POST', submit, submission(name)),
        ),
      );
      for (const answer of answers) {
        expect(answer.status).toBe(403);
        expect(answer.text).toBe(answers[0]?.text);
      }
      expect(await stored()).toBe(before);
    },
  );

  it('takes a repository that the account administers', verifies('registry.submit'), async () => {
    const submitter = await stage.submitter();
    const organisation = github.account('an-org');
    const repository = github.repository(organisation, 'Tool.JS');
    expect((await submitter.call('POST', submit, submission('an-org/tool.js'))).status).toBe(403);
    repository.admins.add(submitter.account.id);
    const { body } = await submitter.call('POST', submit, submission(`${github.url}/AN-ORG/tool.js.git`));
    expect(body).toMatchObject({ repository: 'an-org/Tool.JS', status: 'pending' });
  });

  it.each([
    ['npm', { 'package.json': manifestOf() }, true],
    ['npm', { 'package.json': '{' }, false],
    ['npm', { Dockerfile: 'FROM x' }, false],
    ['npm', {}, false],
    ['docker', { Dockerfile: 'FROM node:24' }, true],
    ['docker', { Dockerfile: '' }, false],
    ['docker', { 'package.json': manifestOf() }, false],
    ['pypi', { 'pyproject.toml': '[project]\nname = "x"\nversion = "1.0"' }, true],
    ['pypi', { 'setup.py': 'setup(name="x")' }, true],
    ['pypi', { 'pyproject.toml': 'broken', 'setup.py': 'setup(name="x")' }, false],
    ['pypi', { 'requirements.txt': 'x' }, false],
    ['npm', { 'package.json': manifestOf({ pad: 'x'.repeat(300_000) }) }, false],
  ])(
    'of type %s with %j is a package: %s',
    verifies('registry.submit', 'registry.submit.manifest'),
    async (type, files, isOne) => {
      const submitter = await stage.submitter();
      github.repository(submitter.account, 'tool', {}, files as Record<string, string>);
      const answer = await submitter.call(
        'POST',
        submit,
        submission(`${submitter.account.login}/tool`, { package_type: type }),
      );
      expect(answer.status, answer.text).toBe(isOne ? 200 : 400);
      if (!isOne) expect(Object.keys(answer.body.error.details)).toEqual(['repository']);
    },
  );

  it.each([
    [{ 'package.json': manifestOf(), Dockerfile: 'FROM node:24' }, 'npm'],
    [{ Dockerfile: 'FROM python', 'pyproject.toml': '[project]\nname = "x"\nversion = "1.0"' }, 'pypi'],
    [{ 'package.json': '{}', 'setup.py': 'setup(name="x")' }, 'pypi'],
    [{ 'package.json': '{}', Dockerfile: 'FROM python' }, 'docker'],
    [{ 'package.json': '{}' }, null],
    [{ 'requirements.txt': 'x' }, null],
  ])(
    'without optional fields %j is a package of type %s over stdio',
    verifies('registry.submit', 'registry.submit.manifest'),
    async (files, type) => {
      for (const absent of [undefined, null]) {
        const submitter = await stage.submitter();
        github.repository(submitter.account, 'tool', {}, files as Record<string, string>);
        const { status, body, text } = await submitter.call('POST', submit, {
          repository: `${submitter.account.login}/tool`,
          transport: absent,
          package_type: absent,
          environment_variables: absent,
        });
        expect(status, text).toBe(type ? 200 : 400);
        if (type === null) expect(Object.keys(body.error.details)).toEqual(['repository']);
        else {
          expect(body.package_type).toBe(type);
          const [row] = await server.database.query({
            text: 'SELECT transports, package_type, environment_variables FROM registry_submissions WHERE uuid = $1',
            values: [body.uuid],
          });
          expect(row).toEqual({ transports: ['stdio'], package_type: type, environment_variables: [] });
        }
      }
    },
  );

  it.each([
    [{ fork: true }, 'fork'],
    [{ archived: true }, 'archived'],
    [{ private: true }, 'public'],
  ])('refuses a repository that is %j', verifies('registry.submit'), async (over, word) => {
    const submitter = await stage.submitter();
    github.repository(submitter.account, 'tool', over);
    const { status, body } = await submitter.call('POST', submit, submission(`${submitter.account.login}/tool`));
    expect([status, body.error.details.repository]).toEqual([400, expect.stringContaining(word)]);
  });

  it.each([
    [{ repository: undefined }, 'repository'],
    [{ repository: 7 }, 'repository'],
    [{ repository: ['a/b'] }, 'repository'],
    [{ repository: 'a/b\u0000' }, 'repository'],
    [{ repository: '\ud800' }, 'repository'],
    [{ repository: 'x'.repeat(501) }, 'repository'],
    [{ repository: 'http://169.254.169.254/a/b' }, 'repository'],
    [{ repository: 'https://evil.example/a/b' }, 'repository'],
    [{ transport: 'stdio' }, 'transport'],
    [{ transport: [] }, 'transport'],
    [{ transport: ['STDIO'] }, 'transport'],
    [{ transport: ['stdio', 'sse', 'http', 'stdio'] }, 'transport'],
    [{ transport: [null] }, 'transport'],
    [{ package_type: 'NPM' }, 'package_type'],
    [{ package_type: 'gem' }, 'package_type'],
    [{ package_type: ['npm'] }, 'package_type'],
    [{ environment_variables: 'A' }, 'environment_variables'],
    [{ environment_variables: { A: 'secret' } }, 'environment_variables'],
    [{ environment_variables: ['A B'] }, 'environment_variables'],
    [{ environment_variables: ['1A'] }, 'environment_variables'],
    [{ environment_variables: [7] }, 'environment_variables'],
    [{ environment_variables: Array(101).fill('A') }, 'environment_variables'],
  ])(
    'refuses %j naming %s, before GitHub is asked',
    verifies('registry.submit.fields', 'registry.submit.host'),
    async (over, field) => {
      const submitter = await stage.submitter();
      const asked = github.received.length;
      const { status, body, text } = await submitter.call('POST', submit, submission('a/b', over));
      expect(status, text).toBe(400);
      expect([...new Set(Object.keys(body.error.details).map((name) => name.split('.')[0]))]).toEqual([field]);
      expect(github.received.length).toBe(asked);
    },
  );

  it(
    'is one submission for one repository, also when many come at once',
    verifies('registry.submit.again'),
    async () => {
      const submitter = await stage.submitter('again');
      const repository = github.repository(submitter.account, 'tool');
      const call = () => submitter.call('POST', submit, submission('again/tool'));
      const answers = await Promise.all([call(), call(), call(), call()]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      const [first] = answers;
      // Renamed and changed: the same submission with what the repository says now.
      repository.name = 'renamed';
      repository.files.set('package.json', manifestOf({ version: '2.0.0' }));
      const later = await submitter.call('POST', submit, submission('again/renamed'));
      expect(later.body).toMatchObject({ uuid: first?.body.uuid, repository: 'again/renamed' });
      const { submissions, total } = (await submitter.call('GET', '/api/registry/submissions')).body;
      expect([total, submissions[0].version, submissions[0].name]).toEqual([1, '2.0.0', 'io.github.again/renamed']);
    },
  );

  it(
    'of a published version changes nothing; another content needs another version',
    verifies('registry.submit.again', 'registry.versions'),
    async () => {
      const submitter = await stage.submitter('versions');
      const repository = github.repository(submitter.account, 'tool');
      const { uuid, name } = await stage.published(submitter, 'versions/tool');
      const again = await submitter.call('POST', submit, submission('versions/tool'));
      expect(again.body).toMatchObject({ uuid, status: 'accepted' });
      repository.files.set('package.json', manifestOf({ description: 'Another.' }));
      const changed = await submitter.call('POST', submit, submission('versions/tool'));
      expect([changed.status, changed.body.error.code]).toEqual([409, 'CONFLICT']);
      for (const version of ['1.10.0', '1.9.0']) {
        repository.files.set('package.json', manifestOf({ version }));
        expect((await stage.published(submitter, 'versions/tool')).uuid).toBe(uuid);
      }
      const { servers } = (await nobody('GET', `/v0.1/servers/${inPath(name)}/versions`)).body;
      expect(listed(servers)).toEqual([
        ['1.10.0', true],
        ['1.2.3', false],
        ['1.9.0', false],
      ]);
      expect((await nobody('GET', `/api/servers/${uuid}`)).body.args).toEqual(['-y', '@octo/weather@1.10.0']);
      expect((await nobody('GET', `/v0.1/servers/${inPath(name)}/versions/1.9.0`)).body.server.version).toBe('1.9.0');
    },
  );

  it('spends the class sensitive, over both APIs', verifies('registry.submit.sensitive'), async () => {
    const limited = await startRegistryStage({ RATE_LIMITS: '{"*":"off","sensitive":"3/1h"}' });
    const { call, graphql } = await limited.person();
    const document =
      'mutation { registrySubmit(input: { repository: "a/b", transport: [STDIO], packageType: NPM }) { submission { uuid } } }';
    expect((await call('POST', submit, submission('a/b'))).status).toBe(403);
    expect(errorOf(await graphql(document)).code).toBe('FORBIDDEN');
    const third = await call('POST', submit, submission('a/b'));
    expect([third.status, third.headers.get('x-ratelimit-limit')]).toEqual([403, '3']);
    expect((await call('POST', submit, submission('a/b'))).status).toBe(429);
    expect(errorOf(await graphql(document)).code).toBe('RATE_LIMITED');
  });

  it('has the same errors in the graph', verifies('registry.submit'), async () => {
    const { graphql } = await stage.person();
    const document =
      'mutation { registrySubmit(input: { repository: "a/b", transport: [STDIO], packageType: NPM }) { submission { uuid } } }';
    expect(errorOf(await graphql(document)).code).toBe('FORBIDDEN');
    const wrong =
      'mutation { registrySubmit(input: { repository: "a", transport: [], packageType: NPM }) { submission { uuid } } }';
    expect(errorOf(await graphql(wrong))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { transport: expect.any(String) },
    });
  });

  it('is done once for one Idempotency-Key', async () => {
    const submitter = await stage.submitter('once');
    github.repository(submitter.account, 'tool');
    const headers = { 'Idempotency-Key': 'one-submission' };
    const answers = [
      await submitter.call('POST', submit, submission('once/tool'), headers),
      await submitter.call('POST', submit, submission('once/tool'), headers),
    ];
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect(answers[1]?.headers.get('idempotent-replayed')).toBe('true');
  });

  it(
    'with an Idempotency-Key holds no connection while GitHub does not answer, and the key is in use',
    verifies('everywhere.idempotency.connections'),
    async () => {
      const other = await startTestServer(github.settings, server.url);
      const submitter = await stage.submitter('waiting');
      const answering = Promise.withResolvers<void>();
      const arrived = github.received.length;
      github.before = () => answering.promise;
      onTestFinished(() => {
        github.before = null;
        answering.resolve();
      });
      // More than there are connections.
      const names = Array.from({ length: 15 }, (_, i) => `tool${i}`);
      for (const name of names) github.repository(submitter.account, name);
      const keyOf = (name: string) => ({ 'Idempotency-Key': `waiting-${name}` });
      const submitted = names.map((name) => submitter.call('POST', submit, submission(`waiting/${name}`), keyOf(name)));
      await eventually('GitHub was asked for all', () => github.received.length === arrived + names.length);
      const { total, idle, waiting } = server.database.pool();
      expect([total - idle, waiting]).toEqual([0, 0]);
      expect((await submitter.call('POST', '/api/clipboard', { name: 'n', value: 'v' })).status).toBe(200);
      for (const call of [submitter.call, callerOf(other, submitter.secret)]) {
        const again = await call('POST', submit, submission('waiting/tool0'), keyOf('tool0'));
        expect([again.status, again.headers.get('retry-after')]).toEqual([409, '1']);
      }
      expect(github.received).toHaveLength(arrived + names.length);
      answering.resolve();
      for (const { status } of await Promise.all(submitted)) expect(status).toBe(200);
    },
  );
});
