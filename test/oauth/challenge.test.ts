import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChallenge } from '../../src/oauth/exchanges/challenge.ts';

const place = 'https://mcp.example/.well-known/oauth-protected-resource';
const nothing = { scheme: 'bearer', resourceMetadata: null, scopes: null, error: null };

describe('a challenge', () => {
  it.each([
    ['Bearer', nothing],
    ['bearer', nothing],
    ['DPoP', { ...nothing, scheme: 'dpop' }],
    [`Bearer resource_metadata="${place}"`, { ...nothing, resourceMetadata: place }],
    [`Bearer realm="a, b=\\"c\\"" , RESOURCE_METADATA = "${place}"`, { ...nothing, resourceMetadata: place }],
    [
      `Bearer error="insufficient_scope", scope="files:read files:write files:read"`,
      { ...nothing, error: 'insufficient_scope', scopes: ['files:read', 'files:write'] },
    ],
    ['Bearer scope=files:read,error=x', { ...nothing, scopes: ['files:read'], error: 'x' }],
    ['Bearer scope=""', nothing],
    ['Bearer scope="a\\"b"', nothing],
    [`Basic realm="x", Bearer resource_metadata="${place}"`, { ...nothing, resourceMetadata: place }],
    [`Negotiate abc==, Bearer scope="a"`, { ...nothing, scopes: ['a'] }],
    [`Basic YTpi, Bearer scope="a"`, { ...nothing, scopes: ['a'] }],
    [
      `Bearer scope="a", Bearer scope="b", resource_metadata="${place}"`,
      { ...nothing, scopes: ['b'], resourceMetadata: place },
    ],
    ['Bearer scope="a", scope="b"', { ...nothing, scopes: ['a'] }],
    // What comes before a syntax error counts, what comes behind it does not.
    [`Bearer scope="a", resource_metadata="${place}`, { ...nothing, scopes: ['a'] }],
    [`Bearer scope="a" @ resource_metadata="${place}"`, { ...nothing, scopes: ['a'] }],
  ])('is read from %s', (header, challenge) => {
    expect(readChallenge(header)).toEqual(challenge);
  });

  it.each([null, '', '   ,, ', 'Basic realm="x"', '"Bearer"', '=', 'Bearer2 scope=a'])(
    'is missing from %s',
    (header) => {
      expect(readChallenge(header)).toBeNull();
    },
  );

  it('is read back as it was written, whatever stands before it', () => {
    const token = fc.stringMatching(/^[a-z0-9!#$%&'*+.^_`|~-]{1,12}$/);
    const visible = fc.stringMatching(/^[\t\x20-\x7e]{0,40}$/);
    const scope = fc.stringMatching(/^[\x21\x23-\x5b\x5d-\x7e]{1,12}$/);
    const quoted = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`;
    const written = fc.record({
      other: fc.tuple(token, token, visible).filter(([scheme]) => scheme !== 'bearer' && scheme !== 'dpop'),
      resourceMetadata: visible,
      scopes: fc.uniqueArray(scope, { minLength: 1, maxLength: 5 }),
      error: token,
    });
    void fc.assert(
      fc.property(written, ({ other: [scheme, name, value], resourceMetadata, scopes, error }) => {
        const header = `${scheme} ${name}=${quoted(value)}, Bearer resource_metadata=${quoted(resourceMetadata)}, scope=${quoted(scopes.join(' '))} ,error=${error}`;
        expect(readChallenge(header)).toEqual({ scheme: 'bearer', resourceMetadata, scopes, error });
      }),
    );
  });

  it('is nothing or a challenge for any text', () => {
    void fc.assert(
      fc.property(fc.array(fc.constantFrom(...'"\\,= \t@/aB9é\n'), { maxLength: 60 }), (characters) => {
        const challenge = readChallenge(`Bearer ${characters.join('')}`);
        expect(challenge === null || ['bearer', 'dpop'].includes(challenge.scheme)).toBe(true);
      }),
    );
  });

  it('is read up to its bound', () => {
    const padding = 'x'.repeat(8_000);
    expect(readChallenge(`Bearer a="${padding}", scope="a"`)?.scopes).toEqual(['a']);
    expect(readChallenge(`Bearer a="${padding}${padding}", scope="a"`)?.scopes).toBeNull();
  });

  it.each([
    ['an endless quoted string', `Bearer a="${'\\"'.repeat(500_000)}`],
    ['an endless name', `Bearer ${'a'.repeat(1_000_000)}`],
    ['endless commas', `Bearer ${', '.repeat(500_000)}`],
    ['endless parameters', `Bearer ${'a=b,'.repeat(250_000)}`],
    ['endless schemes', 'Bearer, '.repeat(125_000)],
  ])('is read in linear time from %s', (_, header) => {
    const before = process.cpuUsage();
    expect(readChallenge(header)).toEqual(nothing);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
