import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { startRegistryStage, submission } from '../support/registry-stage.ts';
import { startStopwatch } from '../support/stopwatch.ts';

const stage = await startRegistryStage();
const { server, github } = stage;
const submit = '/api/registry/submit';

const stored = async () =>
  (
    await server.database.query<{ count: number }>({ text: 'SELECT count(*)::int AS count FROM registry_submissions' })
  )[0]?.count;

describe('submitting, as GitHub answers', () => {
  it('asks the one host that is configured, whatever a name holds', verifies('registry.submit.host'), async () => {
    const submitter = await stage.submitter('hosts');
    github.repository(submitter.account, 'tool');
    github.received.length = 0;
    await submitter.call('POST', submit, submission('hosts/tool'));
    expect(github.received.map(({ line }) => line)).toEqual([
      'GET /repos/hosts/tool',
      'GET /repos/hosts/tool/contents/package.json',
    ]);
  });

  it('marks an account whose token GitHub refuses: it must be linked again', verifies('registry.submit'), async () => {
    const submitter = await stage.submitter('revoked');
    github.repository(submitter.account, 'tool');
    github.revoke(submitter.account);
    const { status, body } = await submitter.call('POST', submit, submission('revoked/tool'));
    expect([status, body.error.message]).toEqual([403, expect.stringContaining('link it again')]);
    const query = 'query { viewer { user { githubAccount { login isUsable } } } }';
    const account = (await submitter.session('POST', '/graphql', { query })).body.data.viewer.user.githubAccount;
    expect(account).toEqual({ login: 'revoked', isUsable: false });
    const asked = github.received.length;
    expect((await submitter.call('POST', submit, submission('revoked/tool'))).status).toBe(403);
    expect(github.received.length).toBe(asked);
  });

  it.each<[string, NonNullable<typeof github.behave>]>([
    ['is away', (req) => req.socket.destroy() !== undefined],
    ['fails', (_req, res) => res.writeHead(502).end('<html>') !== undefined],
    ['limits its rate', (_req, res) => res.writeHead(403, { 'X-RateLimit-Remaining': '0' }).end('{}') !== undefined],
    ['answers too much', (_req, res) => res.writeHead(200).end(Buffer.alloc(3_000_000, 32)) !== undefined],
    ['answers something else', (_req, res) => res.writeHead(200).end('{"id":"x"}') !== undefined],
    ['answers with no JSON', (_req, res) => res.writeHead(200).end('not json') !== undefined],
    [
      'names an owner that would lead elsewhere',
      (_req, res) =>
        res
          .writeHead(200)
          .end(JSON.stringify({ id: 1, name: '..', owner: { id: 1, login: 'a/../..' }, private: false })) !== undefined,
    ],
  ])('is 503 while GitHub %s, and nothing is stored', verifies('registry.submit.provider'), async (_what, behave) => {
    const submitter = await stage.submitter();
    const name = `${submitter.account.login}/tool`;
    github.repository(submitter.account, 'tool');
    const before = await stored();
    github.behave = behave;
    const answer = await submitter.call('POST', submit, submission(name)).finally(() => {
      github.behave = null;
    });
    expect([answer.status, answer.body.error.code], answer.text).toEqual([503, 'UNAVAILABLE']);
    expect(answer.headers.get('retry-after')).toBe('30');
    expect(await stored()).toBe(before);
    expect((await submitter.call('POST', submit, submission(name))).status).toBe(200);
  });

  it('does not wait longer than five seconds for GitHub', verifies('registry.submit.provider'), async () => {
    const submitter = await stage.submitter();
    github.behave = () => true;
    const elapsedMs = startStopwatch();
    const answer = await submitter.call('POST', submit, submission('slow/tool')).finally(() => {
      github.behave = null;
    });
    expect(answer.status).toBe(503);
    expect(elapsedMs()).toBeLessThan(6_500);
  });

  it(
    'follows no redirect: a repository that was renamed is to be called by its present name',
    verifies('registry.submit.host'),
    async () => {
      const submitter = await stage.submitter('former');
      github.moved.add('former/tool');
      const { status, body } = await submitter.call('POST', submit, submission('former/tool'));
      expect([status, body.error.details.repository]).toEqual([400, expect.stringContaining('current name')]);
    },
  );
});
