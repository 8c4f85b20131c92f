import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeOld, removeUnusedEvents } from '../../src/webhooks/removal-statements.ts';
import * as replays from '../../src/webhooks/replay-statements.ts';
import * as statements from '../../src/webhooks/statements.ts';
import { type Asked, connectExplaining, type Explained, explainAgain } from '../support/explain.ts';
import { createTestServices, signUp } from '../support/services.ts';

/** What was told, what waits, and to how many: of these the first is told most. */
const delivered = 100_000;
const pending = 10_000;
const webhooks = 1_000;
/** Webhooks that were switched off while something waited. */
const switchedOff = 300;
const pinned = null;

const { services, database, url } = await createTestServices();
const user = await signUp(services);
const profile = String(user.principal?.profileUuid);

const clients = new Map<string, Client>();
const clientOf = (mode: string) => clients.get(mode) as Client;

let busy: string;
let others: string[];
/** Pending deliveries of the busy webhook that a worker has claimed, and the claim. */
let taken: string[];
const claim = randomUUID();
let failedForGood: string;

const fill = `
  CREATE TEMP TABLE w AS SELECT gen_random_uuid() AS uuid, n FROM generate_series(1, $1::int) n`;

const fillEvents = `
  INSERT INTO webhook_events (uuid, data, event_at, created_at)
    SELECT event_uuid, '{}', created_at, created_at FROM webhook_deliveries ORDER BY created_at`;

const fillDeliveries = `
  WITH given AS (
    SELECT n, gen_random_uuid() AS event, now() - make_interval(secs => $1::int - n) AS at FROM generate_series(1, $1::int) n)
  INSERT INTO webhook_deliveries (uuid, webhook_uuid, event_uuid, event, attempt, status, due_at, created_at, updated_at)
    SELECT gen_random_uuid(), w.uuid, given.event, 'document.created', 1, $2, at, at, at FROM given JOIN w ON w.n = CASE WHEN given.n % 2 = 0 THEN 1 ELSE given.n % $3::int + 1 END`;

const outcomeOf = (uuid: string, status: 'succeeded' | 'failed'): statements.Outcome => ({
  uuid,
  claim,
  status,
  responseStatus: status === 'failed' ? 500 : 200,
  responseMs: 5,
  responseBody: 'ok',
  error: null,
  retrySeconds: status === 'failed' ? 60 : null,
});

const eventOf = () => ({
  id: randomUUID(),
  profileUuid: profile,
  type: 'document.deleted',
  data: {},
  dataText: '{}',
  occurredAt: new Date('2026-03-01T12:00:00.000Z'),
});

interface Hot {
  readonly asked: () => Asked;
  /** What it may read, in rows of all tables and indexes; the webhooks are few enough to be read as a whole. */
  readonly rowsMax: number;
}

const hot: Record<string, Hot> = {
  'what is due': { asked: () => statements.due(pinned), rowsMax: 4 * webhooks },
  'a claim of one webhook with much to do': {
    asked: () => statements.claim(pinned, randomUUID(), [[busy, 64]]),
    rowsMax: 64 * 6 + webhooks,
  },
  'a claim of sixty webhooks': {
    asked: () =>
      statements.claim(
        pinned,
        randomUUID(),
        others.slice(0, 60).map((uuid) => [uuid, 8] as const),
      ),
    rowsMax: 60 * 8 * 6,
  },
  'an outcome': { asked: () => statements.record(pinned, [outcomeOf(taken[0] as string, 'succeeded')]), rowsMax: 12 },
  'five hundred outcomes': {
    asked: () =>
      statements.record(
        pinned,
        taken.map((uuid, n) => outcomeOf(uuid, n % 3 ? 'succeeded' : 'failed')),
      ),
    // Of ten thousand that wait, five hundred may as well be found by looking at all of them.
    rowsMax: 3 * pending,
  },
  'an event of the outbox': { asked: () => statements.fanOut(pinned, [eventOf()]), rowsMax: webhooks + 20 },
  'two hundred events of the outbox': {
    asked: () => statements.fanOut(pinned, Array.from({ length: 200 }, eventOf)),
    rowsMax: 200 * 12 + webhooks,
  },
  'a webhook that has failed': { asked: () => statements.fail(pinned, [busy]), rowsMax: 6 },
  'a test call': {
    asked: () =>
      replays.insertTest(pinned, {
        webhookUuid: busy,
        deliveryUuid: randomUUID(),
        claim: randomUUID(),
        eventUuid: randomUUID(),
        event: 'test.ping',
        dataText: '{}',
      }),
    rowsMax: 8,
  },
  'a replay': { asked: () => replays.replayOne(pinned, failedForGood, randomUUID()), rowsMax: 6 },
  'a purge': { asked: () => removeOld(pinned, 1, 1_000), rowsMax: 7 * pending },
  // Until a vacuum has summed up its ranges, the index by age leads to all events.
  'a purge of events without deliveries': {
    asked: () => removeUnusedEvents(pinned, 1, 1_000),
    rowsMax: delivered + 3 * pending,
  },
  'a delivery that is sent apart': { asked: () => statements.claimApart(pinned, randomUUID()), rowsMax: webhooks },
};

