import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, startLoopbackServer } from './loopback-server.ts';
import { answerMcp } from './mcp-endpoint.ts';
import type { Introspect, TokenFacts } from './token-facts.ts';

export interface ProtectedMcpServerOptions {
  /** Who issues the tokens; the server makes itself known there as a resource with its scopes. */
  readonly authorizationServer: {
    readonly issuer: string;
    readonly introspect: Introspect;
    addResource?(resource: string, scopes: readonly string[]): void;
  };
  /** Those of this resource; `notes:read` and `notes:write` by default. */
  readonly scopes?: readonly string[];
  /** The `scope` of the 401 challenge; none by default. */
  readonly challengedScope?: string;
  /** Whether its metadata lists its scopes; true by default. */
  readonly listsScopes?: boolean;
  /** Where its metadata can be found: by the challenge and by the well-known path (the default), by the path alone, nowhere. */
  readonly metadata?: 'challenged' | 'well-known' | 'none';
  /** Whether tokens of another resource, or of none, are taken; false by default. */
  readonly takesAnyAudience?: boolean;
  /** The path of the endpoint; `/mcp` by default. */
  readonly path?: string;
}

/** A request to the endpoint. */
export interface McpCall {
  /** Null where none was sent. */
  readonly token: string | null;
  /** Of the protocol, such as `tools/list`; `GET` or `DELETE` for requests without a message. */
  readonly method: string;
  readonly status: number;
}

export interface ProtectedMcpServer {
  /** Also its `resource`. */
  readonly url: string;
  readonly metadataUrl: string;
  /** In the order of the answers. */
  readonly calls: readonly McpCall[];
  callsOf(token: string): readonly McpCall[];
  /** How often its metadata was read. */
  metadataReads(): number;
  /** From now on this needs a scope: a method such as `tools/list`, or a tool by its name. Without it 403 `insufficient_scope`. */
  demandScope(methodOrTool: string, scope: string): void;
  /** Takes the demand back. */
  dropScope(methodOrTool: string): void;
  /** This token is answered 401 `invalid_token` from now on, whatever the authorization server says of it. */
  refuse(token: string): void;
  /** All that were issued until now. */
  refuseAll(): void;
  /** The `scope` of the 401 challenge from now on. */
  challengeScope(scope: string | null): void;
  close(): Promise<void>;
}

interface Message {
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

/**
 * An MCP server of Streamable HTTP that takes bearer tokens alone, for the length of a test or file. 401 and 403 as MCP's
 * authorization says, with the metadata of RFC 9728.
 */
export async function startProtectedMcpServer(options: ProtectedMcpServerOptions): Promise<ProtectedMcpServer> {
  const { authorizationServer, metadata = 'challenged', path = '/mcp' } = options;
  const scopes = options.scopes ?? ['notes:read', 'notes:write'];
  const calls: McpCall[] = [];
  const demands = new Map<string, string>();
  const refused = new Set<string>();
  const seen = new Set<string>();
  let challengedScope = options.challengedScope ?? null;
  let reads = 0;

  const metadataPath = `/.well-known/oauth-protected-resource${path}`;
  const { base, close } = await startLoopbackServer((origin) => {
    const url = origin + path;
    const challenge = (parameters: Record<string, string | null>) =>
      `Bearer ${Object.entries({
        resource_metadata: metadata === 'challenged' ? origin + metadataPath : null,
        ...parameters,
      })
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${name}="${value}"`)
        .join(', ')}`.trim();

    /** @returns Whether it was answered. */
    const refuseCall = (
      res: ServerResponse,
      facts: TokenFacts | null,
      token: string | null,
      message: Message,
    ): boolean => {
      const isGood =
        token !== null && facts !== null && !refused.has(token) && (options.takesAnyAudience || facts.resource === url);
      if (!isGood) {
        const parameters = { scope: challengedScope, error: token === null ? null : 'invalid_token' };
        res.writeHead(401, { 'WWW-Authenticate': challenge(parameters) }).end();
        return true;
      }
      const needed = [message.method, message.params?.name].map((name) => name && demands.get(name));
      const missing = needed.filter((scope) => scope && !facts.scopes.includes(scope)).join(' ');
      if (missing === '') return false;
      res.writeHead(403, { 'WWW-Authenticate': challenge({ error: 'insufficient_scope', scope: missing }) }).end();
      return true;
    };

    const answerCall = async (req: IncomingMessage, res: ServerResponse) => {
      const text = await bodyOf(req);
      const message = (text === '' ? undefined : JSON.parse(text)) as Message | undefined;
      const token = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? null;
      if (token !== null) seen.add(token);
      const method = message?.method ?? req.method ?? '';
      res.once('close', () => calls.push({ token, method, status: res.statusCode }));
      const facts = token === null ? null : await authorizationServer.introspect(token);
      if (!refuseCall(res, facts, token, message ?? {})) await answerMcp(req, res, message);
    };

    return (req, res) => {
      const [pathname] = (req.url ?? '').split('?');
      if (pathname === metadataPath && metadata !== 'none') {
        reads++;
        res.setHeader('Content-Type', 'application/json');
        res.end(
          JSON.stringify({
            resource: url,
            authorization_servers: [authorizationServer.issuer],
            bearer_methods_supported: ['header'],
            ...((options.listsScopes ?? true) && { scopes_supported: scopes }),
          }),
        );
      } else if (pathname === path) answerCall(req, res).catch((error: Error) => res.writeHead(500).end(error.message));
      else res.writeHead(404).end();
    };
  });
  authorizationServer.addResource?.(base + path, scopes);

  return {
    url: base + path,
    metadataUrl: base + metadataPath,
    calls,
    callsOf: (token) => calls.filter((call) => call.token === token),
    metadataReads: () => reads,
    demandScope: (name, scope) => void demands.set(name, scope),
    dropScope: (name) => void demands.delete(name),
    refuse: (token) => void refused.add(token),
    refuseAll() {
      for (const token of seen) refused.add(token);
    },
    challengeScope(scope) {
      challengedScope = scope;
    },
    close,
  };
}
