import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { createServices } from '../../src/main/services.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded/embedded.ts';
import type { heartbeatIntervals } from '../../src/platform/settings/heartbeat-intervals.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { quickFolder } from '../support/quick-folder.ts';
import { openTestInfrastructure, signUp } from '../support/services.ts';
import { agentStage, type StagedAgent, telemetryOver } from './telemetry-stage.ts';

// A server of its own: a long transaction in any database of a server keeps old versions of rows from being pruned in all of them,
// and without room in the page an update is no HOT update.
const dataDir = mkdtempSync(path.join(quickFolder(), 'patchbay-hot-'));
chmodSync(dataDir, 0o711);
const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off', autovacuum: 'off' } });
cleanUp(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
const { url } = server;
await migrate({ url, directory: fileURLToPath(new URL('../../prisma/migrations', import.meta.url)) });
const clock = createManualClock();
const infrastructure = await openTestInfrastructure({ url, clock });
const { heartbeats, liveness: watch } = telemetryOver(infrastructure);
const stage = agentStage(infrastructure);
const profileUuid = String((await signUp(createServices(infrastructure))).principal?.profileUuid);
const sql = new Client({ connectionString: url });
await sql.connect();
cleanUp(() => sql.end());

const beatAll = (agents: readonly StagedAgent[], mode: keyof typeof heartbeatIntervals = 'IDLE') =>
  Promise.all(agents.map((agent) => heartbeats.record(agent, { mode, uptimeSeconds: 1 })));

describe('the cost of heartbeats', () => {
  it('is a HOT update in more than 95 of 100: sixty of each agent in an interval move its deadline twice', async () => {
    const agents = await stage.agents(profileUuid, 1_000, { name: 'hot' });
    await beatAll(agents);
    /** What backends have reported: each does so when it has been idle for some seconds. */
    const updatesFrom = (least: number) =>
      eventually('all updates are reported', async () => {
        await sql.query('SELECT pg_stat_clear_snapshot()');
        const { rows } = await sql.query<{ all: number; hot: number }>(
          `SELECT n_tup_upd::int AS all, n_tup_hot_upd::int AS hot FROM pg_stat_user_tables WHERE relname = 'agent_liveness'`,
        );
        return rows[0] && rows[0].all >= least ? rows[0] : null;
      });
    const before = await updatesFrom(agents.length);
    for (let half = 0; half < 120; half++) {
      clock.advance(500);
      await beatAll(agents);
    }
    const all = 120 * agents.length;
    const after = await updatesFrom(before.all + all);
    expect((after.hot - before.hot) / all).toBeGreaterThan(0.95);
    expect(await watch.scan()).toBe(0);
  });
});
