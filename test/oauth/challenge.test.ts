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
    const startedAt = performance.now();
    expect(readChallenge(header)).toEqual(nothing);
    expect(performance.now() - startedAt).toBeLessThan(200);
  });
});
