import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A protected MCP server and its authorization server at one origin, which respond at once: the client is measured. */
export interface BenchAuthorizationServer {
  /** Also the issuer. */
  readonly origin: string;
  readonly serverUrl: string;
  /** Token requests so far. */
  tokenRequests(): number;
  close(): void;
}

export async function startBenchAuthorizationServer(): Promise<BenchAuthorizationServer> {
  let tokenRequests = 0;
  let origin = '';
  const documents = (): Record<string, object> => ({
    '/.well-known/oauth-protected-resource/mcp': { resource: `${origin}/mcp`, authorization_servers: [origin] },
    '/.well-known/oauth-authorization-server': {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    },
  });
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const path = req.url?.split('?')[0] ?? '';
      const send = (status: number, body: object, headers: Record<string, string> = {}) => {
        const text = JSON.stringify(body);
        const length = String(Buffer.byteLength(text));
        res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length, ...headers }).end(text);
      };
      const document = documents()[path];
      if (document) return send(200, document);
      if (path === '/token') {
        tokenRequests += 1;
        const token = () => randomBytes(24).toString('base64url');
        return send(200, { access_token: token(), refresh_token: token(), token_type: 'Bearer', expires_in: 3_600 });
      }
      if (path === '/register') {
        const { redirect_uris } = JSON.parse(Buffer.concat(chunks).toString()) as { redirect_uris: string[] };
        return send(201, { client_id: 'bench', redirect_uris, token_endpoint_auth_method: 'none' });
      }
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      return send(401, {}, { 'WWW-Authenticate': `Bearer resource_metadata="${metadata}"` });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    serverUrl: `${origin}/mcp`,
    tokenRequests: () => tokenRequests,
    close: () => server.closeAllConnections() ?? server.close(),
  };
}
