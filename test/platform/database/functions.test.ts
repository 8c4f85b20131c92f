import { expect, it } from 'vitest';
import { createTestServices } from '../../support/services.ts';

const { database } = await createTestServices();

const byIndex = ['enable_seqscan=off', 'enable_bitmapscan=off', 'enable_sort=off', 'jit=off'];
const pinnedPlan = ['enable_seqscan=off', 'jit=off', 'plan_cache_mode=force_generic_plan'];
const nestedLoops = ['jit=off', 'enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off'];

/** The functions that set something. CREATE OR REPLACE FUNCTION drops every setting that it does not repeat. */
const settings: Record<string, string[]> = {
  clipboard_pop: byIndex,
  clipboard_remove_by_index: byIndex,
  clipboard_total: ['enable_bitmapscan=off', ...pinnedPlan],
  mcp_servers_seen_otherwise: ['jit=off'],
  notifications_changed: ['jit=off'],
  notifications_made: ['jit=off'],
  notifications_removed: ['jit=off'],
  search_follow_figures: ['jit=off'],
  search_follow_server: nestedLoops,
  search_has_word: pinnedPlan,
  search_servers: pinnedPlan,
  search_understand: ['pg_trgm.similarity_threshold=0.34', ...pinnedPlan],
  user_follows_ended: ['jit=off'],
  user_follows_made: ['jit=off'],
  user_follows_show: ['jit=off'],
  webhook_deliveries_ended: ['jit=off'],
  webhook_events_remove_old: ['jit=off', 'enable_seqscan=off'],
  webhook_events_remove_unused: nestedLoops,
};

const stored = () =>
  database.query<{ name: string; settings: string[] }>({
    text: `SELECT p.proname AS name, coalesce(p.proconfig, '{}') AS settings FROM pg_proc p
      WHERE p.pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  });

it('each function of the database has the settings of this table, and every other function has none', async () => {
  const found = (await stored()).filter((each) => each.settings.length > 0);
  expect(
    Object.fromEntries(found.map((each) => [each.name, [...each.settings].sort()])),
    'repeat the settings in the migration that replaces the function, or state the new ones in this table',
  ).toEqual(Object.fromEntries(Object.entries(settings).map(([name, each]) => [name, [...each].sort()])));
});

it('a function that switches a method of the planner off compiles no plan: up to PostgreSQL 17 the method counts as an enormous cost', async () => {
  const slow = (await stored()).filter(
    (each) => each.settings.some((setting) => setting.startsWith('enable_')) && !each.settings.includes('jit=off'),
  );
  expect(slow).toEqual([]);
});

it('no function has a search path of its own: the schema of the connection holds for all', async () => {
  const pinned = (await stored()).filter((each) => each.settings.some((setting) => setting.startsWith('search_path')));
  expect(pinned).toEqual([]);
});
