import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { manifestOf } from '../support/github.ts';
import { inPath, startRegistryStage, submission } from '../support/registry-stage.ts';
import { callerOf } from '../support/server.ts';
import { documents } from '../support/server-stage.ts';
import { keyOf } from '../support/services.ts';

const stage = await startRegistryStage();
const { server, github, nobody } = stage;
const officialKey = 'io.modelcontextprotocol.registry/official';
const latest = (name: string, query = '') => nobody('GET', `/v0.1/servers/${inPath(name)}/versions/latest${query}`);

describe('who has a name', () => {
  it(
    'keeps it when the repository is renamed: the server goes on under the new one',
    verifies('registry.lifecycle', 'registry.feed'),
    async () => {
      const submitter = await stage.submitter('renamer');
      const repository = github.repository(submitter.account, 'before');
      const first = await stage.published(submitter, 'renamer/before');
      repository.name = 'after';
      repository.files.set('package.json', manifestOf({ version: '2.0.0' }));
      const second = await stage.published(submitter, 'renamer/after');
      expect(second).toEqual({ uuid: first.uuid, name: 'io.github.renamer/after' });
      expect((await latest(first.name)).status).toBe(404);
      expect((await latest(first.name, '?include_deleted=true')).body._meta[officialKey]).toMatchObject({
        status: 'deleted',
        statusMessage: 'Renamed to io.github.renamer/after',
      });
    },
  );

  it(
    'cannot be taken from one owner by another, until it is withdrawn',
    verifies('registry.review.proof'),
    async () => {
      const [one, two] = [await stage.submitter('co-one'), await stage.submitter('co-two')];
      const repository = github.repository(github.account('co-org'), 'tool');
      repository.admins.add(one.account.id).add(two.account.id);
      const first = await stage.published(one, 'co-org/tool');
      const taken = await two.call('POST', '/api/registry/submit', submission('co-org/tool'));
      expect([taken.status, taken.body.error.code]).toEqual([409, 'CONFLICT']);
      await one.call('POST', `/api/registry/servers/${first.uuid}/withdraw`, { message: 'Over to the other.' });
      repository.files.set('package.json', manifestOf({ version: '2.0.0' }));
      const second = await stage.published(two, 'co-org/tool');
      expect(second.name).toBe(first.name);
      expect(second.uuid).not.toBe(first.uuid);
      expect((await one.call('GET', `/api/servers/${second.uuid}`)).body.notes).toBeUndefined();
      expect((await two.call('GET', `/api/servers/${first.uuid}`)).status).toBe(404);
      expect((await one.call('POST', `/api/registry/servers/${second.uuid}/withdraw`, { message: 'x' })).status).toBe(
        404,
      );
    },
  );

  it(
    'keeps its server when a repository was deleted and created again',
    verifies('registry.review.proof'),
    async () => {
      const submitter = await stage.submitter('anew');
      const repository = github.repository(submitter.account, 'tool');
      const first = await stage.published(submitter, 'anew/tool');
      repository.id += 1_000_000;
      repository.files.set('package.json', manifestOf({ version: '2.0.0' }));
      expect(await stage.published(submitter, 'anew/tool')).toEqual(first);
    },
  );

  it(
    'and renames its repository and makes another of the old name has two servers',
    verifies('registry.review.proof', 'registry.lifecycle'),
    async () => {
      const submitter = await stage.submitter('recreator');
      const repository = github.repository(submitter.account, 'first');
      const first = await stage.published(submitter, 'recreator/first');
      repository.name = 'moved';
      github.repository(submitter.account, 'first').files.set('package.json', manifestOf({ version: '2.0.0' }));
      // The name goes on with its server, whichever repository it is of.
      expect(await stage.published(submitter, 'recreator/first')).toEqual(first);
      repository.files.set('package.json', manifestOf({ version: '3.0.0' }));
      const moved = await stage.published(submitter, 'recreator/moved');
      expect(moved.uuid).not.toBe(first.uuid);
      for (const [{ name }, version] of [
        [first, '2.0.0'],
        [moved, '3.0.0'],
      ] as const)
        expect((await latest(name)).body.server.version).toBe(version);
    },
  );

  it(
    'and gives it to another of its repositories leaves no server that cannot be withdrawn',
    verifies('registry.lifecycle'),
    async () => {
      const submitter = await stage.submitter('swapper');
      const [one, two] = [github.repository(submitter.account, 'one'), github.repository(submitter.account, 'two')];
      const first = await stage.published(submitter, 'swapper/one');
      const second = await stage.published(submitter, 'swapper/two');
      one.name = 'gone';
      two.name = 'one';
      two.files.set('package.json', manifestOf({ version: '2.0.0' }));
      expect(await stage.published(submitter, 'swapper/one')).toEqual({ uuid: second.uuid, name: first.name });
      expect((await nobody('GET', `/api/servers/${first.uuid}`)).status).toBe(404);
      const update = { input: { uuid: first.uuid, command: 'mine' } };
      expect((await submitter.graphql(documents.update, update)).data.serverUpdate.server.command).toBe('mine');
    },
  );

  it(
    'has its server in one profile, whichever of the profiles submits the next version',
    verifies('registry.review'),
    async () => {
      const submitter = await stage.submitter('profiles');
      const repository = github.repository(submitter.account, 'tool');
      const first = await stage.published(submitter, 'profiles/tool');
      const env = { input: { uuid: first.uuid, env: { WEATHER_API_KEY: 'canary-of-one-profile' } } };
      expect((await submitter.graphql(documents.update, env)).errors).toBeUndefined();
      const { auth } = server.services;
      const { uuid: profileUuid } = await auth.profiles.create(submitter.user, { name: 'Side' });
      const { secret } = await keyOf(server.services, submitter.user, { scopes: ['read', 'write'], profileUuid });
      const call = callerOf(server, secret);
      repository.files.set('package.json', manifestOf({ version: '2.0.0' }));
      expect(await stage.published({ ...submitter, call }, 'profiles/tool')).toEqual(first);
      expect((await latest(first.name)).body.server.version).toBe('2.0.0');
      expect((await call('GET', '/api/mcp-servers')).text).not.toContain('canary-of-one-profile');
      expect((await submitter.call('GET', '/api/mcp-servers')).text).toContain('canary-of-one-profile');
      expect((await call('POST', `/api/registry/servers/${first.uuid}/withdraw`, { message: 'x' })).status).toBe(404);
    },
  );
});
