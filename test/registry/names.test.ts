import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repositoryOf } from '../../src/registry/repository.ts';
import { compareVersions, latestOf } from '../../src/registry/version-order.ts';
import { verifies } from '../requirements.ts';

describe('the name of a repository', () => {
  const read = (text: string) => repositoryOf(text, 'https://github.com');

  it.each([
    'octo/weather',
    'https://github.com/octo/weather',
    'https://github.com/octo/weather/',
    'https://github.com/octo/weather.git',
    'HTTPS://GitHub.com/octo/weather',
  ])('is read from %s', verifies('registry.submit.host'), (text) => {
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
  ])('is not read from %j', verifies('registry.submit.host'), (text) => {
    expect(read(text)).toBeNull();
  });

  it('is one that stays within its path, whatever is given', verifies('registry.submit.host'), () => {
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

  it('are in the order of Semantic Versioning', verifies('registry.versions'), () => {
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

  it('that are not semantic are older, and in the order of their publication', verifies('registry.versions'), () => {
    const list = [at('1.0.0', 1), at('2026.03', 9), at('snapshot', 5)];
    expect(list.toSorted(compareVersions).map(({ version }) => version)).toEqual(['snapshot', '2026.03', '1.0.0']);
  });

  it('have a latest one, which is not deleted while another is there', verifies('registry.versions'), () => {
    expect(latestOf([at('1.0.0'), at('3.0.0', 1, 'deleted'), at('2.0.0', 1, 'deprecated')])?.version).toBe('2.0.0');
    expect(latestOf([at('1.0.0', 1, 'deleted'), at('3.0.0', 1, 'deleted')])?.version).toBe('3.0.0');
    expect(latestOf([])).toBeUndefined();
  });
});
