import { spawnSync } from 'node:child_process';
import { GraphQLError, type OperationTypeNode } from 'graphql';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { routes } from '../../../rest-adapter/index.ts';
import { schema } from '../../../schema/index.ts';
import { timeOperation } from '../../../src/main/graphql/operation-metrics.ts';
import { createRequestMetrics } from '../../../src/main/http/request-metrics.ts';
import { createOauthMetrics, registerOauthGauges } from '../../../src/oauth/index.ts';
import { statusOfCode } from '../../../src/platform/errors.ts';
import { limitNames } from '../../../src/platform/limits/rate-table.ts';
import { createMetrics } from '../../../src/platform/metrics.ts';
import { countAttempt, createWebhookMetrics } from '../../../src/webhooks/metrics.ts';
import { countEverything } from '../../oauth/every-label.ts';
import { startTestServer, tenantOf } from '../../support/server.ts';

const server = await startTestServer();
const scrape = async () => (await fetch(`${server.base}/metrics`)).text();

/** Source: docs/specification/operations.md#metrics. */
const oauthFamilies: Record<string, string[]> = {
  oauth_flows_total: ['provider', 'status'],
  oauth_flow_duration_seconds: ['provider', 'status'],
  oauth_token_refresh_total: ['status', 'reason'],
  oauth_token_refresh_duration_seconds: ['status'],
  oauth_token_revocations_total: ['reason'],
  oauth_active_tokens: [],
  oauth_pkce_validations_total: ['status', 'reason'],
  oauth_pkce_states_created_total: [],
  oauth_pkce_states_cleaned_total: ['reason'],
  oauth_active_pkce_states: [],
  oauth_security_events_total: ['event_type', 'severity'],
  oauth_integrity_violations_total: ['violation_type'],
  oauth_code_injection_attempts_total: [],
  oauth_discovery_attempts_total: ['method', 'status'],
  oauth_discovery_duration_seconds: ['method', 'status'],
  oauth_client_registrations_total: ['status'],
  oauth_client_registration_duration_seconds: ['status'],
};

describe('GET /metrics', () => {
  it('is public and exposes the 17 documented OAuth families, each with HELP and TYPE', async () => {
    const text = await scrape();
    expect(Object.keys(oauthFamilies)).toHaveLength(17);
    for (const name of Object.keys(oauthFamilies)) {
      expect(text).toMatch(new RegExp(`^# HELP ${name} .+`, 'm'));
      expect(text).toMatch(new RegExp(`^# TYPE ${name} (counter|gauge|histogram)$`, 'm'));
    }
  });

  it('I07: counts requests by the pattern of their route and operations by root field, whatever a client calls them', async () => {
    const { call, graphql } = await tenantOf(server);
    await call('POST', '/api/clipboard/push', { value: 'v' });
    await call('GET', '/api/clipboard/entries/canary-in-a-path');
    await call('GET', '/canary-path');
    await graphql('query CanaryName { clipboardEntries { totalCount } canary: clipboardEntries { totalCount } }');
    const text = await scrape();
    expect(text).toContain('requests_total{method="POST",route="/api/clipboard/push",status="2xx"} 1');
    expect(text).toMatch(/^patchbay_http_responses_total\{status="404"\} [1-9]/m);
    expect(text).toMatch(/^patchbay_http_request_duration_seconds_count\{area="clipboard"\} [1-9]/m);
    expect(text).toContain('route="/api/clipboard/entries/:uuid"');
    expect(text).toContain('route="unmatched"');
    expect(text).toContain('type="query",field="clipboardEntries",outcome="ok"');
    expect(text.toLowerCase()).not.toContain('canary');
  });

  it('I07: a hundred made-up paths, methods and operation names add no series', async () => {
    const { graphql } = await tenantOf(server);
    const count = async () => (await scrape()).split('\n').filter((line) => line.startsWith('patchbay_')).length;
    await fetch(`${server.base}/made-up`);
    await graphql('query First { nothing }');
    const before = await count();
    for (let i = 0; i < 100; i++) {
      await fetch(`${server.base}/made-up-${i}`);
      await graphql(`query Name${i} { nothing${i} }`);
    }
    expect(await count()).toBe(before);
    expect(before).toBeLessThan(2_000);
  });

  it('I07: stays below 2 000 series when every route has given every status and every root field every outcome', async () => {
    const registry = new Registry();
    const metrics = createMetrics({
      registry,
      pool: () => ({ total: 1, idle: 1, waiting: 0 }),
      outboxSeconds: async () => 0,
      outboxSetAside: async () => 0,
      bodyBytes: () => 0,
      redis: { limits: () => true, events: () => true },
    });
    countEverything(createOauthMetrics(registry));
    registerOauthGauges(registry, { activeTokens: async () => 0, activeStates: async () => 0 });
    const webhooks = createWebhookMetrics(registry);
    for (const outcome of ['succeeded', 'failed', 'lost', 'postponed'] as const) countAttempt(webhooks, outcome, 1);
    for (const kind of ['socket', 'subscription']) metrics.liveConnections.inc({ kind });
    for (const rateClass of limitNames) metrics.rateLimitErrors.inc({ class: rateClass });

    const count = createRequestMetrics(metrics, routes);
    const statuses = [200, 204, 302, 304, 408, 431, ...Object.values(statusOfCode)];
    const paths = [undefined, '/graphql', '/metrics', '/docs/api', ...routes.map(({ path }) => path)];
    for (const path of paths)
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'MADE-UP'])
        for (const status of statuses) count({ method, path, status, seconds: 0.1 });

    const codes = [...Object.keys(statusOfCode), 'MADE_UP'];
    for (const kind of ['query', 'mutation', 'subscription'] as const)
      for (const rootField of [
        'other',
        ...Object.keys(schema.getRootType(kind as OperationTypeNode)?.getFields() ?? {}),
      ]) {
        timeOperation(metrics, { kind, rootField })({ data: {} });
        for (const code of codes)
          timeOperation(metrics, { kind, rootField })({ errors: [new GraphQLError('', { extensions: { code } })] });
      }

    const series = (await registry.metrics()).split('\n').filter((line) => line && !line.startsWith('#'));
    expect(series.filter((line) => /made.up/i.test(line))).toEqual([]);
    expect(series.length).toBeLessThan(2_000);
  });

  it('promtool, where it is installed, finds nothing wrong', async () => {
    const { error, status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: await scrape(),
      encoding: 'utf8',
    });
    // EACCES: it is another user's.
    if (['ENOENT', 'EACCES'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')) return;
    // Advice on names is for the documented ones too, which are not ours to change.
    expect(`${stdout}${stderr}`).not.toMatch(/error/i);
    expect([0, 3]).toContain(status);
  });
});
