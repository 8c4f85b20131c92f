import { describe, expect, it } from 'vitest';
import { noAllowances } from '../../../src/platform/egress/allowances.ts';
import { createEgress } from '../../../src/platform/egress/egress.ts';

const development = createEgress({ isProduction: false, allow: noAllowances });
const production = createEgress({ isProduction: true, allow: noAllowances });
const mistakeOf = (url: string) => development.validateUrl(url).mistake;

describe('a URL (D10)', () => {
  it('is taken as the parser understands it', () => {
    for (const [text, href] of [
      ['https://example.com', 'https://example.com/'],
      ['HTTPS://EXAMPLE.com:443/a?b=%0A&c=d', 'https://example.com/a?b=%0A&c=d'],
      ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
      ['https://example.com:8443/a/../b', 'https://example.com:8443/b'],
      ['https://example.com/a@b:c', 'https://example.com/a@b:c'],
    ] as const)
      expect(development.validateUrl(text).url?.href).toBe(href);
  });

  it('must use https, and outside of production may use http', () => {
    expect(mistakeOf('http://example.com/')).toBeUndefined();
    expect(production.validateUrl('http://example.com/').mistake).toBe('must use https');
    expect(production.validateUrl('https://example.com/').mistake).toBeUndefined();
    const schemes = ['file:///etc/passwd', 'gopher://example.com/_', 'ftp://example.com/', 'ws://example.com/'];
    schemes.push('data:text/plain,x', 'javascript:alert(1)', 'unix:/run/docker.sock', 'dict://example.com:11211/');
    for (const url of schemes)
      for (const egress of [development, production]) expect(egress.validateUrl(url).mistake, url).toBeDefined();
  });

  it.each([
    '',
    'example.com',
    '//example.com',
    'https:example.com',
    'https:/example.com',
    'https:///example.com',
    'https://',
  ])('%j is none', (url) => expect(mistakeOf(url)).toBe('must be a valid URL'));

  it('must not contain user information, also an empty one', () => {
    for (const info of ['user@', 'user:password@', '@', ':@', 'example.org@', '%40@', 'a@b@'])
      expect(mistakeOf(`https://${info}example.com/`), info).toBe('must not contain user information');
  });

  it('must not contain what a parser drops, turns or splits at', () => {
    for (const character of [
      '\r\n',
      '\n',
      '\t',
      ' ',
      '\0',
      '\u0085',
      '\u00a0',
      '\u2028',
      '\u200b',
      '\ufeff',
      '\ud800',
      '\\',
    ])
      for (const url of [
        `https://example.com/a${character}b`,
        `https://exam${character}ple.com/`,
        `${character}https://example.com/`,
      ])
        expect(mistakeOf(url), JSON.stringify(url)).toMatch(/^must not contain white space/);
    for (const code of ['%0d%0aX:%20y', '%0A', '%00', '%1f', '%7F'])
      expect(mistakeOf(`https://example.com/${code}`), code).toBe('must not contain encoded control characters');
  });

  it('has at most 2 048 characters, also encoded, and no fragment', () => {
    const start = 'https://example.com/';
    expect(mistakeOf(start.padEnd(2_048, 'x'))).toBeUndefined();
    expect(mistakeOf(start.padEnd(2_049, 'x'))).toMatch(/2048/);
    expect(mistakeOf(start.padEnd(3_000_000, 'x'))).toMatch(/2048/);
    expect(mistakeOf(start.padEnd(1_000, 'ü'))).toMatch(/2048 characters in its encoded form/);
    for (const end of ['#', '#a', '?b#c']) expect(mistakeOf(start + end)).toBe('must not have a fragment');
  });

  it('may name port 80, 443, and those from 1024 that are not well-known ports of another service', () => {
    for (const port of [80, 443, 1024, 3000, 4000, 5000, 8000, 8080, 8443, 9000, 49_152, 65_535])
      expect(mistakeOf(`https://example.com:${port}/`), `${port}`).toBeUndefined();
    const closed = [
      0, 1, 7, 21, 22, 23, 25, 53, 110, 111, 139, 389, 445, 465, 587, 873, 993, 1023, 1433, 1521, 2049, 2181,
    ];
    closed.push(
      2375,
      2376,
      2379,
      3306,
      3389,
      4045,
      5060,
      5432,
      5672,
      5900,
      5984,
      6000,
      6379,
      6443,
      6667,
      7199,
      8500,
      9042,
    );
    closed.push(9092, 9200, 9300, 10_080, 10_250, 11_211, 26_379, 27_017);
    for (const port of closed)
      expect(mistakeOf(`https://example.com:${port}/`), `${port}`).toMatch(/^must use port 80/);
    for (const port of ['65536', '99999', '-1', '8o8o'])
      expect(mistakeOf(`https://example.com:${port}/`)).toBe('must be a valid URL');
  });

  it('has the same result a second time, also after thousands of others', () => {
    for (let i = 0; i < 3_000; i += 1) expect(mistakeOf(`https://example.com/${i}`)).toBeUndefined();
    for (let i = 0; i < 2; i += 1) {
      expect(mistakeOf('https://example.com/0')).toBeUndefined();
      expect(mistakeOf('https://localhost/')).toBe('must point to a public host');
    }
  });
});
