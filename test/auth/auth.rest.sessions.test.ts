import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { sessionOf } from '../support/people.ts';
import { callerOf, startTestServer, tenantOf } from '../support/server.ts';
import {
  cookieOf,
  expectDocumented,
  expectRefused,
  newPerson,
  password,
  tokenOf,
  withCookie,
} from './auth-responses.ts';

const server = await startTestServer();
const anybody = callerOf(server, null);

describe('POST /api/auth/sign-up', () => {
  it(
    'B10: answers who signed up and sets the cookie, out of reach of scripts and other sites',
    verifies('identity.sign-up', 'identity.session.cookie'),
    async () => {
      const person = newPerson();
      const answer = await anybody('POST', '/api/auth/sign-up', { ...person, isAdmin: true, tier: 'enterprise' });
      expectDocumented(answer, 'POST', '/api/auth/sign-up');
      expect(answer.body).toMatchObject({
        user: { username: person.username, email: person.email, isAdmin: false },
        project: { name: 'Default', tier: 'free' },
        profile: { name: 'Default', projectUuid: answer.body.project.uuid },
      });
      expect(cookieOf(answer)).toMatch(
        /^session_token=[A-Za-z0-9_-]{43}; Expires=[^;]+ GMT; Path=\/; HttpOnly; SameSite=Lax$/,
      );
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.text).not.toContain(tokenOf(answer));
      const session = await anybody('GET', '/api/auth/session', undefined, withCookie(tokenOf(answer)));
      expect(session.body).toEqual(answer.body);
    },
  );

  it(
    'B10: marks the cookie Secure where the platform is reached by https',
    verifies('identity.session.cookie'),
    async () => {
      const secured = await startTestServer({ APP_URL: 'https://patchbay.example' });
      const answer = await callerOf(secured, null)('POST', '/api/auth/sign-up', newPerson());
      expect(cookieOf(answer)).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
    },
  );

  it('refuses with 400 and the names of the fields', async () => {
    const person = newPerson();
    const cases: [Record<string, unknown>, string][] = [
      [{ username: 'ab' }, 'username'],
      [{ username: 'admin' }, 'username'],
      [{ username: 7 }, 'username'],
      [{ username: null }, 'username'],
      [{ username: 'a\u0000b' }, 'username'],
      [{ email: 'nobody' }, 'email'],
      [{ email: ['a@example.com'] }, 'email'],
      [{ password: 'short' }, 'password'],
      [{ password: 'password1' }, 'password'],
      [{ password: `${password}\u0000` }, 'password'],
      [{ password: undefined }, 'password'],
    ];
    for (const [change, field] of cases) {
      const answer = await anybody('POST', '/api/auth/sign-up', { ...person, ...change });
      expectRefused(answer, 400, 'VALIDATION_ERROR', { [field]: expect.stringContaining(field) });
      expect(cookieOf(answer)).toBeUndefined();
    }
    const lone = JSON.stringify({ ...person, username: 'x' }).replace('"x"', '"abc\\ud800"');
    expectRefused(await anybody('POST', '/api/auth/sign-up', lone), 400, 'VALIDATION_ERROR', {
      username: expect.any(String),
    });
    expectRefused(await anybody('POST', '/api/auth/sign-up'), 400, 'VALIDATION_ERROR', {
      email: 'email is required',
      username: 'username is required',
      password: 'password is required',
    });
  });

  it('B15: refuses a taken name with 409, whatever its case', verifies('identity.username'), async () => {
    const person = newPerson();
    await anybody('POST', '/api/auth/sign-up', person);
    const again = await anybody('POST', '/api/auth/sign-up', {
      ...newPerson(),
      username: person.username.toUpperCase(),
    });
    expectRefused(again, 409, 'CONFLICT', { username: 'username is taken' });
  });
});

describe('POST /api/auth/sign-in', () => {
  it(
    'B10: answers who signed in, by name or by address, with a new session each time',
    verifies('identity.sign-in', 'identity.session.rotation'),
    async () => {
      const person = newPerson();
      const first = await anybody('POST', '/api/auth/sign-up', person);
      const tokens = new Set([tokenOf(first)]);
      for (const way of [{ username: person.username }, { email: person.email, username: null }]) {
        const answer = await anybody('POST', '/api/auth/sign-in', { ...way, password });
        expectDocumented(answer, 'POST', '/api/auth/sign-in');
        expect(answer.body).toEqual(first.body);
        tokens.add(tokenOf(answer));
      }
      expect(tokens).toHaveProperty('size', 3);
    },
  );

  it(
    'B10: gives a browser that carries a planted cookie another one, and ends the planted session',
    verifies('identity.session.rotation'),
    async () => {
      const [attacker, victim] = [newPerson(), newPerson()];
      const planted = tokenOf(await anybody('POST', '/api/auth/sign-up', attacker));
      await anybody('POST', '/api/auth/sign-up', victim);
      for (const token of [planted, 'x'.repeat(43)]) {
        const { username } = victim;
        const answer = await anybody('POST', '/api/auth/sign-in', { username, password }, withCookie(token));
        expect(tokenOf(answer)).toMatch(/^[A-Za-z0-9_-]{43}$/);
        expect(tokenOf(answer)).not.toBe(token);
        expectRefused(await anybody('GET', '/api/auth/session', undefined, withCookie(token)), 401, 'UNAUTHORIZED');
      }
    },
  );

  it('B15: answers a wrong password and an unknown name with the same 401', verifies('identity.sign-in'), async () => {
    const person = newPerson();
    await anybody('POST', '/api/auth/sign-up', person);
    const answers = await Promise.all([
      anybody('POST', '/api/auth/sign-in', { username: person.username, password: 'wrong password' }),
      anybody('POST', '/api/auth/sign-in', { username: 'nobody-at-all', password: 'wrong password' }),
      anybody('POST', '/api/auth/sign-in', { email: 'nobody@example.com', password }),
    ]);
    for (const answer of answers) {
      expectRefused(answer, 401, 'UNAUTHORIZED');
      expect(cookieOf(answer)).toBeUndefined();
    }
    expect(new Set(answers.map(({ text }) => text))).toHaveProperty('size', 1);
  });

  it('refuses with 400 and the names of the fields; a disabled user with 403', async () => {
    const cases: [unknown, object][] = [
      [{ password }, { email: 'either email or username is required' }],
      [{ password, email: 'a@b.co', username: 'abc' }, { email: 'provide either email or username, not both' }],
      [{ username: 'abc' }, { password: 'password is required' }],
      [{ username: {}, password }, { username: expect.stringContaining('username') }],
      [{ username: 'abc', password: 1 }, { password: 'password must be a string' }],
      ['[]', { body: 'The body must be a JSON object' }],
      ['{"password":', { body: 'The body is not valid JSON' }],
    ];
    for (const [body, details] of cases)
      expectRefused(await anybody('POST', '/api/auth/sign-in', body), 400, 'VALIDATION_ERROR', details);
    const person = newPerson();
    const { body } = await anybody('POST', '/api/auth/sign-up', person);
    const where = { uuid: body.user.uuid };
    await server.database.prisma.user.update({ where, data: { disabledAt: server.clock.now() } });
    const { username } = person;
    expectRefused(await anybody('POST', '/api/auth/sign-in', { username, password }), 403, 'FORBIDDEN');
  });

  it('B11: takes nothing that another site can send without asking', async () => {
    const person = newPerson();
    await anybody('POST', '/api/auth/sign-up', person);
    const body = JSON.stringify({ username: person.username, password });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const answer = await anybody('POST', '/api/auth/sign-in', body, { 'Content-Type': type });
      expectRefused(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
      expect(cookieOf(answer)).toBeUndefined();
    }
  });
});

