import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../../requirements.ts';
import { eventually } from '../../support/deadline.ts';
import { expectApiError, type HttpStage, itAnswersWithoutSecrets, startHttpStage } from '../../support/http-stage.ts';
import { sessionOf } from '../../support/people.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { type Call, callerOf, startTestServer, type TestServer } from '../../support/server.ts';

let http: HttpStage;
let server: TestServer;
let secret: string;
let token: string;
let call: Call;
let withCookie: Call;

beforeAll(async () => {
  http = await startHttpStage();
  ({ server, secret, token, call, withCookie } = http);
});

describe('an API key (B07)', () => {
  const bearer = (headers: Record<string, string | string[]>, path = '/api/clipboard') =>
    rawRequest(server.base, { method: 'GET', path, headers });

  it(`is read whatever the case of \`Bearer\``, verifies('identity.key.header'), async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
      expect((await bearer({ Authorization: `${scheme} ${secret}` })).status, scheme).toBe(200);
  });

  it('in two Authorization headers is 401, whichever is good', verifies('identity.key.header'), async () => {
    for (const second of [`Bearer ${secret}`, 'Bearer x', 'Basic eDp5'])
      for (const headers of [
        [`Bearer ${secret}`, second],
        [second, `Bearer ${secret}`],
      ])
        expect((await bearer({ Authorization: headers })).status).toBe(401);
    expect((await bearer({ Authorization: `Bearer ${secret}, Bearer ${secret}` })).status).toBe(401);
  });

  it('in the query, a cookie, a body or another header is nothing', verifies('identity.key.header'), async () => {
    for (const query of ['api_key', 'apiKey', 'key', 'token', 'access_token', 'authorization'])
      expect((await bearer({}, `/api/clipboard?${query}=${secret}`)).status, query).toBe(401);
    const elsewhere: Record<string, string>[] = [
      { 'X-Api-Key': secret },
      { Cookie: `session_token=${secret}` },
      { 'Proxy-Authorization': `Bearer ${secret}` },
    ];
    for (const headers of elsewhere) expect((await bearer(headers)).status).toBe(401);
    expect((await callerOf(server, null)('POST', '/api/clipboard/get', { idx: 0, access_token: secret })).status).toBe(
      401,
    );
  });

  it('with another scheme, no scheme or nothing after it is 401', verifies('identity.key.header'), async () => {
    const basic = Buffer.from(`${secret}:`).toString('base64');
    for (const header of [
      secret,
      `Token ${secret}`,
      `Basic ${basic}`,
      'Bearer',
      'Bearer ',
      `Bearer ${secret} x`,
      `Bearer\t${secret}`,
      `Bearer ${secret}x`,
      '',
    ])
      expect((await bearer({ Authorization: header })).status, JSON.stringify(header)).toBe(401);
  });

  it('of the wrong form or checksum is 401 without asking the database', verifies('identity.key.form'), async () => {
    const flipped = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
    const wrong = [
      flipped,
      secret.replace('pbk_', 'pbx_'),
      secret.toLowerCase(),
      `pbk_${'0'.repeat(49)}`,
      'x',
      'x'.repeat(10_240),
      `${secret}%00`,
      'ключ',
      '\u00e9',
    ];
    await call('GET', '/api/clipboard');
    server.statements.length = 0;
    for (const key of wrong) {
      const bytes = Buffer.from(`Bearer ${key}`).toString('latin1');
      const answer = await bearer({ Authorization: bytes });
      expect(answer.status, key.slice(0, 60)).toBe(401);
      expect(JSON.parse(answer.text)).toEqual({ success: false, error: 'Unauthorized' });
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
    expect(server.statements).toEqual([]);
  });

  it('that is good costs one statement more than none', async () => {
    await call('POST', '/api/clipboard/get', { name: 'nothing' });
    server.statements.length = 0;
    await call('POST', '/api/clipboard/get', { name: 'nothing' });
    expect(server.statements.filter((text) => text.includes('api_keys'))).toHaveLength(1);
    expect(server.statements).toHaveLength(2);
  });

  it('that is not good wins over a good cookie: no caller is taken for another', async () => {
    expect((await bearer({ Authorization: 'Bearer x', Cookie: `session_token=${token}` })).status).toBe(401);
  });
});

