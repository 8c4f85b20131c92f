import { beforeAll, expect, it } from 'vitest';
import { oauthJobs } from '../../src/oauth/index.ts';
import { createProviders, providerLabels } from '../../src/oauth/providers.ts';
import { verifies } from '../requirements.ts';
import { goodMetadata } from '../support/authorization-stage.ts';
import { sessionOf } from '../support/people.ts';
import { everyLabel } from './every-label.ts';
import { outcomeOf, seriesOf, sorted, startFiguresStage } from './figures-stage.ts';

const { oauth, registry, acme, scripted } = await startFiguresStage();
const { server, browser, withKey } = oauth;
const { services, clock, database } = server;
const minutes = (count: number) => clock.advance(count * 60_000);
const job = (name: string) =>
  oauthJobs(services.oauth)
    .find((each) => each.name === name)
    ?.run();
const scrape = async () => (await browser('GET', '/metrics')).text;

/** Each ends with what a person would see of it, so that a figure cannot be that of another failure. */
async function driveFlows() {
  const mcp = await scripted();
  await mcp.authorize();
  expect(await mcp.back('code=c&state=made-up')).toBe('state_invalid');
  const other = await sessionOf(server);
  expect(await mcp.back(`code=c&state=${await mcp.begin()}`, other.call)).toBe('user_mismatch');
  expect(await mcp.back(`error=access_denied&state=${await mcp.begin()}`)).toBe('access_denied');
  expect(await mcp.back(`error=server_error&state=${await mcp.begin()}`)).toBe('code_exchange_failed');
  expect(await mcp.back(`code=c&iss=https://other.example&state=${await mcp.begin()}`)).toBe('code_exchange_failed');
  let state = await mcp.begin();
  await mcp.tamper("UPDATE oauth_pkce_states SET issuer = 'https://other.example' WHERE server_uuid = $1");
  expect(await mcp.back(`code=c&state=${state}`)).toBe('integrity_violation');
  state = await mcp.begin();
  await mcp.tamper('UPDATE oauth_pkce_states SET verifier = reverse(verifier) WHERE server_uuid = $1');
  expect(await mcp.back(`code=c&state=${state}`)).toBe('integrity_violation');
  state = await mcp.begin();
  minutes(5);
  expect(await mcp.back(`code=c&state=${state}`)).toBe('state_expired');
  state = await mcp.begin();
  await mcp.tamper("UPDATE mcp_servers SET url = url || '/moved' WHERE uuid = $1");
  expect(await mcp.back(`code=c&state=${state}`)).toBe('state_invalid');
}

async function driveNamedProvider() {
  const created = await withKey('POST', '/api/mcp/oauth/session', {
    provider: 'acme',
    redirect_uri: 'http://127.0.0.1:9/back',
  });
  const { session_id, authorization_url } = created.body;
  const state = new URL(authorization_url).searchParams.get('state');
  const { status, text } = await withKey('POST', '/api/mcp/oauth/callback', { session_id, state, code: 'c' });
  expect(status, text).toBe(200);
}

async function driveGithub() {
  const { person, github } = registry;
  type Person = Awaited<ReturnType<typeof person>>;
  const [one, two] = [await person(), await person()];
  const account = github.account('figures');
  const begin = async ({ session }: Person) =>
    github.allow((await session('GET', '/api/registry/github/link')).body.authorization_url, account);
  const back = async ({ session }: Person, { pathname, searchParams }: URL) =>
    outcomeOf(await session('GET', `${pathname}?${searchParams}`));
  const linked = await begin(one);
  expect(await back(one, linked)).toBe('success');
  expect(await back(one, linked)).toBe('state_invalid');
  expect(await back(two, await begin(two))).toBe('already_linked');
  expect(await back(two, await begin(one))).toBe('user_mismatch');
  const denied = await begin(one);
  denied.search = `error=access_denied&state=${denied.searchParams.get('state')}`;
  expect(await back(one, denied)).toBe('access_denied');
  const wrong = await begin(one);
  wrong.searchParams.set('code', 'wrong');
  expect(await back(one, wrong)).toBe('code_exchange_failed');
  const late = await begin(one);
  minutes(10);
  expect(await back(one, late)).toBe('state_expired');
  const changed = await begin(one);
  await database.query({ text: 'UPDATE github_link_states SET verifier = reverse(verifier)' });
  expect(await back(one, changed)).toBe('integrity_violation');
}

async function driveRefreshes() {
  const mcp = await scripted();
  expect(await mcp.refresh()).toBe(400);
  await mcp.authorize();
  await mcp.authorize();
  expect(await mcp.refresh()).toBe(200);
  minutes(58);
  await job('oauth-refresh-expiring');
  minutes(1);
  mcp.on('/token', null);
  expect(await mcp.refresh()).toBe(500);
  mcp.on('/token', { body: {} });
  expect(await mcp.refresh()).toBe(500);
  mcp.on('/token', { status: 400, body: { error: 'invalid_grant' } });
  expect(await mcp.refresh()).toBe(500);
}

