import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  counted,
  type HostileStage,
  startHostileStage,
  startOauthServer,
  strayFailure,
} from '../support/oauth/hostile-stage.ts';
import { sessionOf } from '../support/people.ts';
import { callerOf } from '../support/server.ts';

const server = await startOauthServer();
const { prisma } = server.database;
const newStage = () => startHostileStage(server);
const withoutSession = callerOf(server, null);
const noticesOf = async ({ user }: HostileStage) => {
  const where = { profileUuid: String(user.principal?.profileUuid) };
  const rows = await prisma.notification.findMany({ where, orderBy: { createdAt: 'asc' } });
  return rows.map(({ title }) => title);
};
const statesOf = ({ serverUuid }: HostileStage) => prisma.oauthPkceState.count({ where: { serverUuid } });

describe('a state', () => {
  it('C01: of eight callbacks at once one exchanges the code', async () => {
    const stage = await newStage();
    const path = await stage.consented();
    const ends = await Promise.all(Array.from({ length: 8 }, () => stage.ended(path)));
    expect(ends.toSorted()).toEqual([...Array(7).fill(strayFailure('state_invalid')), stage.success]);
    expect(stage.hostile.tokenRequests()).toHaveLength(1);
  });

  it('C02: is worth nothing after a success, after a failure and after a restart', async () => {
    const stage = await newStage();
    const [first, denied, third] = [
      await stage.consented(),
      await stage.consented({ deny: true }),
      await stage.consented(),
    ];
    expect(await stage.ended(first)).toBe(stage.success);
    expect(await stage.ended(denied)).toBe(stage.failure('access_denied'));
    const restarted = await startOauthServer({}, server.url);
    for (const browser of [stage.browser, stage.browserAt(restarted)])
      for (const path of [first, denied]) expect(await stage.ended(path, browser)).toBe(strayFailure('state_invalid'));
    expect(stage.hostile.tokenRequests()).toHaveLength(1);
    expect(await stage.ended(third, stage.browserAt(restarted))).toBe(stage.success);
    expect(stage.hostile.tokenRequests()).toHaveLength(2);
  });

  it('C03: of another user is refused, used up, counted, and reported to its owner', async () => {
    const stage = await newStage();
    const path = await stage.consented();
    const attacker = await sessionOf(server);
    const before = await counted(server, 'oauth_code_injection_attempts_total');
    expect(await stage.ended(path, attacker.call)).toBe(strayFailure('user_mismatch'));
    expect(await statesOf(stage)).toBe(0);
    expect(await stage.ended(path)).toBe(strayFailure('state_invalid'));
    expect(stage.hostile.tokenRequests()).toEqual([]);
    expect(await counted(server, 'oauth_code_injection_attempts_total')).toBe(before + 1);
    expect(await stage.events()).toEqual(['client_registered', 'code_injection']);
    expect(await noticesOf(stage)).toEqual(['An authorization was refused']);
    expect(await prisma.oauthSession.count({ where: { serverUuid: stage.serverUuid } })).toBe(0);
  });

  it('C04: without a session nothing is used up', async () => {
    const stage = await newStage();
    const path = await stage.consented();
    for (const headers of [{}, { Cookie: 'session_token=nonsense' }] as Record<string, string>[])
      expect(await stage.ended(path, (method, to) => withoutSession(method, to, undefined, headers))).toBe(
        strayFailure('state_invalid'),
      );
    expect(await statesOf(stage)).toBe(1);
    expect(await stage.ended(path)).toBe(stage.success);
  });

  it('C04: a HEAD, which a link preview sends, uses nothing up', async () => {
    const stage = await newStage();
    const path = await stage.consented();
    expect((await stage.browser('HEAD', path)).status).toBe(405);
    expect((await stage.browser('POST', path, {})).status).toBe(405);
    expect(await stage.ended(path)).toBe(stage.success);
  });
});

