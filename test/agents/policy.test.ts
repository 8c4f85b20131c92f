import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { imageReferenceOf } from '../../src/agents/orchestrator/image-reference.ts';
import { agentPolicyOf, defaultImage, imageMistake, resourceMistakes } from '../../src/agents/orchestrator/policy.ts';
import { readConfig } from '../../src/platform/config.ts';
import { bytesOf, millicoresOf } from '../../src/platform/input/quantities.ts';
import { verifies } from '../requirements.ts';

const { defaults: defaultResources } = agentPolicyOf(readConfig({ NODE_ENV: 'test' }));
const digest = `sha256:${'a'.repeat(64)}`;

describe('quantities', () => {
  it.each([
    ['100m', 100n],
    ['1000m', 1_000n],
    ['0.5', 500n],
    ['0.001', 1n],
    ['1.25', 1_250n],
    ['2', 2_000n],
  ])('reads %s of CPU as %s millicores', (text, millicores) => {
    expect(millicoresOf(text)).toBe(millicores);
  });

  it.each([
    '',
    '0',
    '0m',
    '0.0',
    '-1',
    '+1',
    '1e9',
    '1E9',
    '1.0001',
    '1.',
    '.5',
    '0.5m',
    '1 ',
    ' 1',
    '1\n',
    '1,5',
    '0x1',
    'Infinity',
    'NaN',
    '1Gi',
    '1k',
    '1'.repeat(1_000_000),
  ])('refuses %j as CPU', (text) => expect(millicoresOf(text)).toBeNull());

  it.each([
    ['256Mi', 268_435_456n],
    ['1Gi', 1_073_741_824n],
    ['1.5Ki', 1_536n],
    ['0.5Gi', 536_870_912n],
    ['1k', 1_000n],
    ['1.5k', 1_500n],
    ['1', 1n],
    ['999999999999999Ti', 999_999_999_999_999n << 40n],
  ])('reads %s of memory as %s bytes', (text, bytes) => {
    expect(bytesOf(text)).toBe(bytes);
  });

  it.each([
    '',
    '0',
    '0Mi',
    '-1',
    '-1Mi',
    '1e9',
    '1e9Mi',
    '1m',
    '1.5',
    '0.001Ki',
    '1mi',
    '1MI',
    '1MB',
    '1Mi ',
    '1\n',
    '1Pi',
    '1'.repeat(1_000_000),
  ])('refuses %j as memory', (text) => expect(bytesOf(text)).toBeNull());

  it('compares amounts in different units exactly', () => {
    void fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), (mebibytes) => {
        expect(bytesOf(`${mebibytes}Mi`)).toBe(bytesOf(`${mebibytes * 1_024}Ki`));
        expect(millicoresOf(`${mebibytes}m`)).toBe(millicoresOf((mebibytes / 1_000).toFixed(3)));
      }),
    );
  });
});

describe('resources', () => {
  const policy = { cpuMax: '4', memoryMax: '8Gi' };

  it('accepts the defaults of the specification', () => {
    expect(resourceMistakes(defaultResources, policy)).toEqual({});
  });

  it('names every wrong field', () => {
    const resources = { cpu_request: '-1', memory_request: '1e9', cpu_limit: '1e9', memory_limit: '100Gi' };
    expect(resourceMistakes(resources, policy)).toEqual({
      'resources.cpu_request': 'cpu_request must be an amount of CPU, such as 100m or 0.5',
      'resources.cpu_limit': 'cpu_limit must be an amount of CPU, such as 100m or 0.5',
      'resources.memory_request': 'memory_request must be an amount of memory, such as 256Mi or 1Gi',
      'resources.memory_limit': 'memory_limit must be at most 8Gi',
    });
  });

  it('refuses a limit that is higher than the highest of the platform, and takes the highest itself', () => {
    const mistakesOf = (cpu_limit: string, memory_limit: string) =>
      Object.keys(resourceMistakes({ ...defaultResources, cpu_limit, memory_limit }, policy));
    expect(mistakesOf('4000m', '8192Mi')).toEqual([]);
    expect(mistakesOf('4001m', '8193Mi')).toEqual(['resources.cpu_limit', 'resources.memory_limit']);
  });

  it('refuses a request over its limit, in whatever units', () => {
    const resources = { cpu_request: '0.5', cpu_limit: '499m', memory_request: '1Gi', memory_limit: '1G' };
    expect(resourceMistakes(resources, policy)).toEqual({
      'resources.cpu_request': 'cpu_request (0.5) must be at most cpu_limit (499m)',
      'resources.memory_request': 'memory_request (1Gi) must be at most memory_limit (1G)',
    });
  });
});

