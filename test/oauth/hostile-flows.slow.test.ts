import { expect, it } from 'vitest';
import { places } from '../support/oauth/hostile-behaviours.ts';
import { expectOutcome } from '../support/oauth/hostile-flow.ts';
import { hostileOutcomes, isSlow } from '../support/oauth/hostile-outcomes.ts';
import { counted, startOauthServer } from '../support/oauth/hostile-stage.ts';
import { startStopwatch } from '../support/stopwatch.ts';

const server = await startOauthServer();

it.each(places)('C13, C14: whatever happens on the way of the answer at the place %s', async (place) => {
  const elapsedMs = startStopwatch();
  const faults = [...hostileOutcomes].filter(([behaviour]) => behaviour.startsWith(`${place}:`));
  const lasting = Promise.all(
    faults.filter(([fault]) => isSlow(fault)).map(([fault, outcome]) => expectOutcome(server, fault, outcome)),
  );
  for (const [fault, outcome] of faults) if (!isSlow(fault)) await expectOutcome(server, fault, outcome);
  await lasting;
  // Five seconds a request, and two tokens of each of two sessions at most that are revoked.
  expect(elapsedMs()).toBeLessThan(40_000);
});

it('C13: discoveries and registrations are counted by document and outcome', async () => {
  const { text } = await fetch(`${server.base}/metrics`).then(async (answer) => ({ text: await answer.text() }));
  for (const [method, status] of [
    ['rfc9728', 'success'],
    ['rfc9728', 'invalid'],
    ['rfc9728', 'not_found'],
    ['rfc9728', 'unreachable'],
    ['rfc8414', 'success'],
    ['rfc8414', 'invalid'],
    ['rfc8414', 'not_found'],
    ['rfc8414', 'unreachable'],
    ['openid', 'not_found'],
  ]) {
    const labels = `{method="${method}",status="${status}"}`;
    expect(await counted(server, `oauth_discovery_attempts_total${labels}`), labels).toBeGreaterThan(0);
    expect(await counted(server, `oauth_discovery_duration_seconds_count${labels}`), labels).toBeGreaterThan(0);
  }
  for (const status of ['success', 'invalid', 'unanswered', 'refused'])
    expect(await counted(server, `oauth_client_registrations_total{status="${status}"}`), status).toBeGreaterThan(0);
  expect(text).not.toMatch(/oauth_discovery_attempts_total\{[^}]*127\.0\.0\.1/);
});