describe('POST /api/auth/sign-out', () => {
  it(
    'B10: ends the session on the server and removes the cookie; without a session it is done already',
    verifies('identity.sign-out'),
    async () => {
      const { token, call } = await sessionOf(server);
      const answer = await call('POST', '/api/auth/sign-out');
      expectDocumented(answer, 'POST', '/api/auth/sign-out');
      expect(cookieOf(answer)).toBe('session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax');
      expectRefused(await call('GET', '/api/auth/session'), 401, 'UNAUTHORIZED');
      expect(await server.services.auth.sessions.verify(token)).toBeNull();
      expectDocumented(await call('POST', '/api/auth/sign-out'), 'POST', '/api/auth/sign-out');
      expectDocumented(await anybody('POST', '/api/auth/sign-out'), 'POST', '/api/auth/sign-out');
    },
  );

  it('is nothing for a key: 403', async () => {
    const { call } = await tenantOf(server);
    expectRefused(await call('POST', '/api/auth/sign-out'), 403, 'FORBIDDEN');
  });
});

describe('GET /api/auth/session', () => {
  it(
    'show sessions and keys their identity, and unauthenticated callers nothing',
    verifies('identity.session.read'),
    async () => {
      const { user, call } = await tenantOf(server);
      const answer = await call('GET', '/api/auth/session');
      expectDocumented(answer, 'GET', '/api/auth/session');
      expect(answer.body.profile.uuid).toBe(user.principal?.profileUuid);
      const withoutRead = await tenantOf(server, { scopes: ['write'] });
      expectRefused(await withoutRead.call('GET', '/api/auth/session'), 403, 'FORBIDDEN');
      expectRefused(await anybody('GET', '/api/auth/session'), 401, 'UNAUTHORIZED');
      for (const token of ['', 'x', 'A'.repeat(43), '%00', '"'])
        expectRefused(await anybody('GET', '/api/auth/session', undefined, withCookie(token)), 401, 'UNAUTHORIZED');
    },
  );
});

describe('POST /api/auth/password', () => {
  it('B10: ends all sessions, and gives this browser a new one', verifies('identity.password'), async () => {
    const here = await sessionOf(server);
    const { body } = await here.call('GET', '/api/auth/session');
    const there = await anybody('POST', '/api/auth/sign-in', { username: body.user.username, password });
    const change = { currentPassword: password, newPassword: 'a better one' };
    const answer = await here.call('POST', '/api/auth/password', change);
    expectDocumented(answer, 'POST', '/api/auth/password');
    for (const token of [here.token, tokenOf(there)])
      expectRefused(await anybody('GET', '/api/auth/session', undefined, withCookie(token)), 401, 'UNAUTHORIZED');
    const session = await anybody('GET', '/api/auth/session', undefined, withCookie(tokenOf(answer)));
    expect(session.body.user).toEqual(answer.body.user);
  });

  it('refuses a wrong one with 400, a key with 403 and an anonymous caller with 401', async () => {
    const { call } = await sessionOf(server);
    const change = { currentPassword: 'wrong password', newPassword: 'a better one' };
    expectRefused(await call('POST', '/api/auth/password', change), 400, 'VALIDATION_ERROR', {
      currentPassword: 'currentPassword is wrong',
    });
    expectRefused(await call('POST', '/api/auth/password', { currentPassword: 1 }), 400, 'VALIDATION_ERROR', {
      currentPassword: 'currentPassword must be a string',
      newPassword: 'newPassword is required',
    });
    const key = await tenantOf(server, { scopes: ['read', 'write', 'admin'] });
    expectRefused(await key.call('POST', '/api/auth/password', change), 403, 'FORBIDDEN');
    expectRefused(await anybody('POST', '/api/auth/password', change), 401, 'UNAUTHORIZED');
  });
});
