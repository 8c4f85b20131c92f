import { describe, expect, it } from 'vitest';
import { orchestratorOf } from '../../../src/main/orchestrator.ts';
import { ConfigError, readConfig } from '../../../src/platform/config.ts';

const kindOf = (environment: Record<string, string>) => orchestratorOf(readConfig(environment));

/** Settings that production demands beside those of a test. */
const production = {
  NODE_ENV: 'production',
  APP_URL: 'https://patchbay.example.com',
  CRON_SECRET: 'k3v9-Zq81-mm20-Lpw7-Xa55-hd63-Yt08',
  ENCRYPTION_KEYS: `a:${Buffer.from('0f1e2d3c4b5a69788796a5b4c3d2e1f0').toString('base64')}`,
};

describe('ORCHESTRATOR', () => {
  it('left out is local in development, and off in tests and in production without a cluster', () => {
    expect(kindOf({ NODE_ENV: 'development' })).toBe('local');
    expect(kindOf({ NODE_ENV: 'test' })).toBe('off');
    expect(kindOf(production)).toBe('off');
  });

  it('left out is kubernetes where a kubeconfig is given', () => {
    expect(kindOf({ NODE_ENV: 'development', KUBECONFIG: '/etc/kubeconfig' })).toBe('kubernetes');
    expect(kindOf({ ...production, KUBECONFIG: '/etc/kubeconfig' })).toBe('kubernetes');
  });

  it('takes precedence over detection', () => {
    expect(kindOf({ NODE_ENV: 'development', KUBECONFIG: '/etc/kubeconfig', ORCHESTRATOR: 'off' })).toBe('off');
    expect(kindOf({ NODE_ENV: 'test', ORCHESTRATOR: 'local' })).toBe('local');
  });

  it('must not be local in production', () => {
    expect(() => readConfig({ ...production, ORCHESTRATOR: 'local' })).toThrow(ConfigError);
    expect(() => readConfig({ ...production, ORCHESTRATOR: 'off' })).not.toThrow();
  });
});
