import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAccounts } from '../../src/auth/accounts.ts';
import { createGuesses, networkRememberedSeconds, networksRememberedMax } from '../../src/auth/guesses.ts';
import type { Passwords } from '../../src/auth/passwords.ts';
import { anonymous } from '../../src/platform/caller.ts';
import { createRateLimits } from '../../src/platform/limits/rate-limits.ts';
import { verifies } from '../requirements.ts';
import { callerOf, startTestServer } from '../support/server.ts';
import { cookieOf, newPerson, tokenOf } from './auth-responses.ts';

const limit = 4;
const server = await startTestServer({
  TRUST_PROXY: '1',
  RATE_LIMITS: JSON.stringify({ '*': 'off', account: `${limit}/1h` }),
});
const { clock, database } = server;
const call = callerOf(server, null);

let places = 0;
/** An address that nothing came from before. */
const newAddress = () => {
  places += 1;
  return `198.51.${Math.floor(places / 250)}.${places % 250}`;
};

type Name = { username: string } | { email: string };
const signIn = (name: Name, password: string, address: string, headers: Record<string, string> = {}) =>
  call('POST', '/api/auth/sign-in', { ...name, password }, { 'X-Forwarded-For': address, ...headers });

/** A user, and wrong passwords from as many addresses as the limit allows. */
async function attacked() {
  const person = newPerson();
  const address = newAddress();
  const signedUp = await call('POST', '/api/auth/sign-up', person, { 'X-Forwarded-For': address });
  expect(signedUp.status).toBe(200);
  const name = { username: person.username };
  for (let guess = 0; guess < limit; guess++)
    expect((await signIn(name, 'wrong password', newAddress())).status).toBe(401);
  return { ...person, name, address, cookie: { Cookie: `session_token=${tokenOf(signedUp)}` } };
}