describe('image references', () => {
  it.each([
    ['nginx', { repository: 'docker.io/library/nginx', tag: 'latest', digest: null }],
    ['evil/x', { repository: 'docker.io/evil/x', tag: 'latest', digest: null }],
    ['index.docker.io/evil/x', { repository: 'docker.io/evil/x', tag: 'latest', digest: null }],
    ['ghcr.io/acme/agent:1.2', { repository: 'ghcr.io/acme/agent', tag: '1.2', digest: null }],
    ['GHCR.io/acme/agent', { repository: 'ghcr.io/acme/agent', tag: 'latest', digest: null }],
    ['localhost:5000/agent', { repository: 'localhost:5000/agent', tag: 'latest', digest: null }],
    ['localhost/agent:x', { repository: 'localhost/agent', tag: 'x', digest: null }],
    [`ghcr.io/acme/a__b@${digest}`, { repository: 'ghcr.io/acme/a__b', tag: null, digest }],
    [`ghcr.io/acme/agent:1@${digest}`, { repository: 'ghcr.io/acme/agent', tag: '1', digest }],
  ])('reads %s', (text, reference) => {
    expect(imageReferenceOf(text)).toEqual(reference);
  });

  it.each([
    '',
    ' ',
    '/',
    'a/',
    '/a',
    'a//b',
    'A',
    'a/B',
    'a:',
    'a:b:c',
    'a:-x',
    `a:${'x'.repeat(129)}`,
    'a@',
    'a@sha256:12',
    `a@${digest}@${digest}`,
    `a@${digest}:x`,
    '-a',
    'a-',
    'a___b',
    'a..b',
    '.a/b',
    'a b',
    'a\n',
    'a:1\n',
    'https://ghcr.io/a',
    'ghcr.io/a?x',
    'ä',
    'user:pass@host/a',
    `${'a'.repeat(256)}`,
    'a'.repeat(1_000_000),
    'a\nspec: {hostNetwork: true}',
  ])('refuses %j', (text) => expect(imageReferenceOf(text)).toBeNull());
});

describe('allowed images', () => {
  const images = ['ghcr.io/acme', 'nginxinc/nginx-unprivileged', 'quay.io'];

  it.each([
    defaultImage,
    'ghcr.io/acme/agent:1',
    'ghcr.io/acme/team/agent',
    `nginxinc/nginx-unprivileged@${digest}`,
    'quay.io/any/thing',
  ])('allows %s', (image) => expect(imageMistake(image, images)).toBeUndefined());

  it.each([
    'evil/x',
    'ghcr.io/acme-evil/agent',
    'ghcr.io/acmeagent',
    'nginxinc/nginx-unprivileged2',
    'evil.io/ghcr.io/acme/agent',
    'quay.io.evil.io/a',
    'quay.io:5000/a',
    'nginx',
  ])('forbids %s, and names the allowed images', (image) =>
    expect(imageMistake(image, images)).toBe(
      'image is not allowed on this platform; allowed: ghcr.io/acme, nginxinc/nginx-unprivileged, quay.io',
    ),
  );

  it('allows every well-formed image without a list', () => {
    expect(imageMistake('evil/x', null)).toBeUndefined();
    expect(imageMistake('evil/X', null)).toMatch(/must be a container image reference/);
  });

  it('forbids everything by an entry that names no repository', () => {
    expect(imageMistake('ghcr.io/acme/agent', ['', '*', 'https://ghcr.io'])).toMatch(/not allowed/);
  });

  it('allows the default image alone in production, and every image elsewhere, without a setting', () => {
    const settings = readConfig({ NODE_ENV: 'test' });
    const production = agentPolicyOf({ ...settings, NODE_ENV: 'production' });
    expect(imageMistake(defaultImage, production.images)).toBeUndefined();
    expect(imageMistake('evil/x', production.images)).toMatch(/not allowed/);
    expect(agentPolicyOf({ ...settings, NODE_ENV: 'development' }).images).toBeNull();
    expect(agentPolicyOf({ ...settings, NODE_ENV: 'production', AGENT_IMAGES: null }).images).toBeNull();
  });
});

