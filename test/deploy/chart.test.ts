import { readFileSync } from 'node:fs';
import { loadAllYaml, loadYaml } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { printEnvExample, readConfig } from '../../src/platform/config.ts';
import { chartText as read, templates } from './rendered-chart.ts';

// What the text of the templates names exists, and what exists is named. rendered.test.ts renders them, test/cluster/manifests.test.ts shows
// the outcome to an API server.
const allText = templates.map(([, text]) => text).join('\n');
const rbac = readFileSync(new URL('../../deploy/kubernetes/rbac.yaml', import.meta.url), 'utf8');

interface Role {
  readonly kind: string;
  readonly rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[];
}

/** The dotted paths of the values; a map that templates print or loop over as a whole is one value. */
function pathsOf(value: unknown, prefix = ''): string[] {
  const isWhole = !(value instanceof Object) || Array.isArray(value) || Object.keys(value).length === 0;
  if (isWhole || prefix.endsWith('.resources')) return [prefix];
  return Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, prefix ? `${prefix}.${key}` : key));
}

describe('the chart', () => {
  const values = pathsOf(loadYaml(read('values.yaml')));
  const used = new Set([...allText.matchAll(/\.Values\.([A-Za-z.]+)/g)].map(([, name]) => name));

  it('uses exactly the values that values.yaml has', () => {
    expect([...used].sort()).toEqual(values.toSorted());
  });

  it('names templates that exist', () => {
    const defined = [...allText.matchAll(/define "([^"]+)"/g)].map(([, name]) => name);
    const included = new Set([...allText.matchAll(/include "([^"]+)"/g)].map(([, name]) => name));
    expect([...included].sort()).toEqual(defined.sort());
  });

  it('sets settings that exist', () => {
    const names = [...allText.matchAll(/- name: ([A-Z_]{3,})$/gm)].map(([, name]) => name);
    const known = new Set([...printEnvExample().matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name));
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !known.has(name ?? ''))).toEqual([]);
  });

  it('gives settings that production accepts', () => {
    const config = readConfig({
      NODE_ENV: 'production',
      APP_URL: 'https://patchbay.example.com',
      DATABASE_URL: 'postgres://db/patchbay',
      CRON_SECRET: 'Zk3vQ8mT1xLw6Rb9Yc4Nf7Hd2Js5Pg0A',
      ENCRYPTION_KEYS: `k1:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')}`,
      WORKERS: 'separate',
      ORCHESTRATOR: 'kubernetes',
      AGENT_NAMESPACE: 'agents',
      AGENT_INSTALLATION: 'patchbay',
      AGENT_DOMAIN: 'agents.example.com',
      AGENT_PLATFORM_URL: 'http://patchbay-patchbay.patchbay.svc:3000',
      AGENT_PLATFORM_NAMESPACE: 'patchbay',
      AGENT_CERT_ISSUER: '',
      AGENT_IMAGES: '',
      AGENT_MAX_CPU: '4',
      AGENT_MAX_MEMORY: '8Gi',
      AGENT_EGRESS: '',
    });
    expect(config).toMatchObject({ ORCHESTRATOR: 'kubernetes', AGENT_CERT_ISSUER: undefined, AGENT_EGRESS: [] });
  });

  it('grants the rights of deploy/kubernetes/rbac.yaml, which the suites over a cluster use', () => {
    const [, rules = ''] = /^(rules:\n(?: .*\n)+)/m.exec(read('templates', 'rbac.yaml')) ?? [];
    const role = (loadAllYaml(rbac) as Role[]).find(({ kind }) => kind === 'Role');
    expect((loadYaml(rules) as Role).rules).toEqual(role?.rules);
  });

  it('has pods of the restricted standard', () => {
    for (const rule of [
      'runAsNonRoot: true',
      'runAsUser: 65532',
      'type: RuntimeDefault',
      'allowPrivilegeEscalation: false',
      'readOnlyRootFilesystem: true',
      'drop: [ALL]',
    ])
      expect(allText).toContain(rule);
  });
});

it('the rights are for the agents namespace alone, without wildcards', () => {
  const roles = loadAllYaml(rbac) as (Role & { metadata: { namespace?: string } })[];
  expect(roles.map(({ kind }) => kind)).toEqual(['Namespace', 'ServiceAccount', 'Role', 'RoleBinding']);
  for (const { apiGroups, resources, verbs } of roles.flatMap(({ rules = [] }) => rules)) {
    expect([...apiGroups, ...resources, ...verbs]).not.toContain('*');
    if (resources.includes('secrets')) expect(verbs).toEqual(['create', 'patch', 'delete']);
  }
});