describe('guesses at one account from many addresses (B08, J10)', verifies('identity.guesses'), () => {
  it('are 429 over the limit, also the right one, with the headers and Retry-After', async () => {
    const { name, password } = await attacked();
    for (const guess of ['wrong password', password]) {
      const { status, headers, body } = await signIn(name, guess, newAddress());
      expect(status).toBe(429);
      expect(body).toEqual({ error: { code: 'RATE_LIMITED', message: 'Rate limit exceeded' } });
      expect(headers.get('X-RateLimit-Limit')).toBe(String(limit));
      expect(headers.get('X-RateLimit-Remaining')).toBe('0');
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    }
    const metrics = (await call('GET', '/metrics')).text;
    expect(metrics).toMatch(/^patchbay_rate_limit_refusals_total\{class="account"\} [1-9]/m);
  });

  it('are 429 over GraphQL, too', async () => {
    const { name } = await attacked();
    const query = 'mutation ($input: UserSignInInput!) { userSignIn(input: $input) { user { uuid } } }';
    const input = { ...name, password: 'wrong password' };
    const { body } = await call('POST', '/graphql', { query, variables: { input } });
    expect(body.errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) } }]);
  });

  it('do not lock the owner out: a network that signed in before is not counted, nor blocked', async () => {
    const { name, password, address, email } = await attacked();
    for (let time = 0; time < 2; time++) expect((await signIn(name, password, address)).status).toBe(200);
    expect((await signIn({ email }, password, address)).status).toBe(200);
    // Mistakes from there do not use up what others have, and are not refused for what others did.
    for (let guess = 0; guess < 2 * limit; guess++)
      expect((await signIn(name, 'wrong password', address)).status).toBe(401);
    // The same network of another user is no known one.
    const other = await attacked();
    expect((await signIn(other.name, other.password, address)).status).toBe(429);
  });

  it('do not lock a signed-in browser out, whose guesses have a limit of their own', async () => {
    const { name, password, cookie } = await attacked();
    const answer = await signIn(name, password, newAddress(), cookie);
    expect(answer.status).toBe(200);
    expect(cookieOf(answer)).toMatch(/^session_token=/);
    const fresh = { Cookie: `session_token=${tokenOf(answer)}` };
    const statuses: number[] = [];
    for (let guess = 0; guess < limit + 1; guess++)
      statuses.push((await signIn(name, 'wrong password', newAddress(), fresh)).status);
    expect(statuses).toEqual([...Array(limit).fill(401), 429]);
    // The session of another user says nothing.
    const other = await attacked();
    expect((await signIn(name, password, newAddress(), other.cookie)).status).toBe(429);
  });

  it('look alike for an account that does not exist, from the first to the last', async () => {
    const name = { username: `unknown-${randomUUID().slice(0, 8)}` };
    const real = await call('POST', '/api/auth/sign-up', newPerson(), { 'X-Forwarded-For': newAddress() });
    const { username } = real.body.user;
    for (let guess = 0; guess < limit + 2; guess++) {
      const [unknown, known] = [
        await signIn(name, 'wrong password', newAddress()),
        await signIn({ username }, 'wrong password', newAddress()),
      ];
      expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
      for (const header of ['X-RateLimit-Limit', 'X-RateLimit-Remaining'])
        expect(unknown.headers.get(header)).toBe(known.headers.get(header));
    }
  });

  it('count under any spelling of a name, and right passwords do not count', async () => {
    const person = newPerson();
    await call('POST', '/api/auth/sign-up', person, { 'X-Forwarded-For': newAddress() });
    for (let time = 0; time < 3 * limit; time++)
      expect((await signIn({ username: person.username }, person.password, newAddress())).status).toBe(200);
    for (let guess = 0; guess < limit; guess++) {
      const email = guess % 2 ? person.email.toUpperCase() : ` ${person.email}`;
      expect((await signIn({ email }, 'wrong password', newAddress())).status).toBe(401);
    }
    expect((await signIn({ email: person.email }, person.password, newAddress())).status).toBe(429);
  });

  it('at the password of a session are limited by session, when it is changed and when the account is deleted', async () => {
    const { cookie, password } = await attacked();
    const from = () => ({ 'X-Forwarded-For': newAddress(), ...cookie });
    const change = (currentPassword: string) =>
      call('POST', '/api/auth/password', { currentPassword, newPassword: 'another staple of mine' }, from());
    const remove = () => call('DELETE', '/api/auth/account', { password: 'wrong password' }, from());
    const statuses = [await change('wrong'), await remove(), await change('wrong'), await remove()];
    expect(statuses.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect((await change(password)).status).toBe(429);
    expect((await remove()).status).toBe(429);
  });

  it('a change of the password forgets the networks but the one that it came from', async () => {
    const { name, password, address, cookie } = await attacked();
    const newPassword = 'another staple of mine';
    const now = newAddress();
    const body = { currentPassword: password, newPassword };
    expect((await call('POST', '/api/auth/password', body, { 'X-Forwarded-For': now, ...cookie })).status).toBe(200);
    expect((await signIn(name, newPassword, address)).status).toBe(429);
    expect((await signIn(name, newPassword, now)).status).toBe(200);
  });

  it(`a network is known for ${networkRememberedSeconds / 86_400} days, and then removed`, async () => {
    const { name, password, address } = await attacked();
    clock.advance(networkRememberedSeconds * 1_000 - 1);
    expect((await signIn(name, password, address)).status).toBe(200);
    clock.advance(networkRememberedSeconds * 1_000);
    expect((await signIn(name, password, address)).status).toBe(429);
    expect(await server.services.auth.guesses.purgeNetworks()).toBeGreaterThan(0);
    const left = await database.query({ text: 'SELECT FROM sign_in_networks WHERE network = $1', values: [address] });
    expect(left).toEqual([]);
  });

  it(`the ${networksRememberedMax} networks used last are known`, async () => {
    const { name, password, address, username } = await attacked();
    await database.query({
      text: `INSERT INTO sign_in_networks SELECT u.uuid, 'n' || n, $2::timestamptz + n * interval '1 second'
        FROM users u, generate_series(1, $3) n WHERE username = $1`,
      values: [username, clock.now(), networksRememberedMax - 1],
    });
    const known = async () => {
      const text = `SELECT network FROM sign_in_networks JOIN users ON uuid = user_uuid WHERE username = $1`;
      return (await database.query<{ network: string }>({ text, values: [username] })).map(({ network }) => network);
    };
    expect((await known()).length).toBe(networksRememberedMax);
    clock.advance(networksRememberedMax * 1_000);
    const cookie = { Cookie: `session_token=${tokenOf(await signIn(name, password, address))}` };
    const next = newAddress();
    expect((await signIn(name, password, next, cookie)).status).toBe(200);
    expect((await known()).length).toBe(networksRememberedMax);
    expect(await known()).toEqual(expect.arrayContaining([address, next]));
    expect(await known()).not.toContain('n1');
  });

  it('are counted before a password is hashed', async () => {
    let hashed = 0;
    const counting: Passwords = {
      hash: async () => '',
      async verify() {
        hashed += 1;
        return false;
      },
    };
    const rateLimits = createRateLimits({ overrides: { account: '3/1h' }, redis: null, processes: 1 });
    const guesses = createGuesses({ database, clock, rateLimits });
    const users = createAccounts({
      database,
      clock,
      sessions: server.services.auth.sessions,
      passwords: counting,
      guesses,
    });
    const attempts = Array.from({ length: 20 }, (_, index) =>
      users.signIn(anonymous(`203.0.113.${index}`), { username: 'nobody-there', password: 'x' }),
    );
    const outcomes = await Promise.allSettled(attempts);
    const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(17);
    expect(hashed).toBe(3);
  });
});
