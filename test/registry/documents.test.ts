import { describe, expect, it } from 'vitest';
import { documentOf, startOf } from '../../src/registry/document.ts';
import type { GithubRepository } from '../../src/registry/github.ts';
import { readManifest } from '../../src/registry/manifest.ts';
import { ServerJsonDocument } from '../../src/registry/server-json.ts';
import { verifies } from '../requirements.ts';
import { mistakesIn } from './server-schema.ts';

const repository: GithubRepository = {
  id: 42,
  owner: 'Octo',
  name: 'Weather.mcp',
  url: 'https://github.com/Octo/Weather.mcp',
  ownerId: 7,
  isAdmin: true,
  isPrivate: false,
  isFork: false,
  isArchived: false,
  description: 'From GitHub.',
  pushedAt: new Date('2026-06-01T10:20:30Z'),
};

describe('a manifest', () => {
  it.each([
    [
      'package.json',
      '{"name":"@a/b","version":"1.0.0","description":" two\\n lines\\u0000"}',
      ['@a/b', '1.0.0', 'two lines'],
    ],
    ['package.json', '\uFEFF{"name":"b","version":"^1.0","description":7}', ['b', null, null]],
    ['pyproject.toml', '[project]\nname = "b"\nversion = "1.0"\ndescription = """\nx"""', ['b', '1.0', 'x']],
    ['pyproject.toml', '[tool.poetry]\nname = "b"\nversion = "2"', ['b', '2', null]],
    [
      'setup.py',
      'from setuptools import setup\nsetup(name="b", version=\'1.0\', description=read())',
      ['b', '1.0', null],
    ],
    ['Dockerfile', '# syntax=docker/dockerfile:1\nARG X=1\nFROM node:24\n', [null, null, null]],
  ] as const)(
    'of the form %s is read: %j',
    verifies('registry.submit.manifest'),
    (file, text, [packageName, version, description]) => {
      expect(readManifest(file, text)).toEqual({ packageName, version, description });
    },
  );

  it.each([
    ['package.json', ''],
    ['package.json', '[]'],
    ['package.json', 'null'],
    ['package.json', '{"version":"1.0.0"}'],
    ['package.json', '{"name":"../../etc"}'],
    ['package.json', '['.repeat(100_000)],
    ['pyproject.toml', 'not toml'],
    ['pyproject.toml', '[build-system]\nrequires = []'],
    ['pyproject.toml', 'project = 7'],
    ['setup.py', 'print("x")'],
    ['Dockerfile', 'RUN x'],
    ['Dockerfile', '\n'.repeat(250_000)],
    ['setup.py', `setup${' '.repeat(250_000)}`],
    ['setup.py', 'name '.repeat(50_000)],
    ['Dockerfile', '[{"name":"Dockerfile","type":"file"}]'],
  ] as const)('of the form %s is none (%#)', verifies('registry.submit.manifest'), (file, text) => {
    expect(readManifest(file, text)).toBeNull();
  });
});

describe('the document of a submission', () => {
  const manifests = [
    { packageName: '@a/b', version: '1.0.0', description: `${'x'.repeat(99)}😀😀` },
    { packageName: null, version: null, description: null },
  ];

  it('is valid, for every kind of package and way to use it', verifies('registry.valid'), () => {
    for (const packageType of ['npm', 'docker', 'pypi'] as const)
      for (const transport of [['stdio'], ['http'], ['stdio', 'sse', 'http']] as const)
        for (const manifest of manifests) {
          const document = documentOf(repository, manifest, {
            packageType,
            transport,
            environmentVariables: ['A', 'B'],
          });
          expect(mistakesIn(document, 'server')).toEqual([]);
          expect(ServerJsonDocument.safeParse(document).error).toBeUndefined();
          expect(document.description.isWellFormed()).toBe(true);
          expect(startOf(document, () => true)).toMatchObject({ packageType, environmentVariables: ['A', 'B'] });
        }
  });

  it('has a version by the last push if the manifest has none, so that later ones are newer', () => {
    const usage = { packageType: 'docker', transport: ['stdio'], environmentVariables: [] } as const;
    const document = documentOf(repository, manifests[1] as (typeof manifests)[0], usage);
    expect(document.version).toBe('0.0.0-20260601102030');
    expect(document.packages?.[0]?.identifier).toBe('ghcr.io/octo/weather.mcp:0.0.0-20260601102030');
    expect(document.description).toBe('From GitHub.');
  });

  it('shows a command as data, and an address only if it may be called', () => {
    const base = { name: 'a/b', description: 'x', version: '1' };
    const remotes = [
      { type: 'sse' as const, url: 'https://a.example/{tenant}' },
      { type: 'streamable-http' as const, url: 'https://b.example/mcp' },
    ];
    expect(startOf({ ...base, remotes }, () => true)).toMatchObject({
      transport: 'http',
      transports: ['sse', 'http'],
      url: 'https://b.example/mcp',
    });
    expect(startOf({ ...base, remotes }, () => false)).toMatchObject({ transport: 'sse', url: null, command: null });
    const packages = [
      { registryType: 'npm', identifier: '$(touch /tmp/x)', version: '1', transport: { type: 'stdio' as const } },
    ];
    expect(startOf({ ...base, packages }, () => true)).toMatchObject({
      command: 'npx',
      args: ['-y', '$(touch /tmp/x)@1'],
    });
    expect(startOf(base, () => true)).toMatchObject({ transport: 'stdio', transports: ['stdio'], command: null });
  });

  it('starts a package with its fixed arguments; a container is handed its variables', () => {
    const pack = {
      registryType: 'oci',
      identifier: 'ghcr.io/octo/weather:1',
      transport: { type: 'stdio' as const },
      environmentVariables: [{ name: 'TOKEN', isSecret: true }, { name: 'REGION' }],
      runtimeArguments: [
        { type: 'named' as const, name: '--network', value: 'none' },
        { type: 'named' as const, name: '-v', value: '{folder}:/data' },
      ],
      packageArguments: [
        { type: 'positional' as const, value: 'serve' },
        { type: 'positional' as const, valueHint: 'city' },
        { type: 'named' as const, name: '--units', default: 'metric' },
        { type: 'named' as const, name: '--verbose', value: '' },
        { type: 'named' as const, name: '--key', isRequired: true },
      ],
    };
    const base = { name: 'a/b', description: 'x', version: '1' };
    const start = (packages: object[]) => startOf({ ...base, packages: packages as never }, () => true);
    const given = ['--network', 'none'];
    const always = ['serve', '--units', 'metric', '--verbose'];
    expect(start([pack])).toMatchObject({
      command: 'docker',
      args: ['run', '-i', '--rm', '-e', 'TOKEN', '-e', 'REGION', ...given, pack.identifier, ...always],
    });
    expect(start([{ ...pack, registryType: 'npm', identifier: 'weather' }]).args).toEqual([
      '-y',
      ...given,
      'weather',
      ...always,
    ]);
  });

  it('prefers what speaks over stdio, and does not say so of what does not', () => {
    const base = { name: 'a/b', description: 'x', version: '1' };
    const pack = (type: 'stdio' | 'streamable-http', identifier: string) => ({
      registryType: 'npm',
      identifier,
      transport: type === 'stdio' ? { type } : { type, url: '{url}' },
    });
    const [web, stdio] = [pack('streamable-http', 'web'), pack('stdio', 'stdio')];
    expect(startOf({ ...base, packages: [web, stdio] }, () => true)).toMatchObject({
      transport: 'stdio',
      transports: ['http', 'stdio'],
      args: ['-y', 'stdio'],
    });
    expect(startOf({ ...base, packages: [web] }, () => true)).toMatchObject({
      transport: 'http',
      transports: ['http'],
      command: 'npx',
      url: null,
    });
  });
});

