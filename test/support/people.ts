import { randomUUID } from 'node:crypto';
import { anonymous, type Caller } from '../../src/platform/caller.ts';
import { type Call, callerOf, type TestServer } from './server.ts';
import { keyOf } from './services.ts';

/** A user in a browser: signed in, and calling with the session's cookie. */
export async function sessionOf(server: TestServer): Promise<{ user: Caller; token: string; call: Call }> {
  const username = `u${randomUUID().slice(0, 12)}`;
  const { token, principal } = await server.services.auth.accounts.signUp(anonymous('192.0.2.1'), {
    email: `${username}@example.com`,
    username,
    password: 'correct horse battery',
  });
  const bare = callerOf(server, null);
  const call: Call = (method, path, body, headers) =>
    bare(method, path, body, { Cookie: `session_token=${token}`, ...headers });
  return { user: { principal, address: '192.0.2.1' }, token, call };
}

/** A browser in which a user signs in once more. */
export async function signedIn(server: TestServer, user: Caller): Promise<Call> {
  const { accounts: users } = server.services.auth;
  const { email } = await users.current(user);
  const { token } = await users.signIn(anonymous(), { email, password: 'correct horse battery' });
  const bare = callerOf(server, null);
  return (method, path, body, headers) => bare(method, path, body, { Cookie: `session_token=${token}`, ...headers });
}

/** A key of another profile of the user: in the same project, or in a new one. */
export async function secondProfileOf(
  server: TestServer,
  user: Caller,
  where: 'same project' | 'new project',
): Promise<{ secret: string; caller: Caller; call: Call; profileUuid: string }> {
  const { projects, profiles } = server.services.auth;
  const name = `p${randomUUID().slice(0, 8)}`;
  const projectUuid =
    where === 'new project' ? (await projects.create(user, { name })).uuid : String(user.principal?.projectUuid);
  const profile = await profiles.create(user, { projectUuid, name });
  const { secret, caller } = await keyOf(server.services, user, { profileUuid: profile.uuid });
  return { secret, caller, call: callerOf(server, secret), profileUuid: profile.uuid };
}
