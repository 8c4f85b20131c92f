import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentOf, startOf } from '../../src/registry/document.ts';
import { type DumpElement, elementsOf } from '../../src/registry/dump.ts';
import type { GithubRepository } from '../../src/registry/github.ts';
import { readManifest } from '../../src/registry/manifest.ts';
import { repositoryOf } from '../../src/registry/repository.ts';
import { ServerJsonDocument } from '../../src/registry/server-json.ts';
import { compareVersions, latestOf } from '../../src/registry/version-order.ts';
import { verifies } from '../requirements.ts';
import { mistakesIn } from './server-schema.ts';

describe('the name of a repository', () => {
  const read = (text: string) => repositoryOf(text, 'https://github.com');

  it.each([
    'octo/weather',
    'https://github.com/octo/weather',
    'https://github.com/octo/weather/',
    'https://github.com/octo/weather.git',
    'HTTPS://GitHub.com/octo/weather',
  ])(`is read from %s ${verifies('registry.submit.host')}`, (text) => {
    expect(read(text)).toEqual({ owner: 'octo', name: 'weather' });
  });

  it.each([
    '',
    'octo',
    'octo/',
    '/weather',
    'octo/weather/',
    'octo/weather/tree/main',
    'octo/..',
    'octo/.',
    '../weather',
    'octo/weather?x=1',
    'octo/weather#x',
    'octo/weather%2f..',
    'octo/we ather',
    'octo\\weather',
    '-octo/weather',
    'octo_/weather',
    'https://github.com',
    'https://github.com/octo',
    'https://github.com/octo/weather/issues',
    'https://github.com/octo/weather?x',
    'https://github.com:8443/octo/weather',
    'https://github.com@evil.example/octo/weather',
    'https://user@github.com/octo/weather',
    'https://github.com.evil.example/octo/weather',
    'https://gist.github.com/octo/weather',
    'http://github.com/octo/weather',
    'http://169.254.169.254/latest/meta-data',
    'https://127.0.0.1/octo/weather',
    'git@github.com:octo/weather.git',
    'file:///etc/passwd',
    '//github.com/octo/weather',
    'https:/github.com/octo/weather',
    `octo/${'x'.repeat(101)}`,
    `${'o'.repeat(40)}/weather`,
    'octo/weather\u0000',
    'осто/weather',
  ])(`is not read from %j ${verifies('registry.submit.host')}`, (text) => {
    expect(read(text)).toBeNull();
  });

  it(`is one that stays within its path, whatever is given ${verifies('registry.submit.host')}`, () => {
    void fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (owner, name) => {
        const found = repositoryOf(`${owner}/${name}`, 'https://github.com');
        if (found === null) return;
        const path = `/repos/${encodeURIComponent(found.owner)}/${encodeURIComponent(found.name)}`;
        const url = new URL(`https://api.github.com${path}`);
        expect(url.host).toBe('api.github.com');
        expect(url.pathname.split('/')).toHaveLength(4);
        expect(url.search + url.hash).toBe('');
      }),
    );
  });
});

describe('versions', () => {
  const at = (version: string, day = 1, status = 'active') => ({
    version,
    status,
    publishedAt: new Date(Date.UTC(2026, 0, day)),
  });

  it(`are in the order of Semantic Versioning ${verifies('registry.versions')}`, () => {
    // Source: Semantic Versioning 2.0.0, 11.
    const ordered = [
      '0.0.0-20260101000000',
      '0.0.0-20260201000000',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.2.0',
      '1.10.0',
      'v2.0.0',
    ];
    const shuffled = ordered.toSorted(() => 0).toReversed();
    expect(
      shuffled
        .map((version) => at(version))
        .toSorted(compareVersions)
        .map(({ version }) => version),
    ).toEqual(ordered);
  });

  it(`that are not semantic are older, and in the order of their publication ${verifies('registry.versions')}`, () => {
    const list = [at('1.0.0', 1), at('2026.03', 9), at('snapshot', 5)];
    expect(list.toSorted(compareVersions).map(({ version }) => version)).toEqual(['snapshot', '2026.03', '1.0.0']);
  });

  it(`have a latest one, which is not deleted while another is there ${verifies('registry.versions')}`, () => {
    expect(latestOf([at('1.0.0'), at('3.0.0', 1, 'deleted'), at('2.0.0', 1, 'deprecated')])?.version).toBe('2.0.0');
    expect(latestOf([at('1.0.0', 1, 'deleted'), at('3.0.0', 1, 'deleted')])?.version).toBe('3.0.0');
    expect(latestOf([])).toBeUndefined();
  });
});

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
    `of the form %s is read: %j ${verifies('registry.submit.manifest')}`,
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
  ] as const)(`of the form %s is none (%#) ${verifies('registry.submit.manifest')}`, (file, text) => {
    expect(readManifest(file, text)).toBeNull();
  });
});

