import { anonymous, type Caller } from '../../src/platform/caller.ts';
import { type GithubAccountAt, type GithubStandIn, startGithub } from './github.ts';
import { type Answer, type Call, callerOf, graphqlOf, startTestServer, type TestServer } from './server.ts';
import { keyOf, signUp } from './services.ts';

/** A user with a linked GitHub account. */
export interface Submitter {
  readonly account: GithubAccountAt;
  readonly user: Caller;
  readonly call: Call;
  readonly session: Call;
  /** Of the key of `call`. */
  readonly secret: string;
  readonly graphql: ReturnType<typeof graphqlOf>;
  readonly profileUuid: string;
}

export interface RegistryStage {
  readonly server: TestServer;
  readonly github: GithubStandIn;
  readonly nobody: Call;
  /** A key of an administrator. */
  readonly admin: Call;
  readonly adminGraphql: ReturnType<typeof graphqlOf>;
  /** A new user, signed in and with a key. */
  person(): Promise<Omit<Submitter, 'account'>>;
  /** The same with a linked account. */
  submitter(login?: string): Promise<Submitter>;
  /** Submits, and has it accepted. */
  published(
    submitter: Submitter,
    repository: string,
    over?: Record<string, unknown>,
  ): Promise<{ uuid: string; name: string }>;
}

let people = 0;

export const submission = (repository: string, over: Record<string, unknown> = {}) => ({
  repository,
  transport: ['stdio'],
  package_type: 'npm',
  environment_variables: ['WEATHER_API_KEY'],
  ...over,
});

export async function startRegistryStage(environment: Record<string, string> = {}): Promise<RegistryStage> {
  const github = await startGithub();
  const server = await startTestServer({ ...github.settings, ...environment });
  const nobody = callerOf(server, null);

  async function person(scopes: ('read' | 'write' | 'admin')[] = ['read', 'write'], isAdmin = false) {
    const user = await signUp(server.services, `reg-${++people}-${process.pid}`);
    if (isAdmin)
      await server.database.query({
        text: 'UPDATE users SET is_admin = true WHERE uuid = $1',
        values: [user.principal?.userUuid],
      });
    const { secret } = await keyOf(server.services, user, { scopes });
    const { email } = await server.services.auth.accounts.current(user);
    const { token } = await server.services.auth.accounts.signIn(anonymous(), {
      email,
      password: 'correct horse battery',
    });
    const session: Call = (method, path, body, headers) =>
      nobody(method, path, body, { Cookie: `session_token=${token}`, ...headers });
    const profileUuid = String(user.principal?.profileUuid);
    return { user, secret, call: callerOf(server, secret), session, graphql: graphqlOf(server, secret), profileUuid };
  }

  const { call: admin, graphql: adminGraphql } = await person(['read', 'write', 'admin'], true);

  async function submitter(login = `octo${++people}`): Promise<Submitter> {
    const somebody = await person();
    const account = github.account(login);
    const callback = await linked(github, somebody.session, account);
    if (callback.headers.get('location') !== '/registry?linked=true')
      throw new Error(`not linked: ${callback.headers.get('location')}`);
    return { ...somebody, account };
  }

  return {
    server,
    github,
    nobody,
    admin,
    adminGraphql,
    person: () => person(),
    submitter,
    async published({ call }, repository, over) {
      const submitted = await call('POST', '/api/registry/submit', submission(repository, over));
      if (submitted.status !== 200) throw new Error(`not submitted: ${submitted.text}`);
      const accepted = await accept(admin, submitted.body.uuid);
      if (accepted.status !== 200) throw new Error(`not accepted: ${accepted.text}`);
      const { name } = accepted.body.submission;
      const [row] = await server.database.query<{ server_uuid: string }>({
        text: 'SELECT server_uuid FROM registry_servers WHERE name = $1',
        values: [name],
      });
      return { uuid: String(row?.server_uuid), name };
    },
  };
}

/** Accepts the current submission as an administrator. */
export async function accept(call: Call, uuid: string): Promise<Answer> {
  return call('POST', `/api/registry/submissions/${uuid}/accept`, { digest: await digestOf(call, uuid) });
}

/** The digest that an administrator must send; of an unknown submission, that of nothing. */
export async function digestOf(call: Call, uuid: string): Promise<string> {
  for (let after = ''; ; ) {
    const { body } = await call('GET', `/api/registry/submissions?limit=100${after}`);
    const found = body.submissions.find((each: { uuid: string }) => each.uuid === uuid);
    if (found !== undefined || body.next_cursor === null) return found?.digest ?? '0'.repeat(64);
    after = `&after=${body.next_cursor}`;
  }
}

/** Goes to GitHub and back. @returns The answer of the callback, which is not followed. */
export async function linked(github: GithubStandIn, session: Call, account: GithubAccountAt): Promise<Answer> {
  const { body } = await session('GET', '/api/registry/github/link');
  const back = await github.allow(body.authorization_url, account);
  return session('GET', back.pathname + back.search);
}

/** The name of a server as it stands in a path. */
export const inPath = (name: string) => encodeURIComponent(name);