describe('settings', () => {
  const read = (environment: Record<string, string>) => readConfig({ NODE_ENV: 'test', ...environment });

  it('have defaults', () => {
    expect(read({})).toMatchObject({
      AGENT_NAMESPACE: 'agents',
      AGENT_INSTALLATION: 'patchbay',
      AGENT_IMAGES: undefined,
      AGENT_MAX_CPU: '4',
      AGENT_MAX_MEMORY: '8Gi',
      AGENT_INGRESS_CLASS: 'nginx',
      AGENT_INGRESS_NAMESPACE: 'ingress-nginx',
      AGENT_EGRESS: [],
      AGENT_DEFAULTS: { cpuRequest: '100m', memoryRequest: '256Mi', cpuLimit: '1000m', memoryLimit: '1Gi' },
      AGENT_QUOTAS: {},
      AGENT_PODS: {},
    });
  });

  it('take lists', () => {
    expect(read({ AGENT_IMAGES: '*' }).AGENT_IMAGES).toBeNull();
    expect(read({ AGENT_IMAGES: 'ghcr.io/acme/, localhost:5000, nginx' }).AGENT_IMAGES).toEqual([
      'ghcr.io/acme/',
      'localhost:5000',
      'nginx',
    ]);
    expect(read({ AGENT_EGRESS: '10.0.0.0/8:3000, [fd00::/8]:443' }).AGENT_EGRESS).toEqual([
      { cidr: '10.0.0.0/8', port: 3_000 },
      { cidr: 'fd00::/8', port: 443 },
    ]);
  });

  it.each([
    ['AGENT_IMAGES', 'ghcr.io/acme:1.2'],
    ['AGENT_IMAGES', 'https://ghcr.io'],
    ['AGENT_MAX_CPU', '1e9'],
    ['AGENT_MAX_MEMORY', '-1'],
    ['AGENT_NAMESPACE', 'Agents'],
    ['AGENT_EGRESS', '10.0.0.0/8'],
    ['AGENT_EGRESS', '10.0.0.0/33:443'],
    ['AGENT_EGRESS', '10.0.0.0/8:0'],
    ['AGENT_EGRESS', 'fd00::/8:443'],
    ['AGENT_EGRESS', 'example.com:443'],
    ['AGENT_DEFAULTS', 'small'],
    ['AGENT_DEFAULTS', '[]'],
    ['AGENT_DEFAULTS', '{"cpuLimit": "5"}'],
    ['AGENT_DEFAULTS', '{"memoryRequest": "2Gi"}'],
    ['AGENT_QUOTAS', '{"gold": {}}'],
    ['AGENT_QUOTAS', '{"free": {"agents": -1}}'],
    ['AGENT_PODS', '{"securityContext": {"runAsUser": 0}}'],
    ['AGENT_PODS', '{"securityContext": {"runAsNonRoot": false}}'],
    ['AGENT_PODS', '{"securityContext": {"seLinuxOptions": {"type": "spc_t"}}}'],
    ['AGENT_PODS', '{"hostNetwork": true}'],
    ['AGENT_PODS', '{"serviceAccount": {"name": "a", "annotations": {}}}'],
  ])('refuse %s=%s', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(new RegExp(`${name}: expected`));
  });

  it('name every mistake of a JSON object at once, with its place', verifies('agents.defaults-of-installation'), () => {
    const wrong = {
      AGENT_PODS: JSON.stringify({ tolerations: [{ operator: 'Is' }], nodeSelector: { pool: '!' }, privileged: true }),
      AGENT_QUOTAS: '{"*": {"cpu": "many", "memory": 1}}',
      AGENT_DEFAULTS: '{"cpuLimit": "1e3"}',
    };
    const mistakes = (() => {
      try {
        read(wrong);
      } catch (error) {
        return String(error);
      }
      return '';
    })();
    for (const place of [
      'AGENT_PODS: expected tolerations.0.operator to be Equal or Exists',
      'AGENT_PODS: expected nodeSelector.pool to be',
      'AGENT_PODS: expected an object of',
      'AGENT_QUOTAS: expected *.cpu to be an amount of CPU',
      'AGENT_QUOTAS: expected *.memory to be',
      'AGENT_DEFAULTS: expected cpuLimit to be an amount of CPU',
    ])
      expect(mistakes).toContain(place);
  });
});
