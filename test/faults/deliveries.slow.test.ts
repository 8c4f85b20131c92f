import { expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { encryptionKeys } from '../support/services.ts';
import { deliveryBalance } from './delivery-balance.ts';
import { runDeliveries } from './delivery-run.ts';

it('D02: 300 events reach three endpoints, of which some fail at first, while three workers are killed; each duplicate is an acknowledgement that was lost (`npm run bench` has 10 000 and 20)', async () => {
  const report = await runDeliveries({
    url: await createTestDatabase(),
    encryptionKeys,
    events: 300,
    endpoints: 3,
    kills: 3,
    failingShare: 0.3,
    failuresMax: 1,
    clockFactor: 10,
    // Long enough that both workers have attempts under way whenever one of them is killed.
    responseMs: 250,
    withinMs: 300_000,
  });
  expect(report.troubles).toEqual([]);
  expect(report).toMatchObject({ events: 300, delivered: 900, lost: 0, kills: 3 });
  expect(report.signatures).toBeGreaterThanOrEqual(900);
  // A kill that hits nothing shows nothing.
  expect(report.lostAttempts).toBeGreaterThan(0);
});

it('the count sees what never arrived, what came under another id, what came too often, and what was tried too often', () => {
  const endpointOf = new Map([['w', 0]]);
  const row = (event_uuid: string, attempt: number, status: string, error: string | null = null) => ({
    event_uuid,
    webhook_uuid: 'w',
    attempt,
    status,
    error,
  });
  const arrival = (number: number, id: string, retryCount = 0) => ({
    endpoint: 0,
    number,
    id,
    retryCount,
    isAccepted: true,
  });
  const lost = 'Outcome unknown: the worker stopped before recording the response';
  const well = deliveryBalance({
    committed: ['a', 'b'],
    endpointOf,
    rows: [row('a', 1, 'failed', lost), row('a', 1, 'succeeded'), row('b', 1, 'succeeded')],
    receivers: {
      arrivals: [arrival(0, 'a'), arrival(0, 'a'), arrival(1, 'b')],
      signatures: { checked: 3, wrong: 0 },
    },
  });
  expect(well).toMatchObject({ duplicates: 1, lostAcknowledgements: 1, lostAttempts: 1, delivered: 2, troubles: [] });
  const ill = deliveryBalance({
    committed: ['a', 'b', 'c'],
    endpointOf,
    rows: [row('a', 7, 'succeeded'), row('b', 1, 'succeeded')],
    receivers: { arrivals: [arrival(0, 'a'), arrival(0, 'a'), arrival(1, 'x')], signatures: { checked: 3, wrong: 1 } },
  });
  expect(ill.troubles).toEqual([
    'event 1 came as x',
    '2 of 3 never had an answer of 2xx',
    '2 of 3 are recorded as told',
    '7 attempts of one event at one endpoint',
    '1 duplicates, but only 0 lost acknowledgements',
    '1 of 3 signatures are wrong',
  ]);
});
