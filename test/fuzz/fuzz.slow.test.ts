import { expect, it } from 'vitest';
import { startTestServer } from '../support/server.ts';
import { runCampaign } from './campaign.ts';
import { productSettings } from './world.ts';

it('a thousand seeded inputs find no 5xx, no shape that is not documented, no hang and no leak (`npm run fuzz` sends 50 000)', async () => {
  const { base } = await startTestServer(productSettings);
  const { inputs, findings } = await runCampaign({ base, inputs: 1_000, seed: 20, shrinkMs: 500 });
  expect(inputs).toBe(1_000);
  expect(
    findings.map(({ fault, at, times, smallest, request }) => ({
      fault,
      at,
      times,
      request: `${(smallest?.request ?? request).method} ${(smallest?.request ?? request).path}`,
    })),
  ).toEqual([]);
  // A machine that has other things to do takes its time.
});