function expectFrugal({ rowsMax }: Hot, { nodes, rowsRead }: Explained): void {
  const done = nodes.filter((node) => (node['Actual Loops'] ?? 0) > 0);
  const isLarge = (relation = '') => ['webhook_deliveries', 'webhook_events'].includes(relation);
  const whole = done.filter((node) => node['Node Type'] === 'Seq Scan' && isLarge(node['Relation Name']));
  expect(whole.map((node) => node['Relation Name'])).toEqual([]);
  expect(rowsRead).toBeLessThanOrEqual(rowsMax);
}

beforeAll(async () => {
  const filler = await connectExplaining(url, 'auto');
  clients.set('filler', filler);
  await filler.query('SET auto_explain.log_min_duration = -1');
  // No other session updates statistics here.
  for (const table of ['webhook_deliveries', 'webhook_events', 'webhooks'])
    await filler.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  clients.set('planned while empty', await connectExplaining(url, 'force_generic_plan'));
  busy = failedForGood = randomUUID();
  others = [];
  taken = [randomUUID()];
  for (const { asked } of Object.values(hot))
    await explainAgain(clientOf('planned while empty'), asked).catch(() => undefined);
  // The keys that are referred to are there; to look up each for each delivery would take most of the time.
  await filler.query('SET session_replication_role = replica');
  await filler.query(fill, [webhooks]);
  await filler.query(
    `INSERT INTO webhooks (uuid, profile_uuid, url, events, active, secret, created_at, updated_at)
      SELECT uuid, CASE WHEN n <= 3 THEN $1 ELSE gen_random_uuid() END, 'https://example.com', '{document.created,document.deleted}',
        n <= $2, 's', now(), now() FROM w`,
    [profile, webhooks - switchedOff],
  );
  await filler.query(fillDeliveries, [delivered, 'succeeded', webhooks]);
  await filler.query(fillDeliveries, [pending, 'pending', webhooks]);
  await filler.query(fillEvents);
  const listed = await filler.query<{ uuid: string }>('SELECT uuid FROM w ORDER BY n');
  [busy = '', ...others] = listed.rows.map(({ uuid }) => uuid);
  const claimed = await filler.query<{ uuid: string }>(
    `UPDATE webhook_deliveries SET claim = $2, claimed_until = now() + interval '1 hour' WHERE uuid = ANY (ARRAY(
      SELECT uuid FROM webhook_deliveries WHERE status = 'pending' AND webhook_uuid = $1 ORDER BY due_at DESC LIMIT 500))
      RETURNING uuid`,
    [busy, claim],
  );
  taken = claimed.rows.map(({ uuid }) => uuid);
  const [done] = await database.query<{ uuid: string }>({
    text: `SELECT uuid FROM webhook_deliveries WHERE status = 'succeeded' LIMIT 1`,
  });
  failedForGood = String(done?.uuid);
});

afterAll(async () => {
  for (const client of clients.values()) await client.end();
});

describe('with plans made while nothing was stored', () => {
  it.each(Object.entries(hot))('%s does not read the deliveries as a whole', async (_title, hottest) => {
    expectFrugal(hottest, await explainAgain(clientOf('planned while empty'), hottest.asked));
  });
});

describe.each(['force_generic_plan', 'force_custom_plan'])('with %s', (mode) => {
  beforeAll(async () => {
    if (!clients.has('force_generic_plan'))
      await clientOf('filler').query('VACUUM ANALYZE webhook_deliveries, webhook_events, webhooks');
    clients.set(mode, await connectExplaining(url, mode));
  });

  it.each(Object.entries(hot))('%s reads what it needs and no more, by index', async (_title, hottest) => {
    expectFrugal(hottest, await explainAgain(clientOf(mode), hottest.asked));
  });
});