describe('a server.json', () => {
  const base = { name: 'io.github.octo/weather', description: 'x', version: '1.0.0' };
  const pack = { registryType: 'npm', identifier: 'x', transport: { type: 'stdio' } };

  it.each([
    {},
    { title: 'x', websiteUrl: 'https://x.example/', vendor: { deep: [1] } },
    {
      packages: [
        {
          ...pack,
          version: '1',
          fileSha256: 'a'.repeat(64),
          environmentVariables: [{ name: 'A', isSecret: true, choices: ['x'] }],
        },
      ],
    },
    {
      packages: [
        {
          ...pack,
          packageArguments: [
            { type: 'positional', valueHint: 'x' },
            { type: 'named', name: '--x', value: '{y}', variables: { y: { default: '1' } } },
          ],
        },
      ],
    },
    {
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://x.example/{t}',
          variables: { t: {} },
          headers: [{ name: 'X', value: 'y' }],
        },
      ],
    },
    {
      icons: [{ src: 'https://x.example/i.png', sizes: ['48x48', 'any'], theme: 'dark' }],
      _meta: { 'io.modelcontextprotocol.registry/publisher-provided': { a: 1 } },
    },
    { repository: { url: 'https://github.com/octo/weather', source: 'github', id: '1', subfolder: 'src' } },
  ])('is taken as the official schema takes it: %j', verifies('registry.valid'), (over) => {
    expect(ServerJsonDocument.safeParse({ ...base, ...over }).error?.issues ?? []).toEqual([]);
    expect(mistakesIn({ ...base, ...over }, 'server')).toEqual([]);
  });

  it.each([
    { name: undefined },
    { name: 'weather' },
    { name: 'a/b/c' },
    { name: 'a/b\n' },
    { description: '' },
    { description: 'x'.repeat(101) },
    { version: undefined },
    { title: '' },
    { websiteUrl: 'nowhere' },
    { repository: { url: 'https://x.example/' } },
    { packages: 'x' },
    { packages: [{ ...pack, transport: undefined }] },
    { packages: [{ ...pack, transport: { type: 'streamable-http' } }] },
    { packages: [{ ...pack, version: 'latest' }] },
    { packages: [{ ...pack, fileSha256: 'X' }] },
    { packages: [{ ...pack, packageArguments: [{ type: 'positional' }] }] },
    { packages: [{ ...pack, packageArguments: [{ type: 'named' }] }] },
    { remotes: [{ type: 'stdio' }] },
    { icons: [{ src: 'https://x.example/', theme: 'blue' }] },
  ])('is refused as the official schema refuses it: %j', verifies('registry.valid'), (over) => {
    const document = JSON.parse(JSON.stringify({ ...base, ...over }));
    expect(mistakesIn(document, 'server')).not.toEqual([]);
    expect(ServerJsonDocument.safeParse(document).success).toBe(false);
  });

  it.each([
    { version: '^1.0.0' },
    { version: '1.x' },
    { version: 'latest' },
    { vendor: 'a\u0000b' },
    { vendor: '\ud800' },
    { vendor: 'x'.repeat(70_000) },
    { vendor: JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`) },
    { remotes: [{ type: 'sse', url: 'javascript:alert(1)' }] },
  ])('is refused for what cannot be stored or served, too', (over) => {
    expect(ServerJsonDocument.safeParse({ ...base, ...over }).success).toBe(false);
  });
});