async function driveChangedSecrets() {
  const mcp = await scripted();
  await mcp.authorize();
  await mcp.tamper('UPDATE oauth_clients SET client_secret = reverse(client_secret) WHERE server_uuid = $1');
  expect(await mcp.refresh()).toBe(500);
  await mcp.tamper('UPDATE oauth_sessions SET refresh_token = reverse(refresh_token) WHERE server_uuid = $1');
  expect(await mcp.refresh()).toBe(500);
}

async function driveReuse() {
  const mcp = await scripted();
  await mcp.authorize();
  const [row] = await database.query<{ refresh_token: string }>({
    text: 'SELECT refresh_token FROM oauth_sessions WHERE server_uuid = $1',
    values: [mcp.uuid],
  });
  expect(await mcp.refresh()).toBe(200);
  minutes(1);
  await database.query({
    text: 'UPDATE oauth_sessions SET refresh_token = $2 WHERE server_uuid = $1',
    values: [mcp.uuid, row?.refresh_token],
  });
  expect(await mcp.refresh()).toBe(409);
}

/** At the real authorization server. */
async function driveUse() {
  expect(await oauth.authorize()).toContain('oauth_success');
  expect(await oauth.discover()).toBe('succeeded');
  oauth.mcp.refuseAll();
  expect(await oauth.discover()).toBe('succeeded');
  const { body } = await withKey('GET', '/api/mcp/oauth/session');
  const { id } = body.sessions.find(({ provider }: { provider: string }) => provider.startsWith('notes'));
  expect((await withKey('DELETE', `/api/mcp/oauth/session/${id}`)).status).toBe(200);
  await services.oauth.serverSettings.configure(oauth.user, {
    serverUuid: oauth.serverUuid,
    client: { issuer: acme, clientId: 'by-hand' },
    omitsResource: true,
  });
}

async function driveRegistrations() {
  for (const answer of [{ status: 400, body: { error: 'invalid_redirect_uri' } }, null, { status: 201, body: {} }]) {
    const mcp = await scripted();
    mcp.on('/register', answer);
    expect((await mcp.initiate()).status).toBe(500);
  }
}

async function driveDiscoveries() {
  const places = ['oauth-protected-resource/mcp', 'oauth-authorization-server', 'openid-configuration'];
  const ofOther = goodMetadata('https://other.example', { resource: 'https://other.example/mcp' });
  const answers = [{ status: 404 }, null, { body: 'no JSON' }, { body: ofOther }];
  for (const [index, place] of places.entries())
    for (const answer of answers) {
      const mcp = await scripted();
      if (index === 2) mcp.on('/.well-known/oauth-authorization-server', { status: 404 });
      mcp.on(`/.well-known/${place}`, answer);
      expect((await mcp.initiate()).status).toBe(500);
    }
  const mcp = await scripted();
  mcp.on('/.well-known/oauth-authorization-server', { status: 404 });
  mcp.on('/.well-known/openid-configuration', ({ headers }) => ({ body: goodMetadata(`http://${headers.host}`) }));
  await mcp.begin();
}

async function driveCleanup() {
  for (const cleanUp of [() => job('oauth-cleanup-pkce'), () => browser('GET', '/api/oauth/cleanup-pkce')]) {
    const mcp = await scripted();
    await mcp.begin();
    minutes(16);
    await cleanUp();
  }
  await (await scripted()).begin();
}

let text: string;

beforeAll(async () => {
  for (const drive of [
    driveFlows,
    driveNamedProvider,
    driveGithub,
    driveRefreshes,
    driveChangedSecrets,
    driveReuse,
    driveUse,
    driveRegistrations,
    driveDiscoveries,
    driveCleanup,
  ])
    await drive();
  text = await scrape();
});

// The hosts of the issuers that are named cannot be driven here; they are below.
const driven = Object.entries(everyLabel(['other', 'github']));

it.each(driven)('%s has every label that it can have, and no other', verifies('oauth.figures'), (family, sets) => {
  const expected = sets.map((labels) => sorted(Object.entries(labels).map(([name, value]) => `${name}="${value}"`)));
  if (family.startsWith('oauth_flow')) expected.push('provider="acme",status="success"');
  expect(seriesOf(text, family)).toEqual(expected.sort());
});

it('a provider is one of a closed set, whatever the issuer', verifies('oauth.figures'), () => {
  const { labelOf } = createProviders({ acme: { issuer: 'https://acme.example', clientId: 'c' } });
  expect(
    ['https://acme.example', 'https://github.com/login/oauth', 'https://accounts.google.com'].map(labelOf),
  ).toEqual(['acme', 'github', 'google']);
  const others = ['', 'constructor', 'https://acme.example/', 'https://github.com.evil.example', 'https://constructor'];
  expect(new Set(others.map(labelOf))).toEqual(new Set(['other']));
  expect(providerLabels).toEqual(['github', 'google', 'microsoft', 'atlassian', 'other']);
});

it('the documented families are seventeen', () => {
  expect(driven).toHaveLength(17);
  const exposed = [...text.matchAll(/^# TYPE (oauth_\w+)/gm)].map(([, name]) => name);
  expect(exposed.sort()).toEqual(driven.map(([family]) => family).sort());
});
