import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { callsTools, says, startChatModel } from '../support/chat-model.ts';
import { startOauthServer } from '../support/oauth/hostile-stage.ts';
import { startOauthStage } from '../support/oauth/stage.ts';
import { path } from './chat-stage.ts';

const endpoint = await startChatModel();
const server = await startOauthServer({ CHAT_BASE_URL: endpoint.baseUrl, CHAT_MODEL: 'm' });
const { prisma } = server.database;

describe('a tool of a server that asks for authorization', () => {
  it(
    'is called with the token of its owner, which is refreshed once, and not after it was revoked',
    verifies('chat.tools.authorization'),
    async () => {
      const stage = await startOauthStage({ server });
      expect(await stage.authorize()).toContain('oauth_success');
      expect(await stage.discover()).toBe('succeeded');
      const { serverUuid, withKey, mcp } = stage;
      const { slug } = await prisma.mcpServer.findUniqueOrThrow({ where: { uuid: serverUuid } });
      const tools = [{ serverId: serverUuid, name: 'read_notes' }];
      const { sessionId } = (await withKey('POST', `${path}/sessions`, { tools })).body;
      const ask = async () => {
        endpoint.reply(callsTools([{ name: `${slug}__read_notes` }]), says('Done.'));
        endpoint.requests.length = 0;
        const question = { sessionId, message: 'Read my notes.', includeContext: false };
        const { body } = await withKey('POST', `${path}/messages`, question);
        expect(body.status).toBe('complete');
        return body.toolCalls;
      };
      const asked = () => mcp.calls.filter(({ method }) => method === 'tools/call');

      expect(await ask()).toMatchObject([{ status: 'succeeded', result: 'read_notes' }]);
      expect(asked()).toMatchObject([{ token: expect.any(String), status: 200 }]);
      const token = asked()[0]?.token;

      mcp.refuseAll();
      expect(await ask()).toMatchObject([{ status: 'succeeded', result: 'read_notes' }]);
      expect(asked()).toHaveLength(2);
      expect(asked()[1]?.token).not.toBe(token);

      mcp.demandScope('read_notes', 'notes:admin');
      expect(await ask()).toMatchObject([{ status: 'failed', result: expect.stringContaining('more scopes') }]);
      mcp.dropScope('read_notes');

      const session = await prisma.oauthSession.findFirstOrThrow({ where: { serverUuid, status: 'active' } });
      await server.services.oauth.sessions.revoke(stage.user, session.uuid);
      const before = mcp.calls.length;
      expect(await ask()).toMatchObject([{ status: 'failed', result: 'The server asks for authorization' }]);
      expect(mcp.calls.slice(before).map((call) => call.token)).toEqual([null]);
      const sent = JSON.stringify(endpoint.requests.map(({ body }) => body));
      for (const known of mcp.calls) if (known.token !== null) expect(sent).not.toContain(known.token);
    },
  );
});
