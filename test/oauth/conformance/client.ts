import { randomUUID } from 'node:crypto';
import { readChallenge, stepUpsMax } from '../../../src/oauth/exchanges/challenge.ts';
import { createProofKey, fetchWithProof } from '../../../src/oauth/exchanges/dpop.ts';
import {
  authorize,
  type Context,
  createScenarioExchanges,
  type Grant,
  metadataDocumentOf,
  type Session,
} from './authorize.ts';

const clientInfo = { name: 'patchbay', version: '1' };

/**
 * Calls a server as an MCP client does, and gets its tokens by the platform's exchanges.
 *
 * @param scenario.name As the suite names it; some scenarios want another client.
 * @param scenario.version The revision of MCP.
 * @throws {Error} For what the client refuses, and for what the server refuses it.
 */
export async function runClient(scenario: {
  name: string;
  url: string;
  version: string;
  context: Context;
}): Promise<void> {
  const { name, url, version, context } = scenario;
  const isStateless = version >= '2026-07-28';
  using own = createScenarioExchanges();
  const session: Session = {
    ...own,
    url,
    context,
    proofKey: await createProofKey(),
    metadataDocumentUrl: metadataDocumentOf(name),
    registered: null,
  };
  let grant: Grant | null = null;
  let stepUps = 0;

  /** Sends a message with the token at hand. */
  async function send(method: string, params: object, isNotification: boolean): Promise<Response> {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': clientInfo,
    };
    const message = {
      jsonrpc: '2.0',
      ...(!isNotification && { id: randomUUID() }),
      method,
      params: isStateless ? { ...params, _meta: meta } : params,
    };
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
    };
    const request = { url, method: 'POST', headers, body: JSON.stringify(message) };
    if (grant?.isBound)
      return fetchWithProof({ ...request, accessToken: grant.tokens.accessToken, fetch }, session.proofKey);
    if (grant) headers.authorization = `Bearer ${grant.tokens.accessToken}`;
    return fetch(url, request);
  }

  /** Calls a method. A 401 gets a token, and a 403 that wants more scopes a better one, few times. */
  async function call(method: string, params: object, isNotification = false): Promise<void> {
    for (let hasAuthorized = false; ; ) {
      const answer = await send(method, params, isNotification);
      const text = await answer.text();
      if (answer.ok) return;
      const header = answer.headers.get('www-authenticate');
      const isStepUp = answer.status === 403 && readChallenge(header)?.error === 'insufficient_scope';
      const mayAuthorize = isStepUp ? stepUps++ < stepUpsMax : answer.status === 401 && !hasAuthorized;
      if (!mayAuthorize) throw new Error(`${method}: ${answer.status} ${text}`);
      hasAuthorized = true;
      grant = await authorize(session, header, isStepUp ? (grant?.tokens.scopes ?? []) : []);
    }
  }

  if (!isStateless) {
    await call('initialize', { protocolVersion: version, capabilities: {}, clientInfo });
    await call('notifications/initialized', {}, true);
  }
  await call('tools/list', {});
  await call('tools/call', { name: 'test-tool', arguments: {} });
}
