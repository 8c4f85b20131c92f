import { expect, it } from 'vitest';
import { createProtectedStage, goodMetadata } from '../support/authorization-stage.ts';
import { lies } from '../support/oauth/hostile-behaviours.ts';
import { expectOutcome } from '../support/oauth/hostile-flow.ts';
import { hostileOutcomes, type Outcome } from '../support/oauth/hostile-outcomes.ts';
import { startHostileStage, startOauthServer } from '../support/oauth/hostile-stage.ts';

// What goes wrong on the way of an answer is in hostile-flows.slow.test.ts.
const server = await startOauthServer();

it.each(['honest', ...lies] as const)(
  'C10, C11, C12, C14, C22: a flow at an authorization server that does: %s',
  async (behaviour) => {
    await expectOutcome(server, behaviour, hostileOutcomes.get(behaviour) as Outcome);
  },
);

/** A server of the user of a stage, at the url of another. */
async function initiated({ browser, user }: Awaited<ReturnType<typeof startHostileStage>>, url: string) {
  const { configurations } = server.services.mcpServers;
  const { uuid: serverUuid } = await configurations.create(user, { name: 'Files', transport: 'http', url });
  return browser('POST', '/api/oauth/initiate', { serverUuid });
}

it('C12: a token endpoint on another origin is refused where the server promises no iss', async () => {
  const honest = await startHostileStage(server);
  const elsewhere = `${honest.hostile.issuer}/token`;
  const attacker = await createProtectedStage({ metadata: { token_endpoint: elsewhere } });
  const { status, body } = await initiated(honest, attacker.url);
  expect([status, body.message]).toEqual([
    500,
    'OAuth discovery failed: The token endpoint is on another host than the issuer of the authorization server',
  ]);
  expect(attacker.paths()).not.toContain('/register');
  expect(honest.hostile.requests).toEqual([]);
});

it('C10: a code of an honest server is not sent to an attacker who lets people consent there', async () => {
  const honest = await startHostileStage(server);
  const { issuer } = honest.hostile;
  const attacker = await createProtectedStage();
  attacker.on('/.well-known/oauth-authorization-server', {
    body: goodMetadata(attacker.origin, {
      authorization_endpoint: `${issuer}/authorize`,
      authorization_response_iss_parameter_supported: true,
    }),
  });
  attacker.on('/register', ({ body }) => ({
    status: 201,
    body: { ...JSON.parse(body), client_id: 'a', client_secret: 'b' },
  }));
  const { status, body, text } = await initiated(honest, attacker.url);
  expect(status, text).toBe(200);
  const answer = await fetch(body.authorizationUrl, { redirect: 'manual' });
  const { pathname, search } = new URL(answer.headers.get('location') ?? '');
  expect(new URLSearchParams(search).get('iss')).toBe(issuer);
  expect(await honest.ended(pathname + search)).toContain('oauth_error=code_exchange_failed');
  expect(attacker.paths()).not.toContain('/token');
  expect((await honest.events()).at(-1)).toBe('issuer_mismatch');
});
