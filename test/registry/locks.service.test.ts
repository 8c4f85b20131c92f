import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { manifestOf } from '../support/github.ts';
import { accept, startRegistryStage, submission } from '../support/registry-stage.ts';

const stage = await startRegistryStage();
const { server, github, admin } = stage;

const documentOf = (name: string, over: object = {}) => ({ name, description: 'A server.', version: '1.0.0', ...over });
const imported = (...values: object[]) =>
  server.services.registry.imports.run(
    Readable.from([Buffer.from(values.map((value) => JSON.stringify(value)).join('\n'))]),
  );
const serverOf = async (name: string) => {
  const [row] = await server.database.query<{ uuid: string; profile_uuid: string }>({
    text: 'SELECT s.uuid, s.profile_uuid FROM registry_servers r JOIN mcp_servers s ON s.uuid = r.server_uuid WHERE r.name = $1',
    values: [name],
  });
  return row;
};

describe('the id of a submission', () => {
  it(
    'is its own if a repository was created again under an imported name',
    verifies('registry.submit.again'),
    async () => {
      const submitter = await stage.submitter('renewed');
      const name = 'io.github.renewed/tool';
      await imported(documentOf(name));
      const standing = await serverOf(name);
      const submit = () => submitter.call('POST', '/api/registry/submit', submission('renewed/tool'));
      const former = github.repository(submitter.account, 'tool');
      const one = await submit();
      github.repositories.splice(github.repositories.indexOf(former), 1);
      github.repository(submitter.account, 'tool', {}, { 'package.json': manifestOf() });
      const two = await submit();
      expect([one.status, two.status]).toEqual([200, 200]);
      expect(new Set([one.body.uuid, two.body.uuid, standing?.uuid]).size).toBe(3);
      expect((await accept(admin, two.body.uuid)).status).toBe(200);
      expect(await serverOf(name)).toEqual({ uuid: standing?.uuid, profile_uuid: submitter.profileUuid });
    },
  );

  it("does not take a server that is another's", verifies('registry.review.proof'), async () => {
    const [victim, taker] = [await stage.submitter('victim'), await stage.submitter('taker')];
    github.repository(victim.account, 'tool');
    const theirs = await stage.published(victim, 'victim/tool');
    github.repository(taker.account, 'tool');
    const { body } = await taker.call('POST', '/api/registry/submit', submission('taker/tool'));
    await server.database.query({
      text: 'UPDATE registry_submissions SET uuid = gen_random_uuid() WHERE uuid = $1',
      values: [theirs.uuid],
    });
    await server.database.query({
      text: 'UPDATE registry_submissions SET uuid = $2 WHERE uuid = $1',
      values: [body.uuid, theirs.uuid],
    });
    expect((await accept(admin, theirs.uuid)).status).toBe(200);
    expect(await serverOf(theirs.name)).toEqual({ uuid: theirs.uuid, profile_uuid: victim.profileUuid });
    const own = await serverOf('io.github.taker/tool');
    expect(own).toEqual({ uuid: expect.any(String), profile_uuid: taker.profileUuid });
    expect(own?.uuid).not.toBe(theirs.uuid);
  });
});

describe('an import', () => {
  it(
    'takes servers in the order in which installations do, whatever order the dump has',
    verifies('registry.import'),
    async () => {
      const make = (description: string) =>
        imported(
          ...Array.from({ length: 300 }, (_, at) =>
            documentOf(`many.example/server${(at * 7_919) % 300}`, { description }),
          ),
        );
      await make('Number 0');
      const rows = await server.database.query<{ uuid: string }>({
        text: "SELECT uuid FROM mcp_servers WHERE source = 'registry' AND name LIKE 'server%' ORDER BY uuid",
      });
      const [first, last] = [rows[0]?.uuid, rows.at(-1)?.uuid];
      let done = false;
      let again: Promise<unknown> = Promise.resolve();
      // A transaction holds the first one, and then wants the last: the import, which waits for the first, must not
      // have it.
      await server.database.transaction(async (tx) => {
        await tx.query({ text: 'SELECT 1 FROM mcp_servers WHERE uuid = $1 FOR NO KEY UPDATE', values: [first] });
        again = make('Number 1').then(() => (done = true));
        await waitsForLock();
        await tx.query({ text: 'SELECT 1 FROM mcp_servers WHERE uuid = $1 FOR NO KEY UPDATE', values: [last] });
        expect(done).toBe(false);
      });
      await again;
      expect(done).toBe(true);
    },
  );

  it('writes a batch again that was ended because it waited in a circle', verifies('registry.import'), async () => {
    const document = documentOf('circle.example/server');
    await imported(document);
    const standing = await serverOf(document.name);
    let again: Promise<unknown> = Promise.resolve();
    await server.database.transaction(async (tx) => {
      // The import, not this transaction, is to look for circles, and to be ended.
      await tx.query({ text: "SET LOCAL deadlock_timeout = '1min'" });
      await tx.query({ text: 'SELECT 1 FROM mcp_servers WHERE uuid = $1 FOR UPDATE', values: [standing?.uuid] });
      again = imported({ ...document, description: 'Another.' });
      again.catch(() => undefined);
      await waitsForLock();
      await tx.query({ text: 'SELECT 1 FROM registry_state FOR UPDATE', query_timeout: 9_000 });
    });
    expect(await again).toEqual({ imported: 1, unchanged: 0, refused: 0 });
    const [row] = await server.database.query<{ description: string }>({
      text: 'SELECT description FROM mcp_servers WHERE uuid = $1',
      values: [standing?.uuid],
    });
    expect(row?.description).toBe('Another.');
  });
});

/** Resolves once a transaction waits for a lock of another one. */
async function waitsForLock(): Promise<void> {
  for (;;) {
    const [row] = await server.database.query({
      text: "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    });
    if (row) return;
  }
}