describe('C05: a state that was changed where it is stored', async () => {
  const stage = await newStage();
  const other = await newStage();
  type Row = Awaited<ReturnType<typeof prisma.oauthPkceState.findFirstOrThrow>>;
  const changes: Record<string, (row: Row, elsewhere: Row) => Partial<Row>> = {
    'another user': () => ({ userUuid: String(other.user.principal?.userUuid) }),
    'another server': () => ({ serverUuid: other.serverUuid }),
    'a verifier of another row': (_, { verifier }) => ({ verifier }),
    'a verifier that is none': () => ({ verifier: 'x' }),
    'a later expiry': ({ expiresAt }) => ({ expiresAt: new Date(expiresAt.getTime() + 1) }),
    'another issuer': (_, { issuer }) => ({ issuer }),
    'other endpoints': (_, { metadata }) => ({ metadata }),
    'another resource': () => ({ resource: 'https://elsewhere.example' }),
    'another address of the server': (_, { serverUrl }) => ({ serverUrl }),
    'another client': (_, { clientUuid }) => ({ clientUuid }),
    'another redirect URI': () => ({ redirectUri: 'https://elsewhere.example/callback' }),
    'more scopes': () => ({ scopes: ['admin'] }),
    'the hash of another row': (_, { integrityHash }) => ({ integrityHash }),
    'a shorter hash': ({ integrityHash }) => ({ integrityHash: integrityHash.slice(0, -4) }),
    'a longer hash': ({ integrityHash }) => ({ integrityHash: `${integrityHash}AAAA` }),
    'an empty hash': () => ({ integrityHash: '' }),
    'a hash by an unknown key': ({ integrityHash }) => ({ integrityHash: integrityHash.replace('test.', 'gone.') }),
  };

  it.each(Object.keys(changes))('%s', async (change) => {
    const rowOf = async ({ serverUuid }: HostileStage) =>
      prisma.oauthPkceState.findFirstOrThrow({ where: { serverUuid } });
    const [path] = [await stage.consented(), await other.initiate()];
    const [row, elsewhere] = [await rowOf(stage), await rowOf(other)];
    const { stateHash } = row;
    await prisma.oauthPkceState.update({ where: { stateHash }, data: { ...changes[change]?.(row, elsewhere) } });
    const before = stage.hostile.tokenRequests().length;
    const type = change.includes('verifier') || /another (user|server)/.test(change) ? 'verifier' : 'state_hash';
    const series = `oauth_integrity_violations_total{violation_type="${type}"}`;
    const violations = await counted(server, series);
    expect(await stage.ended(path)).toBe(strayFailure('integrity_violation'));
    expect(await counted(server, series)).toBe(violations + 1);
    expect((await stage.events()).at(-1)).toBe('integrity_violation');
    expect((await noticesOf(stage)).at(-1)).toBe('An authorization was refused');
    expect(stage.hostile.tokenRequests()).toHaveLength(before);
    expect(other.hostile.tokenRequests()).toEqual([]);
    expect(await stage.ended(path)).toBe(strayFailure('state_invalid'));
    await prisma.oauthPkceState.deleteMany();
  });
});

describe('C06: the five minutes of a state', () => {
  it('are over at 5:00, and the row goes more than ten minutes later', async () => {
    const stage = await newStage();
    const [early, exact, late, kept] = [
      await stage.consented(),
      await stage.consented(),
      await stage.consented(),
      await stage.consented(),
    ];
    const { cleanUp } = server.services.oauth.states;
    const left = () => statesOf(stage);
    const second = 1_000;
    server.clock.advance(299 * second);
    expect(await stage.ended(early)).toBe(stage.success);
    server.clock.advance(second);
    expect(await stage.ended(exact)).toBe(stage.failure('state_expired'));
    server.clock.advance(second);
    expect(await stage.ended(late)).toBe(stage.failure('state_expired'));
    expect(await stage.ended(late)).toBe(strayFailure('state_invalid'));
    expect(stage.hostile.tokenRequests()).toHaveLength(1);
    const series = 'oauth_pkce_states_cleaned_total{reason="scheduled"}';
    const cleaned = await counted(server, series);
    server.clock.advance(598 * second);
    expect([await cleanUp('scheduled'), await left()]).toEqual([0, 1]);
    server.clock.advance(second);
    expect([await cleanUp('scheduled'), await left()]).toEqual([0, 1]);
    server.clock.advance(second);
    expect([await cleanUp('scheduled'), await left()]).toEqual([1, 0]);
    expect(await counted(server, series)).toBe(cleaned + 1);
    expect(await stage.ended(kept)).toBe(strayFailure('state_invalid'));
  });
});

