import { expect } from 'vitest';
import { OauthError } from '../../../src/oauth/exchanges/oauth-error.ts';
import { hitsIn } from '../canaries.ts';
import type { TestServer } from '../server.ts';
import type { Behaviour } from './hostile-behaviours.ts';
import type { Outcome } from './hostile-outcomes.ts';
import { startHostileStage } from './hostile-stage.ts';

/**
 * Goes through a whole flow at a hostile authorization server, refresh and revocation included where it comes so far, and expects the
 * outcome: statuses and messages, no tokens that are half stored, no state that is left, and no secret in any log or answer.
 */
export async function expectOutcome(server: TestServer, behaviour: Behaviour, outcome: Outcome): Promise<void> {
  const stage = await startHostileStage(server, { behaviour });
  const { hostile, serverUuid, browser } = stage;
  const { prisma } = server.database;
  const loggedBefore = server.logged.length;
  const texts: string[] = [];
  const heard = async (call: ReturnType<typeof browser>) => {
    const answer = await call;
    texts.push(answer.text, JSON.stringify([...answer.headers]));
    return answer;
  };

  if (typeof outcome === 'object' && 'initiate' in outcome) {
    const { status, body } = await heard(stage.initiate());
    expect([status, body]).toEqual([
      500,
      { error: expect.any(String), message: `OAuth discovery failed: ${new OauthError(outcome.initiate).message}` },
    ]);
    expect(await prisma.oauthPkceState.count({ where: { serverUuid } })).toBe(0);
    expect(await prisma.oauthClient.count({ where: { serverUuid } })).toBe(0);
    expect(hostile.tokenRequests()).toEqual([]);
  } else {
    const path = await stage.consented();
    const { status, headers } = await heard(browser('GET', path));
    expect(status).toBe(302);
    expect(headers.get('location')).toBe(outcome === 'success' ? stage.success : stage.failure(outcome.callback));
    expect(await prisma.oauthPkceState.count({ where: { serverUuid } })).toBe(0);
    if (outcome === 'success') await expectTokens(stage, behaviour, heard);
    else {
      expect(hostile.tokenRequests().length).toBe(outcome.isSent ? 1 : 0);
      expect(await prisma.oauthSession.count({ where: { serverUuid } })).toBe(0);
      expect((await heard(stage.refresh())).status).toBe(400);
      expect(await stage.ended(path)).toBe('/mcp-servers?oauth_error=state_invalid');
    }
  }

  const sent = hostile.requests.flatMap(({ body }) => [body.code, body.code_verifier, body.refresh_token]);
  const secrets = [...hostile.secrets, ...sent].filter((secret) => typeof secret === 'string' && secret !== '');
  const places = [
    ['answers', texts.join('\n')],
    ['log', server.logged.slice(loggedBefore).join('')],
  ] as const;
  expect(hitsIn(places, new Map(secrets.map((secret, at) => [`secret ${at}`, secret])))).toEqual([]);
  expect(texts.join('\n')).not.toMatch(/\bat .+\.ts:\d+|node:internal/);
}

async function expectTokens(
  stage: Awaited<ReturnType<typeof startHostileStage>>,
  behaviour: Behaviour,
  heard: (call: ReturnType<typeof stage.browser>) => ReturnType<typeof stage.browser>,
): Promise<void> {
  const { uuid, accessToken, refreshToken, expiresAt, status } = await stage.session();
  expect(status).toBe('active');
  expect(accessToken).toMatch(/^1\.test\./);
  expect(refreshToken === null).toBe(behaviour === 'no-refresh-token');
  expect(expiresAt === null).toBe(behaviour === 'no-expiry');
  const refreshed = await heard(stage.refresh());
  expect(refreshed.status, refreshed.text).toBe(refreshToken === null ? 400 : 200);
  const query = 'mutation($uuid: String!) { oauthSessionRevoke(input: { uuid: $uuid }) { session { status } } }';
  const { body } = await heard(stage.browser('POST', '/graphql', { query, variables: { uuid } }));
  expect(body).toEqual({ data: { oauthSessionRevoke: { session: { status: 'REVOKED' } } } });
}
