import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createAgentMetrics } from '../../src/agents/index.ts';
import { createChatMetrics } from '../../src/chat/metrics.ts';
import { createDocumentMetrics } from '../../src/documents/index.ts';
import { registerWatchAge } from '../../src/main/orchestrator.ts';
import { createOauthMetrics, registerOauthGauges } from '../../src/oauth/index.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createWebhookMetrics } from '../../src/webhooks/metrics.ts';
import { everyLabel } from '../oauth/every-label.ts';
import { verifies } from '../requirements.ts';
import { startTestServer } from '../support/server.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { uid: string };
  readonly gridPos: { x: number; y: number; w: number; h: number };
  readonly targets?: readonly { expr: string; datasource: { uid: string }; legendFormat: string }[];
}

const file = path.resolve(import.meta.dirname, '../../deploy/grafana/patchbay.json');
const dashboard = JSON.parse(readFileSync(file, 'utf8')) as {
  schemaVersion: number;
  templating: { list: { name: string; type: string; query: string | { query: string } }[] };
  panels: readonly Panel[];
};
const panels = dashboard.panels.filter(({ type }) => type !== 'row');
const targets = panels.flatMap((panel) => panel.targets ?? []);
const variables = dashboard.templating.list.map(({ query }) => (typeof query === 'string' ? '' : query.query));

const functions = new Set(['sum', 'max', 'min', 'rate', 'increase', 'histogram_quantile', 'topk', 'time']);

/** The series that a query reads, each with the labels that it selects by. Every one has a selector: that of the job. */
const seriesIn = (expr: string): { name: string; selected: string[] }[] =>
  [...expr.matchAll(/\b([a-z]\w*)\{([^}]*)\}/g)].map(([, name = '', selectors = '']) => ({
    name,
    selected: [...selectors.matchAll(/(\w+)(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  }));

/** Names in a query that are neither series with a selector nor functions. */
const othersIn = (expr: string) =>
  (expr.replace(/\w+\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, ' ').match(/[a-z]\w*/g) ?? []).filter(
    (name) => !functions.has(name),
  );

const groupedIn = (expr: string) =>
  [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(',').map((label) => label.trim()));

/** Of a histogram three series have names of their own. */
const familyOf = (name: string) => name.replace(/_(bucket|sum|count)$/, '');

/** Everything that can be registered, with the labels that it can have. */
function registered(): Registry {
  const registry = new Registry();
  const none = async () => 0;
  createMetrics({
    registry,
    pool: () => ({ total: 0, idle: 0, waiting: 0 }),
    outboxSeconds: none,
    outboxSetAside: none,
    bodyBytes: () => 0,
    redis: { limits: () => true },
  });
  createOauthMetrics(registry);
  registerOauthGauges(registry, { activeTokens: none, activeStates: none });
  createWebhookMetrics(registry);
  createAgentMetrics({ registry, unhealthyAgents: none });
  createChatMetrics(registry);
  createDocumentMetrics({ registry, database: { query: async () => [] } });
  registerWatchAge(registry, () => 0);
  return registry;
}

it('the queries of the dashboard read families that /metrics has', verifies('platform.dashboard'), async () => {
  const server = await startTestServer();
  const text = await (await fetch(`${server.base}/metrics`)).text();
  const exposed = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name));
  // Without Redis there is no figure of it.
  exposed.add('patchbay_redis_up');
  // Nor of a cluster without one.
  exposed.add('patchbay_agent_watch_age_seconds');
  const read = targets.flatMap(({ expr }) => seriesIn(expr).map(({ name }) => name));
  expect(targets.filter(({ expr }) => seriesIn(expr).length === 0)).toEqual([]);
  expect(targets.flatMap(({ expr }) => othersIn(expr))).toEqual([]);
  expect(read.filter((name) => !exposed.has(name) && !exposed.has(familyOf(name)))).toEqual([]);
  for (const query of variables.filter((query) => query !== ''))
    expect(exposed).toContain(/^label_values\((\w+), job\)$/.exec(query)?.[1]);

  const own = [...exposed].filter((name) => name.startsWith('patchbay_') || name.startsWith('oauth_'));
  const shown = new Set(read.map((name) => (exposed.has(name) ? name : familyOf(name))));
  expect(own.filter((name) => !shown.has(name))).toEqual([]);
  expect(Object.keys(everyLabel()).filter((family) => !shown.has(family))).toEqual([]);
});

it('they select and group by labels that the families have', verifies('platform.dashboard'), () => {
  const registry = registered();
  const wrong = targets.flatMap(({ expr, legendFormat }) => {
    const series = seriesIn(expr);
    const known = new Set(['job', 'instance', 'le']);
    for (const { name } of series) {
      const metric = registry.getSingleMetric(name) ?? registry.getSingleMetric(familyOf(name));
      for (const label of (metric as unknown as { labelNames?: string[] })?.labelNames ?? []) known.add(label);
    }
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
    const grouped = groupedIn(expr);
    return [
      ...[...grouped, ...series.flatMap(({ selected }) => selected)].filter((label) => !known.has(label)),
      ...shown.filter((label) => !grouped.includes(label)),
    ].map((label) => `${label} in ${expr}`);
  });
  expect(wrong).toEqual([]);
});

it('is a dashboard of Grafana with the data source as a variable', verifies('platform.dashboard'), () => {
  expect(dashboard.schemaVersion).toBe(42);
  expect(dashboard.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource', query: 'prometheus' });
  const sources = [...panels, ...targets].map(({ datasource }) => datasource?.uid ?? '');
  expect(sources.filter((uid) => !/^\$\{datasource\}$/.test(uid))).toEqual([]);
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  expect(panels.filter(({ description }) => !description?.endsWith('.'))).toEqual([]);
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});
