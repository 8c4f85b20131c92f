import { expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { consent } from '../support/oauth/consent.ts';
import { discover } from '../support/oauth/discovery.ts';
import { startSdkAuthorizationServer } from '../support/oauth/sdk-authorization-server.ts';
import { appUrl } from '../support/oauth/stage.ts';
import { sessionOf } from '../support/people.ts';
import { startTestServer } from '../support/server.ts';

it(
  "goes through a whole flow at the MCP SDK's own router: tools, refresh and revocation",
  verifies('oauth.flow', 'oauth.refresh', 'oauth.session.revoke'),
  async () => {
    const router = await startSdkAuthorizationServer();
    const server = await startTestServer({ EGRESS_ALLOW: '127.0.0.0/8', APP_URL: appUrl });
    const { user, call } = await sessionOf(server);
    const { uuid: serverUuid } = await server.services.mcpServers.configurations.create(user, {
      name: 'Notes',
      transport: 'http',
      url: router.url,
    });
    const initiated = await call('POST', '/api/oauth/initiate', { serverUuid });
    expect(initiated.status, initiated.text).toBe(200);
    const back = new URL(await consent(initiated.body.authorizationUrl));
    const ended = await call('GET', back.pathname + back.search);
    expect(ended.headers.get('location')).toBe(`/mcp-servers?oauth_success=true&server_uuid=${serverUuid}`);
    expect(await discover(server, user, serverUuid)).toBe('succeeded');
    expect((await call('POST', '/api/oauth/refresh', { serverUuid })).body.success).toBe(true);
    const { sessions } = (await call('GET', '/api/mcp/oauth/session')).body;
    expect((await call('DELETE', `/api/mcp/oauth/session/${sessions[0].id}`)).body.success).toBe(true);
    expect(router.revocations().length).toBeGreaterThan(0);
    expect(await discover(server, user, serverUuid)).toBe('needs_authorization');
  },
);