describe('the parameters of a callback', () => {
  const withState = (path: string, query: string) =>
    `/api/oauth/callback?state=${new URLSearchParams(path.split('?')[1]).get('state')}${query}`;

  it('C07: an error of the authorization server is never exchanged', async () => {
    const stage = await newStage();
    const iss = `&iss=${encodeURIComponent(stage.hostile.issuer)}`;
    const cases = {
      '&error=access_denied': 'access_denied',
      '&error=server_error': 'code_exchange_failed',
      '&error=temporarily_unavailable': 'code_exchange_failed',
      '&error=access_denied&code=abc': 'code_exchange_failed',
      '&error=': 'code_exchange_failed',
      '': 'code_exchange_failed',
      '&code=': 'code_exchange_failed',
      '&code=a%0d%0ab': 'code_exchange_failed',
    };
    for (const [query, error] of Object.entries(cases)) {
      const path = withState(await stage.consented(), `${query}${iss}`);
      expect(await stage.ended(path), query).toBe(stage.failure(error));
      expect(await stage.ended(path), query).toBe(strayFailure('state_invalid'));
    }
    expect(await stage.ended(`/api/oauth/callback?state=unknown&error=access_denied${iss}`)).toBe(
      strayFailure('state_invalid'),
    );
    expect(stage.hostile.tokenRequests()).toEqual([]);
  });

  it('C08, C27: the redirect is relative, has a fixed code, repeats nothing, and is not kept', async () => {
    const stage = await newStage();
    const location =
      /^\/mcp-servers\?(oauth_success=true&server_uuid=[0-9a-f-]{36}|oauth_error=(state_expired|state_invalid|integrity_violation|code_exchange_failed|user_mismatch|access_denied)(&server_uuid=[0-9a-f-]{36})?)$/;
    const evil = encodeURIComponent('\r\nSet-Cookie: a=b\r\n\r\n<script>//evil.example');
    const queries = [
      '',
      '?',
      '?state=',
      `?state=${evil}&code=${evil}`,
      `?state=x&error=${evil}&error_description=${evil}&error_uri=${evil}`,
      `?state=x&server_uuid=${evil}&redirect=https://evil.example&next=//evil.example&oauth_success=true`,
      `?state=${'a'.repeat(5_000)}`,
      '?state=a&state=b',
      '?state[]=a&code[a]=b',
      '?state=a&code=b&code=c',
      '?state=%zz',
      '?state=%00',
      `?state=a&iss=${evil}`,
    ];
    const owned = ['&code=a&code=b', '&code=%zz', '&error=a&error=b', '&iss=a&iss=b', '&code=%00', `&error=${evil}`];
    for (const query of owned) queries.push(withState(await stage.consented(), query).replace(/^[^?]*/, ''));
    for (const query of queries)
      for (const call of [stage.browser, withoutSession]) {
        const { status, headers, text } = await call('GET', `/api/oauth/callback${query}`);
        expect(status, query).toBe(302);
        expect(headers.get('location'), query).toMatch(location);
        expect(headers.get('cache-control'), query).toBe('no-store');
        expect(headers.get('referrer-policy'), query).toBe('no-referrer');
        expect(headers.get('set-cookie'), query).toBeNull();
        expect(text, query).not.toContain('evil');
      }
    expect(stage.hostile.tokenRequests()).toEqual([]);
  });

  it('C27: a state that does not match its row is worth nothing', async () => {
    const stage = await newStage();
    const { body } = await stage.initiate();
    expect(body.state).toMatch(/^[\w-]{43}$/);
    for (const state of [body.state.slice(1), `${body.state} `, body.state.toUpperCase(), randomUUID()])
      expect(await stage.ended(`/api/oauth/callback?state=${encodeURIComponent(state)}&code=a`)).toBe(
        strayFailure('state_invalid'),
      );
    const rows = await prisma.oauthPkceState.findMany({ where: { serverUuid: stage.serverUuid } });
    expect(JSON.stringify(rows)).not.toContain(body.state);
  });
});