describe('the session cookie on a request that another site made (B11)', () => {
  const port = () => new URL(server.base).port;
  const foreign = (): [what: string, headers: Record<string, string>][] => [
    ['another site', { Origin: 'https://evil.example' }],
    ['null', { Origin: 'null' }],
    ['a suffix', { Origin: `http://127.0.0.1:${port()}.evil.example` }],
    ['a prefix', { Origin: `http://evil127.0.0.1:${port()}` }],
    ['user information', { Origin: `http://127.0.0.1:${port()}@evil.example` }],
    ['another port', { Origin: 'http://127.0.0.1:1' }],
    ['another scheme', { Origin: `https://127.0.0.1:${port()}` }],
    [
      'another scheme, sent without a trusted proxy',
      { Origin: `https://127.0.0.1:${port()}`, 'X-Forwarded-Proto': 'https' },
    ],
    ['a scheme that browsers do not have', { Origin: `ws://127.0.0.1:${port()}` }],
    ['no scheme', { Origin: `127.0.0.1:${port()}` }],
    ['nothing at all', { Origin: '' }],
    ['cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['same-site', { 'Sec-Fetch-Site': 'same-site' }],
    ['cross-site with a forged origin', { 'Sec-Fetch-Site': 'cross-site', Origin: server.base }],
  ];

  it('is refused over REST, and changes nothing', verifies('identity.session.csrf', 'everywhere.cors'), async () => {
    for (const [what, headers] of foreign()) {
      const answer = await withCookie('POST', '/api/clipboard/push', { value: 'forged' }, headers);
      expect(answer.status, what).toBe(403);
      expectApiError(answer, 403, '/api/clipboard/push');
    }
    expect((await withCookie('GET', '/api/clipboard')).body.total).toBe(0);
  });

  it('is refused over GraphQL, and changes nothing', verifies('identity.session.csrf'), async () => {
    for (const [what, headers] of foreign()) {
      const query = 'mutation { clipboardPush(input: { value: "forged" }) { entry { uuid } } }';
      const answer = await withCookie('POST', '/graphql', { query }, headers);
      expect(answer.status, what).toBe(403);
      expect(answer.body.errors[0].extensions.code, what).toBe('FORBIDDEN');
    }
    expect((await withCookie('GET', '/api/clipboard')).body.total).toBe(0);
  });

  it('is fine from this site and from programs', verifies('identity.session.csrf'), async () => {
    const native: Record<string, string>[] = [
      {},
      { Origin: server.base },
      { 'Sec-Fetch-Site': 'same-origin', Origin: server.base },
      { 'Sec-Fetch-Site': 'none' },
    ];
    for (const headers of native) {
      const answer = await withCookie('POST', '/api/clipboard/push', { value: 'own' }, headers);
      expect(answer.status).toBe(200);
      expect(answer.body.entry.source).toBe('ui');
    }
    expect((await withCookie('DELETE', '/api/clipboard/all')).body.deletedCount).toBe(4);
  });

  it(
    'is fine from a page of APP_URL, and behind a proxy from the origin that the proxy was reached at',
    verifies('identity.session.csrf'),
    async () => {
      const behind = await startTestServer({ APP_URL: 'https://patchbay.example', TRUST_PROXY: '1' });
      const { call: browser } = await sessionOf(behind);
      const { host } = new URL(behind.base);
      const statusFrom = async (origin: string, proto?: string) => {
        const headers = { Origin: origin, ...(proto && { 'X-Forwarded-Proto': proto }) };
        return (await browser('POST', '/api/clipboard/push', { value: 'own' }, headers)).status;
      };
      expect(await statusFrom('https://patchbay.example')).toBe(200);
      expect(await statusFrom('http://patchbay.example')).toBe(403);
      expect(await statusFrom('https://patchbay.example:8443')).toBe(403);
      expect(await statusFrom(`https://${host}`, 'https')).toBe(200);
      expect(await statusFrom(`https://${host}`, 'http, https')).toBe(200);
      expect(await statusFrom(`http://${host}`, 'https')).toBe(403);
      expect(await statusFrom(`http://${host}`)).toBe(200);
    },
  );

  it('counts once: a second cookie of the same name is not a second chance', async () => {
    const answer = await call('GET', '/api/clipboard', undefined, {
      Authorization: '',
      Cookie: `session_token=x; session_token=${token}`,
    });
    expect(answer.status).toBe(401);
  });
});

describe('secrets', () => {
  it(
    'stand in no answer and no log line, nor do values and queries (B06, I06)',
    verifies('platform.logs', 'identity.key.at-rest'),
    async () => {
      const canary = 'canary-5b1d2f';
      await call('POST', '/api/clipboard', { name: canary, value: `value-${canary}` });
      await call('GET', `/api/clipboard?name=${canary}`);
      await call('GET', `/api/clipboard?key=${secret}&contentType=${canary}`);
      await call('POST', '/graphql', {
        query: `query ${canary.replace('-', '_')} { clipboardEntry(by: { name: "${canary}" }) { value } }`,
      });
      await call(
        'GET',
        `/graphql?query=${encodeURIComponent(`{ clipboardEntry(by: { name: "${canary}" }) { value } }`)}`,
      );
      await call('POST', '/graphql', { query: '{ clipboardEntry(by: { name: "x" }) { value ', variables: { canary } });
      await call('POST', '/api/clipboard', `{"value": "${canary}`);
      await withCookie('GET', '/api/clipboard');
      const log = await eventually('the log', () => (server.logged.length > 50 ? server.logged.join('') : null));
      for (const word of [canary, secret, secret.slice(12), token, 'Bearer', 'session_token', 'correct horse'])
        expect(log.includes(word), word).toBe(false);
      expect(log).toContain('/api/clipboard');
    },
  );
});

itAnswersWithoutSecrets(() => http);
