import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { sessionOf } from '../support/people.ts';
import { linked, startRegistryStage, submission } from '../support/registry-stage.ts';
import { startTestServer, tenantOf } from '../support/server.ts';

const stage = await startRegistryStage();
const { server, github, nobody } = stage;
const link = '/api/registry/github/link';
const viewer = 'query { viewer { user { githubAccount { login linkedAt isUsable } } } }';

/** Begins, and is allowed at GitHub. @returns Where the browser comes back to. */
async function allowed(session: Awaited<ReturnType<typeof stage.person>>['session'], login: string) {
  const account = github.account(login);
  const { body } = await session('GET', link);
  return { back: await github.allow(body.authorization_url, account), account };
}
const locationOf = ({ status, headers }: { status: number; headers: Headers }) => {
  expect(status).toBe(302);
  expect(headers.get('cache-control')).toBe('no-store');
  return headers.get('location');
};
const whose = async (session: typeof nobody) =>
  (await session('POST', '/graphql', { query: viewer })).body.data.viewer.user.githubAccount;

describe('linking a GitHub account', () => {
  it(
    'sends the browser to GitHub with PKCE and without a scope, and takes it back once',
    verifies('registry.link'),
    async () => {
      const { session } = await stage.person();
      expect(await whose(session)).toBeNull();
      const { status, body } = await session('GET', link);
      expect(status).toBe(200);
      const url = new URL(body.authorization_url);
      expect(url.origin + url.pathname).toBe(`${github.url}/login/oauth/authorize`);
      expect([...url.searchParams.keys()].sort()).toEqual([
        'client_id',
        'code_challenge',
        'code_challenge_method',
        'redirect_uri',
        'response_type',
        'state',
      ]);
      expect(url.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
      expect(url.searchParams.get('state')).toMatch(/^[\w-]{43}$/);
      const account = github.account('hubot');
      const back = await github.allow(body.authorization_url, account);
      expect(back.pathname).toBe('/api/registry/github/callback');
      const path = back.pathname + back.search;
      const answers = await Promise.all([session('GET', path), session('GET', path)]);
      expect(answers.map(locationOf).sort()).toEqual(['/registry?link_error=state_invalid', '/registry?linked=true']);
      expect(await whose(session)).toEqual({
        login: 'hubot',
        linkedAt: server.clock.now().toISOString(),
        isUsable: true,
      });
      expect(locationOf(await session('GET', path))).toBe('/registry?link_error=state_invalid');
      expect((await session('DELETE', link)).body).toEqual({ success: true, unlinked: true });
      expect((await session('DELETE', link)).body).toEqual({ success: true, unlinked: false });
      expect(await whose(session)).toBeNull();
    },
  );

  it('is for the session that began it, and no other', verifies('registry.link'), async () => {
    const [own, other] = [await stage.person(), await stage.person()];
    const { back } = await allowed(own.session, 'mixed');
    const path = back.pathname + back.search;
    // Without a session, or with a key, nothing is used up.
    expect(locationOf(await nobody('GET', path))).toBe('/registry?link_error=state_invalid');
    expect(locationOf(await own.call('GET', path))).toBe('/registry?link_error=state_invalid');
    expect(locationOf(await other.session('GET', path))).toBe('/registry?link_error=user_mismatch');
    expect(locationOf(await own.session('GET', path))).toBe('/registry?link_error=state_invalid');
    expect([await whose(own.session), await whose(other.session)]).toEqual([null, null]);
    // Another session of the same user.
    const again = await allowed(own.session, 'mixed-again');
    const { email } = await server.services.auth.accounts.current(own.user);
    const { token } = await server.services.auth.accounts.signIn(
      { principal: null, address: '' },
      { email, password: 'correct horse battery' },
    );
    const elsewhere = await nobody('GET', again.back.pathname + again.back.search, undefined, {
      Cookie: `session_token=${token}`,
    });
    expect(locationOf(elsewhere)).toBe('/registry?link_error=user_mismatch');
  });

  it('takes at most ten minutes', verifies('registry.link'), async () => {
    const { session } = await stage.person();
    const [first, second] = [await allowed(session, 'in-time'), await allowed(session, 'too-late')];
    server.clock.advance(10 * 60_000 - 1);
    expect(locationOf(await session('GET', first.back.pathname + first.back.search))).toBe('/registry?linked=true');
    server.clock.advance(1);
    expect(locationOf(await session('GET', second.back.pathname + second.back.search))).toBe(
      '/registry?link_error=state_expired',
    );
    expect((await whose(session)).login).toBe('in-time');
    const left = await server.services.registry.links.purge();
    expect(left).toBeGreaterThanOrEqual(0);
    const [row] = await server.database.query<{ count: number }>({
      text: 'SELECT count(*)::int AS count FROM github_link_states',
    });
    expect(row?.count).toBe(0);
  });

  it.each([
    ['error=access_denied', 'access_denied'],
    ['error=server_error', 'code_exchange_failed'],
    ['error=%3Cscript%3E&code=x', 'code_exchange_failed'],
    ['code=never-given', 'code_exchange_failed'],
    ['', 'code_exchange_failed'],
    [`code=${'x'.repeat(2_000)}`, 'code_exchange_failed'],
  ])('ends with a code of ours for %j', verifies('registry.link'), async (query, error) => {
    const { session } = await stage.person();
    const { back } = await allowed(session, `denied-${error}-${query.length}`);
    const state = back.searchParams.get('state');
    const asked = github.received.length;
    expect(locationOf(await session('GET', `${back.pathname}?state=${state}&${query}`))).toBe(
      `/registry?link_error=${error}`,
    );
    const isAsked = query.startsWith('code=n');
    expect(github.received.length - asked).toBe(isAsked ? 1 : 0);
  });

  it.each(['', 'state=', 'state=x', `state=${'x'.repeat(5_000)}`, 'state=%00', 'state=a&state=b', 'state=%ff'])(
    'takes no state that it has not given: %j',
    verifies('registry.link'),
    async (query) => {
      const { session } = await stage.person();
      const location = locationOf(await session('GET', `/api/registry/github/callback?${query}`));
      expect(['/registry?link_error=state_invalid', '/registry?link_error=validation_error']).toContain(location);
    },
  );

  it(
    "sends the verifier that belongs to the state: another's code is of no use",
    verifies('registry.link'),
    async () => {
      const [own, thief] = [await stage.person(), await stage.person()];
      const stolen = await allowed(own.session, 'stolen');
      const { back } = await allowed(thief.session, 'thief');
      back.searchParams.set('code', String(stolen.back.searchParams.get('code')));
      expect(locationOf(await thief.session('GET', back.pathname + back.search))).toBe(
        '/registry?link_error=code_exchange_failed',
      );
      expect(await whose(thief.session)).toBeNull();
    },
  );

  it('links an account to one user, however it is called', verifies('registry.link.one-user'), async () => {
    const [first, second] = [await stage.person(), await stage.person()];
    const account = github.account('twice');
    expect(locationOf(await linked(github, first.session, account))).toBe('/registry?linked=true');
    account.login = 'twice-renamed';
    expect(locationOf(await linked(github, second.session, account))).toBe('/registry?link_error=already_linked');
    expect(locationOf(await linked(github, first.session, account))).toBe('/registry?linked=true');
    expect((await whose(first.session)).login).toBe('twice-renamed');
    expect(await whose(second.session)).toBeNull();
    const [third, fourth] = [await stage.person(), await stage.person()];
    const fresh = github.account('raced');
    const outcomes = (
      await Promise.all([linked(github, third.session, fresh), linked(github, fourth.session, fresh)])
    ).map(locationOf);
    expect(outcomes.sort()).toEqual(['/registry?link_error=already_linked', '/registry?linked=true']);
  });

  it('keeps what GitHub gives encrypted, for the one user', verifies('registry.link.secrets'), async () => {
    const submitter = await stage.submitter('sealed');
    const other = await stage.submitter('sealed-other');
    github.repository(submitter.account, 'x');
    await submitter.call('POST', '/api/registry/submit', submission('sealed/x'));
    const token = github.received
      .map(({ headers }) => headers.authorization?.slice(7) ?? '')
      .findLast((text) => text.startsWith('gho_'));
    expect(token).toBeDefined();
    const rows = await server.database.query<{ row: string }>({
      text: 'SELECT to_jsonb(a)::text AS row FROM github_accounts a UNION ALL SELECT to_jsonb(s)::text FROM github_link_states s',
    });
    for (const { row } of rows) expect(row).not.toContain(token);
    expect(server.logged.join('')).not.toContain(token);
    // Moved to another row it does not open.
    await server.database.query({
      text: 'UPDATE github_accounts SET token = (SELECT token FROM github_accounts WHERE user_uuid = $1) WHERE user_uuid = $2',
      values: [submitter.user.principal?.userUuid, other.user.principal?.userUuid],
    });
    // It cannot be opened for another user: no request is sent with it, and its user must link again.
    const asked = github.received.length;
    expect((await other.call('POST', '/api/registry/submit', submission('sealed/x'))).status).toBe(403);
    expect(github.received).toHaveLength(asked);
  });

  it('needs a signed-in user, and no other site', verifies('registry.link'), async () => {
    const { call, session } = await stage.person();
    expect((await call('GET', link)).status).toBe(403);
    expect((await call('DELETE', link)).status).toBe(403);
    expect((await nobody('GET', link)).status).toBe(401);
    expect((await session('GET', link)).headers.get('access-control-allow-origin')).toBeNull();
    expect((await session('DELETE', link, undefined, { Origin: 'https://evil.example' })).status).toBe(403);
    const wrong = await session('POST', '/api/registry/github/callback');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET']);
    const { back } = await allowed(session, 'looked-at');
    expect((await session('HEAD', back.pathname + back.search)).status).toBe(405);
    expect(locationOf(await session('GET', back.pathname + back.search))).toBe('/registry?linked=true');
  });

  it('does not use a verifier that was changed', verifies('registry.link'), async () => {
    const { session, user } = await stage.person();
    const { back } = await allowed(session, 'changed');
    await server.database.query({
      text: "UPDATE github_link_states SET verifier = overlay(verifier PLACING 'AAAA' FROM length(verifier) - 8) WHERE user_uuid = $1",
      values: [user.principal?.userUuid],
    });
    const asked = github.received.length;
    expect(locationOf(await session('GET', back.pathname + back.search))).toBe(
      '/registry?link_error=integrity_violation',
    );
    expect(github.received).toHaveLength(asked);
  });

  it('counts as authorizations of MCP servers do', verifies('oauth.figures'), async () => {
    const figures = async () => {
      const text = (await nobody('GET', '/metrics')).text;
      return (series: string) =>
        Number(
          text
            .split('\n')
            .find((line) => line.startsWith(`${series} `))
            ?.split(' ')[1] ?? 0,
        );
    };
    server.clock.advance(10 * 60_000);
    await server.services.registry.links.purge();
    const [earlier, { session }] = [await figures(), await stage.person()];
    const [{ back }, left] = [await allowed(session, 'counted'), await allowed(session, 'not-counted')];
    const waiting = await figures();
    expect(waiting('oauth_active_pkce_states') - earlier('oauth_active_pkce_states')).toBe(2);
    server.clock.advance(7_000);
    await session('GET', back.pathname + back.search);
    await (await stage.person()).session('GET', left.back.pathname + left.back.search);
    await session('GET', link);
    server.clock.advance(10 * 60_000);
    await server.services.registry.links.purge();
    const later = await figures();
    const flow = 'provider="github",status="success"';
    expect(
      Object.fromEntries(
        [
          `oauth_flows_total{${flow}}`,
          `oauth_flow_duration_seconds_sum{${flow}}`,
          'oauth_flows_total{provider="github",status="user_mismatch"}',
          'oauth_pkce_states_created_total',
          'oauth_pkce_validations_total{status="success",reason="valid"}',
          'oauth_pkce_validations_total{status="failure",reason="user_mismatch"}',
          'oauth_code_injection_attempts_total',
          'oauth_pkce_states_cleaned_total{reason="scheduled"}',
          'oauth_active_pkce_states',
        ].map((series) => [series.replace(/^oauth_/, ''), later(series) - earlier(series)]),
      ),
    ).toEqual({
      [`flows_total{${flow}}`]: 1,
      [`flow_duration_seconds_sum{${flow}}`]: 7,
      'flows_total{provider="github",status="user_mismatch"}': 1,
      pkce_states_created_total: 3,
      'pkce_validations_total{status="success",reason="valid"}': 1,
      'pkce_validations_total{status="failure",reason="user_mismatch"}': 1,
      code_injection_attempts_total: 1,
      'pkce_states_cleaned_total{reason="scheduled"}': 1,
      active_pkce_states: 0,
    });
  });

  it('keeps at most five that were begun, the newest', async () => {
    const { session, user } = await stage.person();
    const first = await allowed(session, 'many');
    for (let at = 0; at < 6; at++) {
      server.clock.advance(1_000);
      await session('GET', link);
    }
    const [row] = await server.database.query<{ count: number }>({
      text: 'SELECT count(*)::int AS count FROM github_link_states WHERE user_uuid = $1',
      values: [user.principal?.userUuid],
    });
    expect(row?.count).toBe(5);
    expect(locationOf(await session('GET', first.back.pathname + first.back.search))).toBe(
      '/registry?link_error=state_invalid',
    );
  });

  it('says so where the operator has set up no app', async () => {
    const bare = await startTestServer();
    const { call } = await sessionOf(bare);
    const { status, body } = await call('GET', link);
    expect([status, body.error.code]).toEqual([503, 'UNAVAILABLE']);
    const tenant = await tenantOf(bare);
    expect((await tenant.call('POST', '/api/registry/submit', submission('a/b'))).status).toBe(403);
    expect((await (await tenantOf(bare)).call('GET', '/api/registry/health')).body.status).toBe('healthy');
  });
});