describe('the document of a submission', () => {
  const manifests = [
    { packageName: '@a/b', version: '1.0.0', description: `${'x'.repeat(99)}😀😀` },
    { packageName: null, version: null, description: null },
  ];

  it(`is valid, for every kind of package and way to use it ${verifies('registry.valid')}`, () => {
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

  it('has a version by the last push where the manifest tells none, so that later ones are newer', () => {
    const usage = { packageType: 'docker', transport: ['stdio'], environmentVariables: [] } as const;
    const document = documentOf(repository, manifests[1] as (typeof manifests)[0], usage);
    expect(document.version).toBe('0.0.0-20260601102030');
    expect(document.packages?.[0]?.identifier).toBe('ghcr.io/octo/weather.mcp:0.0.0-20260601102030');
    expect(document.description).toBe('From GitHub.');
  });

  it('tells a command as data, and an address only if it may be called', () => {
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
  ])(`is taken as the official schema takes it: %j ${verifies('registry.valid')}`, (over) => {
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
  ])(`is refused as the official schema refuses it: %j ${verifies('registry.valid')}`, (over) => {
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

describe('a dump', () => {
  const cut = async (text: string | Buffer, pieceBytes = 7): Promise<DumpElement[]> => {
    const bytes = Buffer.from(text);
    const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
      bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
    );
    const elements: DumpElement[] = [];
    for await (const element of elementsOf(Readable.from(pieces))) elements.push(element);
    return elements;
  };

  it.each([
    [
      'an array',
      '[\n{"a":1},\n {"b":"]}\\""}\n]\n',
      [
        ['{"a":1}', 2],
        ['{"b":"]}\\""}', 3],
      ],
    ],
    [
      'a page',
      '{"metadata":{"servers":[1]},"servers":[\n{"a":[{}]},\n{"b":2}],"x":["y",{"z":1}]}',
      [
        ['{"a":[{}]}', 2],
        ['{"b":2}', 3],
      ],
    ],
    [
      'pages, a line each',
      '{"servers":[{"a":1}]}\n{"servers":[{"b":1},{"c":1}]}',
      [
        ['{"a":1}', 1],
        ['{"b":1}', 2],
        ['{"c":1}', 2],
      ],
    ],
    [
      'JSON lines',
      '\uFEFF{"a":1}\r\n\n{"b":{"servers":[1]}}\n{"c":"servers","d":[1]}',
      [
        ['{"a":1}', 1],
        ['{"b":{"servers":[1]}}', 3],
        ['{"c":"servers","d":[1]}', 4],
      ],
    ],
    [
      'what is broken',
      '[{"a":}, 7, "x,y", nope]',
      [
        ['{"a":}', 1],
        ['7', 1],
        ['"x,y"', 1],
        ['nope', 1],
      ],
    ],
    [
      'a file that ends early',
      '[{"a":1},{"b":',
      [
        ['{"a":1}', 1],
        ['{"b":', 1],
      ],
    ],
    ['nothing', ' \n', []],
    ['an empty array', '[]', []],
  ])(`is cut into its elements: %s ${verifies('registry.import')}`, async (_what, text, expected) => {
    for (const pieceBytes of [1, 3, 1_000])
      expect((await cut(text, pieceBytes)).map(({ text: element, line }) => [element?.trim(), line])).toEqual(expected);
  });

  it(`of any shape comes out as it went in ${verifies('registry.import')}`, async () => {
    const document = fc.dictionary(fc.string(), fc.jsonValue()).filter((value) => !('servers' in value));
    await fc.assert(
      fc.asyncProperty(
        fc.array(document),
        fc.constantFrom('array', 'page', 'lines'),
        fc.integer({ min: 1, max: 40 }),
        async (documents, shape, pieceBytes) => {
          const text =
            shape === 'lines'
              ? documents.map((each) => JSON.stringify(each)).join('\n')
              : JSON.stringify(shape === 'page' ? { servers: documents, metadata: { count: 1 } } : documents);
          const elements = await cut(text, pieceBytes);
          expect(elements.map((element) => JSON.parse(String(element.text)))).toEqual(
            JSON.parse(JSON.stringify(documents)),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it(`cannot fill the memory with one element ${verifies('registry.import')}`, async () => {
    const elements = await cut(`[{"a":"${'x'.repeat(300_000)}"},{"b":1}]`, 65_536);
    expect(elements).toEqual([
      { line: 1, text: null },
      { line: 1, text: '{"b":1}' },
    ]);
  });
});
