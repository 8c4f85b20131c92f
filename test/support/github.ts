import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from './cleanup.ts';

/** A server that stands in for GitHub: the pages of OAuth and the part of its REST API that the registry asks. */

export interface GithubAccountAt {
  readonly id: number;
  login: string;
}

export interface GithubRepositoryAt {
  id: number;
  owner: GithubAccountAt;
  name: string;
  private: boolean;
  fork: boolean;
  archived: boolean;
  description: string | null;
  pushed_at: string;
  /** Who may administer it beside its owner. */
  readonly admins: Set<number>;
  readonly files: Map<string, string>;
}

export interface GithubStandIn {
  /** Of its pages and of its API. */
  readonly url: string;
  /** The settings that make the product use it. */
  readonly settings: Record<string, string>;
  readonly repositories: GithubRepositoryAt[];
  /** Names that lead to others, as after a rename: `owner/name` in lower case. */
  readonly moved: Set<string>;
  /** `method path` of every request, with its headers. */
  readonly received: { readonly line: string; readonly headers: IncomingMessage['headers'] }[];
  /** Done before a request is answered, while it is there. */
  before: ((req: IncomingMessage) => Promise<unknown>) | null;
  /** Answers in the place of everything else while it is there; false to go on as ever. */
  behave: ((req: IncomingMessage, res: ServerResponse) => boolean) | null;
  account(login: string): GithubAccountAt;
  repository(
    owner: GithubAccountAt,
    name: string,
    over?: Partial<GithubRepositoryAt>,
    files?: Record<string, string>,
  ): GithubRepositoryAt;
  /** A user allows at GitHub what a page asks for. @returns Where the browser goes from there. */
  allow(authorizationUrl: string, account: GithubAccountAt): Promise<URL>;
  /** Takes back all that was given to us for an account. */
  revoke(account: GithubAccountAt): void;
}

const clientId = 'Iv1.stand-in';
const clientSecret = 'secret-of-the-stand-in';

export const manifestOf = (over: Record<string, unknown> = {}) =>
  JSON.stringify({ name: '@octo/weather', version: '1.2.3', description: 'Tells the weather.', ...over });

export async function startGithub(): Promise<GithubStandIn> {
  const accounts: GithubAccountAt[] = [];
  const tokens = new Map<string, GithubAccountAt>();
  const codes = new Map<string, { account: GithubAccountAt; challenge: string; redirectUri: string }>();
  let ids = 1_000;

  const server = createServer(async (req, res) => {
    const url = new URL(req.url ?? '/', 'http://github.test');
    github.received.push({ line: `${req.method} ${req.url}`, headers: req.headers });
    await github.before?.(req);
    if (github.behave?.(req, res)) return;
    const json = (status: number, body: unknown) =>
      res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
    if (url.pathname === '/login/oauth/authorize') return void authorize(url, res);
    if (url.pathname === '/login/oauth/access_token') return void json(200, await exchange(req));
    const account = tokens.get(/^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1] ?? '');
    if (!account) return void json(401, { message: 'Bad credentials' });
    if (url.pathname === '/user') return void json(200, { ...account, type: 'User' });
    answerRepository(url.pathname, account, res, json);
  });

  function authorize(url: URL, res: ServerResponse): void {
    const asked = Object.fromEntries(url.searchParams);
    const account = accounts.find(({ login }) => login === asked.as);
    const isRight =
      asked.response_type === 'code' && asked.client_id === clientId && asked.code_challenge_method === 'S256';
    if (!account || !isRight || !asked.redirect_uri || asked.scope !== undefined) return void res.writeHead(400).end();
    const code = randomBytes(10).toString('hex');
    codes.set(code, { account, challenge: asked.code_challenge ?? '', redirectUri: asked.redirect_uri });
    const back = new URL(asked.redirect_uri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.state ?? '');
    res.writeHead(302, { Location: back.href }).end();
  }

  async function exchange(req: IncomingMessage): Promise<unknown> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    const known = codes.get(form.code ?? '');
    codes.delete(form.code ?? '');
    if (form.client_id !== clientId || form.client_secret !== clientSecret)
      return { error: 'incorrect_client_credentials' };
    const challenge = createHash('sha256')
      .update(form.code_verifier ?? '')
      .digest('base64url');
    // As GitHub does: an error is an answer with the status 200.
    if (!known || known.challenge !== challenge || known.redirectUri !== form.redirect_uri)
      return { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' };
    const token = `gho_${randomBytes(18).toString('hex')}`;
    tokens.set(token, known.account);
    // With commas, where RFC 6749, 3.3 has blanks: what the user has granted the app before.
    return { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' };
  }

  function answerRepository(
    path: string,
    account: GithubAccountAt,
    res: ServerResponse,
    json: (status: number, body: unknown) => void,
  ): unknown {
    const byId = /^\/repositories\/(\d+)$/.exec(path);
    const byName = /^\/repos\/([^/]+)\/([^/]+)(?:\/contents\/([^/]+))?$/.exec(path);
    const [owner, name, file] = (byName ?? []).slice(1).map((part) => part && decodeURIComponent(part));
    const called = `${owner}/${name}`.toLowerCase();
    if (byName && github.moved.has(called)) {
      res.writeHead(301, { Location: `${github.url}/repositories/1` }).end();
      return;
    }
    const found = github.repositories.find((each) =>
      byId ? each.id === Number(byId[1]) : `${each.owner.login}/${each.name}`.toLowerCase() === called,
    );
    const isAdmin = found !== undefined && (found.owner.id === account.id || found.admins.has(account.id));
    // No scope was requested, so there is no private data, unless a test adds it.
    if (!found || (found.private && !isAdmin)) return json(404, { message: 'Not Found' });
    if (file === undefined) {
      const { admins: _, files: __, ...fields } = found;
      return json(200, { ...fields, permissions: { admin: isAdmin, push: isAdmin, pull: true } });
    }
    const text = found.files.get(file);
    if (text === undefined) return json(404, { message: 'Not Found' });
    res.writeHead(200, { 'Content-Type': 'application/vnd.github.raw+json; charset=utf-8' }).end(text);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const github: GithubStandIn = {
    url,
    settings: {
      GITHUB_URL: url,
      GITHUB_API_URL: url,
      GITHUB_CLIENT_ID: clientId,
      GITHUB_CLIENT_SECRET: clientSecret,
      EGRESS_ALLOW: '127.0.0.0/8',
    },
    repositories: [],
    moved: new Set(),
    received: [],
    before: null,
    behave: null,
    account(login) {
      const account = { id: ++ids, login };
      accounts.push(account);
      return account;
    },
    repository(owner, name, over = {}, files = { 'package.json': manifestOf() }) {
      const repository = {
        id: ++ids,
        owner,
        name,
        private: false,
        fork: false,
        archived: false,
        description: 'A repository.',
        pushed_at: '2026-06-01T10:20:30Z',
        admins: new Set<number>(),
        files: new Map(Object.entries(files)),
        ...over,
      };
      github.repositories.push(repository);
      return repository;
    },
    async allow(authorizationUrl, account) {
      const page = new URL(authorizationUrl);
      page.searchParams.set('as', account.login);
      const answer = await fetch(page, { redirect: 'manual' });
      const location = answer.headers.get('location');
      if (answer.status !== 302 || !location) throw new Error(`not allowed: ${answer.status}`);
      return new URL(location);
    },
    revoke(account) {
      for (const [token, whose] of tokens) if (whose === account) tokens.delete(token);
    },
  };
  return github;
}
