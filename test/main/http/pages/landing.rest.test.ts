import { describe, expect, it } from 'vitest';
import { verifies } from '../../../requirements.ts';
import { callerOf, startTestServer } from '../../../support/server.ts';

const server = await startTestServer();
const get = callerOf(server, null);
const uuid = '0191d7a2-3c4b-7def-8123-456789abcdef';

const shared = ['state_expired', 'state_invalid', 'integrity_violation', 'code_exchange_failed', 'user_mismatch'];
const errors = [...shared, 'access_denied', 'server_error', 'unavailable'];
const pages = [
  { path: '/mcp-servers', done: `oauth_success=true&server_uuid=${uuid}`, error: 'oauth_error', codes: errors },
  { path: '/registry', done: 'linked=true', error: 'link_error', codes: [...errors, 'already_linked'] },
] as const;

/** What a person reads: the outcome and the next step. */
const sentencesOf = (text: string) => [...text.matchAll(/<p[^>]*>([^<]+)<\/p>/g)].map(([, sentence]) => sentence);

describe.each(pages)('$path', ({ path, done, error, codes }) => {
  it('is a small page without scripts that nothing stores or passes on', verifies('oauth.landing'), async () => {
    const { status, headers, text } = await get('GET', `${path}?${done}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
    expect(text).not.toMatch(/<script|style=|(href|src|action)="(?!\/)/);
    expect(text.length).toBeLessThan(4_000);
    const { text: idle } = await get('GET', path);
    expect(sentencesOf(idle)).not.toEqual(sentencesOf(text));
    expect([text, idle].map((page) => page.includes('role="alert"'))).toEqual([false, false]);
  });

  it(
    'says each outcome in words of its own, and any other code in one sentence',
    verifies('oauth.landing'),
    async () => {
      const pageOf = async (code: string) => (await get('GET', `${path}?${error}=${code}&server_uuid=${uuid}`)).text;
      const shown = await Promise.all(codes.map(pageOf));
      expect(new Set(shown).size).toBe(codes.length);
      for (const text of shown) {
        expect(text).toContain('role="alert"');
        expect(sentencesOf(text)).toHaveLength(2);
        expect(text).not.toMatch(new RegExp(`${uuid}|${codes.join('|')}`));
      }
      const others = [
        '',
        'constructor',
        '__proto__',
        'made_up',
        '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
        '%ff',
        'x'.repeat(4_000),
      ];
      const general = new Set(await Promise.all(others.map(pageOf)));
      expect(general.size).toBe(1);
      const [text = ''] = general;
      expect(text).not.toMatch(/script|made_up|xxx/);
      expect(shown).not.toContain(text);
      // An error is never shown as a success.
      expect((await get('GET', `${path}?${done}&${error}=access_denied`)).text).toContain('role="alert"');
    },
  );

  it('is counted by address, and takes GET and HEAD alone', verifies('oauth.landing', 'platform.pages'), async () => {
    const limited = await startTestServer({ RATE_LIMITS: '{"*":"off","pages":"2/1m"}' });
    const call = callerOf(limited, null);
    expect((await call('GET', path)).headers.get('x-ratelimit-remaining')).toBe('1');
    const head = await call('HEAD', path);
    expect([head.status, head.text, head.headers.get('cache-control')]).toEqual([200, '', 'no-store']);
    const over = await call('GET', `${path}?${done}`);
    expect([over.status, over.headers.get('cache-control')]).toEqual([429, 'no-store']);
    const wrong = await get('POST', path);
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const { text } = await get('GET', '/metrics');
    expect(text).toContain(`route="${path}",status="2xx"`);
  });
});
