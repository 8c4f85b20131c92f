import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const scrape = async () => (await fetch(`${server.base}/metrics`)).text();

/** Source: spec.md, "Metric families exposed". */
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
    expect(text).toMatch(/duration_seconds_count\{method="POST",route="\/api\/clipboard\/push",status="200"\} 1/);
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
