import { expect, it } from 'vitest';
import { sessionOf } from '../support/people.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { audit, audits } from './audit.ts';

it('F01-F05, F08, B11, E07: no attack of high, medium or low severity succeeds, and none is skipped (`npm run attack`)', async () => {
  const server = await startTestServer({ RATE_LIMITS: '{"authentication":"5/15m","*":"off"}' });
  const { secret } = await tenantOf(server);
  const { token } = await sessionOf(server);
  const findings = await audit(
    { base: server.base, key: secret, session: token, countsGuesses: true, meter: null, waitForLimit: null },
    audits,
  );
  expect(
    findings.filter(({ severity, verdict }) => (severity && severity !== 'info') || verdict === 'skipped'),
  ).toEqual([]);
  // The intended exposures are exactly these.
  expect(findings.filter(({ severity }) => severity === 'info').map(({ name }) => name)).toEqual([
    'introspection',
    'field suggestions',
    'GraphiQL',
    'queries over GET',
  ]);
});
