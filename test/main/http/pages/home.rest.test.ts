import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../../requirements.ts';
import { cleanUp } from '../../../support/cleanup.ts';
import { sessionOf } from '../../../support/people.ts';
import { callerOf, startTestServer, type TestServer } from '../../../support/server.ts';

const dataDir = await mkdtemp(path.join(tmpdir(), 'patchbay-home-'));
cleanUp(() => rm(dataDir, { recursive: true }));
for (const file of ['demo-api-key', 'demo-password']) await writeFile(path.join(dataDir, file), 'x\n');
const server = await startTestServer({ DATA_DIR: dataDir });
const password = 'correct horse battery staple';
const username = `demo-${randomUUID().slice(0, 8)}`;
const email = `${username}@people.example`;
const signUp = (to: TestServer) => callerOf(to, null)('POST', '/api/auth/sign-up', { email, username, password });
await signUp(server);

/** A form as a browser without scripts sends it. */
const submit = (
  to: TestServer,
  place: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { Origin: to.base, 'Sec-Fetch-Site': 'same-origin' },
) => fetch(to.base + place, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) });
const page = async (to: TestServer, place: string, cookie?: string) => {
  const answer = await fetch(to.base + place, {
    redirect: 'manual',
    headers: { Accept: 'text/html', ...(cookie && { Cookie: cookie }) },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const cookieOf = (answer: Response) => answer.headers.get('set-cookie')?.split(';')[0] ?? '';

describe('the first page', () => {
  it('is a small page without scripts or anything from elsewhere', verifies('platform.home'), async () => {
    const { status, headers, text } = await page(server, '/');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect([headers.get('cache-control'), headers.get('access-control-allow-origin')]).toEqual(['no-store', null]);
    expect(text).not.toMatch(/<script|style=|(href|src|action)="(?!\/)/);
    expect(text.length).toBeLessThan(6_000);
    for (const link of [
      '/graphql',
      '/docs/api',
      '/openapi.json',
      '/dev/mail',
      '/readyz',
      '/v0.1/servers',
      '/favicon.svg',
    ]) {
      expect(text).toContain(`href="${link}"`);
      expect([200, 303]).toContain((await page(server, link)).status);
    }
  });

  it(
    'names the files of the demo account and says whether the sample data is there',
    verifies('platform.home'),
    async () => {
      expect((await page(server, '/')).text).not.toContain('demo-api-key');
      const own = await startTestServer({ DATA_DIR: dataDir });
      const { services, database, clock } = own;
      const { principal } = await services.auth.accounts.signUp(
        { principal: null, address: '' },
        { email: 'demo@patchbay.example', username: 'demo-user', password },
      );
      const { text } = await page(own, '/');
      for (const file of ['demo-api-key', 'demo-password']) expect(text).toContain(path.join(dataDir, file));
      expect(text).toContain('<code>npm run seed</code>');
      const row = { profileUuid: principal.profileUuid, createdAt: clock.now() };
      await database.prisma.sampleProfile.create({ data: { ...row, daysDone: 3 } });
      const again = await startTestServer({ DATA_DIR: dataDir, DATABASE_URL: own.url }, own.url);
      expect((await page(again, '/')).text).toContain('Being made');
    },
  );

  it('names no file in production', verifies('platform.home', 'platform.production'), async () => {
    const production = await startTestServer({
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      APP_URL: 'https://patchbay.example.com',
      CRON_SECRET: '2Jv9qXw7Lr4Tz8Nk1Bf6Hd3Gs5Yc0PmaZ',
    });
    const { text } = await page(production, '/');
    expect(text).toContain('action="/sign-in"');
    for (const word of ['demo', dataDir, '/dev/mail']) expect(text).not.toContain(word);
  });

  it('has an icon that browsers keep', async () => {
    const { headers, text } = await page(server, '/favicon.svg');
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
      'image/svg+xml',
      'public, max-age=86400',
    ]);
    expect(text.length).toBeLessThan(600);
  });
});

describe('its sign-in form', () => {
  it.each([
    ['user name', username],
    ['email address', email],
  ])('signs in by %s, opens /dev/mail, and signs out', verifies('platform.home'), async (_what, name) => {
    const before = await page(server, '/dev/mail');
    expect([before.status, before.headers.get('location')]).toEqual([303, '/sign-in']);
    const signedIn = await submit(server, '/sign-in', { name, password });
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/']);
    expect(signedIn.headers.get('set-cookie')).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
    const cookie = cookieOf(signedIn);
    expect((await page(server, '/', cookie)).text).toContain(`<strong>${username}</strong>`);
    expect((await page(server, '/dev/mail', cookie)).text).toContain(`Email to ${email}`);
    const fromHere = { Origin: server.base, Cookie: cookie };
    const signedOut = await submit(server, '/sign-out', {}, fromHere);
    expect([signedOut.status, signedOut.headers.get('location')]).toEqual([303, '/']);
    expect(signedOut.headers.get('set-cookie')).toContain('session_token=; Max-Age=0');
    expect((await page(server, '/dev/mail', cookie)).status).toBe(303);
  });

  it(
    'says in words that the credentials are wrong, and keeps the name, escaped',
    verifies('platform.home'),
    async () => {
      const answer = await submit(server, '/sign-in', { name: '"><script>alert(1)</script>', password });
      const text = await answer.text();
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
      expect(text).toContain('<p role="alert">The user name, email address or password is wrong</p>');
      expect(text).toContain('value="&quot;&gt;&lt;script&gt;');
      expect(text).not.toContain('<script');
      const empty = await submit(server, '/sign-in', {});
      expect(empty.status).toBe(400);
      expect(await empty.text()).toMatch(/role="alert">password is required</);
    },
  );

  it.each([
    ['an origin of another site', { Origin: 'https://elsewhere.example' }],
    ['no origin, as from a sandbox', { Origin: 'null' }],
    ['a request that the browser calls cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['one of a sister site', { 'Sec-Fetch-Site': 'same-site' }],
  ] as [string, Record<string, string>][])(
    'is refused to %s, with and without a session',
    verifies('platform.home'),
    async (_what, headers) => {
      const signIn = await submit(server, '/sign-in', { name: username, password }, headers);
      expect([signIn.status, signIn.headers.get('set-cookie')]).toEqual([403, null]);
      const { token, call } = await sessionOf(server);
      const signOut = await submit(server, '/sign-out', {}, { ...headers, Cookie: `session_token=${token}` });
      expect(signOut.status).toBe(403);
      expect((await call('GET', '/api/auth/session')).status).toBe(200);
    },
  );

  it('spends the budget of POST /api/auth/sign-in', verifies('platform.home'), async () => {
    const limited = await startTestServer({ RATE_LIMITS: '{"*":"off","authentication":"2/15m"}' });
    await signUp(limited);
    const api = () => callerOf(limited, null)('POST', '/api/auth/sign-in', { username, password: 'wrong' });
    const left = await submit(limited, '/sign-in', { name: username, password: 'wrong' });
    expect([left.status, left.headers.get('x-ratelimit-limit')]).toEqual([401, '2']);
    const results = [(await api()).status];
    const last = await submit(limited, '/sign-in', { name: username, password });
    results.push(last.status, (await api()).status);
    expect(results).toEqual([429, 429, 429]);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await last.text()).toContain('role="alert"');
  });

  it('takes small forms alone', async () => {
    const send = (body: string, type: string) =>
      fetch(`${server.base}/sign-in`, { method: 'POST', headers: { 'Content-Type': type }, body });
    const form = 'application/x-www-form-urlencoded';
    const statuses = [
      await send('{}', 'application/json'),
      await send('name=a&password=b', 'text/plain'),
      await send(`name=${'a'.repeat(20_000)}`, form),
    ].map(({ status }) => status);
    expect(statuses).toEqual([415, 415, 413]);
    const other = await fetch(`${server.base}/sign-out`);
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
