import { expect, it, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { appUrl, startOauthStage } from '../support/oauth/stage.ts';
import { startTestServer } from '../support/server.ts';
import { encryptionKeys } from '../support/services.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

it('a worker refreshes what expires, and exposes the figures of it', verifies('oauth.figures'), async () => {
  const environment = { EGRESS_ALLOW: '127.0.0.0/8', APP_URL: appUrl };
  const server = await startTestServer(environment, undefined, { isRealTime: true });
  const stage = await startOauthStage({ server, authorizationServer: { accessTokenSeconds: 100 } });
  expect(await stage.authorize()).toContain('oauth_success');
  stage.authorizationServer.setAccessTokenSeconds(3_600);

  const worker = startWorkerProcess({
    ...environment,
    DATABASE_URL: server.url,
    ENCRYPTION_KEYS: encryptionKeys,
    NODE_ENV: 'test',
    WORKER_PORT: '0',
    LOG_LEVEL: 'info',
  });
  onTestFinished(() => worker.kill());
  await worker.ready;
  const port = await eventually('it says where', () => /"port":(\d+)/.exec(worker.output())?.[1]);
  const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  // The job runs at each full minute.
  const refreshed = 'oauth_token_refresh_total{status="success",reason="expiring"} 1';
  const text = await eventually('it has refreshed', async () => {
    const figures = await scrape();
    return figures.includes(refreshed) && figures;
  });
  expect(text).toMatch(/^oauth_token_refresh_duration_seconds_count\{status="success"\} 1$/m);
  expect(stage.authorizationServer.tokenRequests('refresh_token')).toHaveLength(1);
  expect((await fetch(`${server.base}/metrics`).then((answer) => answer.text())).includes(refreshed)).toBe(false);
});
