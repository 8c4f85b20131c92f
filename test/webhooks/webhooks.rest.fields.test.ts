import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { encryptionKeys } from '../support/services.ts';
import { newWebhook, webhooksPath as path, registered, startWebhookServer } from '../support/webhook-stage.ts';

const server = await startWebhookServer();
const { call } = await tenantOf(server);
const { id } = await registered(call);

/** Registers it, and changes a webhook to it: both validate alike. */
async function expectInvalid(field: string, over: Record<string, unknown>): Promise<void> {
  const label = JSON.stringify(over).slice(0, 120);
  for (const answer of [
    await call('POST', path, newWebhook(over)),
    await call('PATCH', `${path}/${id}`, JSON.parse(JSON.stringify(over))),
  ]) {
    expect([label, answer.status]).toEqual([label, 400]);
    expect(Object.keys(answer.body.error).sort(), label).toEqual(['code', 'details', 'message']);
    expect(answer.body.error.code, label).toBe('VALIDATION_ERROR');
    expect(Object.keys(answer.body.error.details), label).toEqual([field]);
    expect(answer.body.error.details[field], label).toMatch(new RegExp(`^${field} `));
  }
}

const unchanged = async () => (await call('GET', `${path}/${id}`)).body;

describe('events (D17)', () => {
  it.each([
    ['an unknown name', ['server.exploded']],
    ['an unknown name beside known ones', ['document.deleted', 'server.exploded', 'user.followed']],
    ['none', []],
    ['a known name in capitals', ['Document.Deleted']],
    ['a name with a blank', ['document.deleted ']],
    ['a wildcard', ['*']],
    ['a part of a name', ['document']],
    ['the test event, which nothing emits', ['test.ping']],
    ['an empty name', ['']],
    ['an unknown event of agents', ['agent.exploded']],
    ['a name of every object', ['constructor']],
    ['a name of every prototype', ['__proto__']],
    ['a NUL character', ['\u0000']],
    ['a text instead of a list', 'document.deleted'],
    ['an object instead of a list', { 0: 'document.deleted' }],
    ['a number instead of a list', 1],
    ['names by the hundred', Array.from({ length: 101 }, () => 'document.deleted')],
  ])('%s is 400 naming events', verifies('webhooks.fields'), async (_what, events) => {
    const before = await unchanged();
    await expectInvalid('events', { events });
    expect(await unchanged()).toEqual(before);
  });

  it('a list of other things than names is 400 naming the place', async () => {
    for (const events of [[1], [null], [['document.deleted']], [{}], ['document.deleted', true]]) {
      const { status, body } = await call('POST', path, newWebhook({ events }));
      expect(status).toBe(400);
      expect(Object.keys(body.error.details)[0]).toMatch(/^events/);
    }
  });

  it('left out, or null, is 400 naming events at creation', async () => {
    for (const events of [undefined, null]) {
      const { status, body } = await call('POST', path, newWebhook({ events }));
      expect([status, Object.keys(body.error.details)]).toEqual([400, ['events']]);
    }
  });
});

describe('the secret (D13)', () => {
  it.each([
    ['empty', ''],
    ['of 1 character', 's'],
    ['of 15 characters', 'x'.repeat(15)],
    ['of 257 characters', 'x'.repeat(257)],
    ['of 10 KB', 'x'.repeat(10_240)],
    ['with a blank inside', 'a secret of the owner'],
    ['with blanks around it', ' a-secret-of-the-owner '],
    ['of blanks', ' '.repeat(32)],
    ['with a line end', 'a-secret-of-the-owner\n'],
    ['with a NUL character', 'a-secret-of-\u0000the-owner'],
    ['with letters that are not ASCII', 'ein-schönes-geheimnis'],
    ['with an emoji', 'a-secret-of-the-😀-owner'],
    ['that is a number', 1234567890123456],
    ['that is a list', ['a-secret-of-the-owner']],
    ['that is an object', { secret: 'a-secret-of-the-owner' }],
    ['that is true', true],
  ])(
    '%s is 400 naming secret, and is not said back',
    verifies('webhooks.fields', 'webhooks.secret.form'),
    async (_what, secret) => {
      await expectInvalid('secret', { secret });
      const { text } = await call('POST', path, newWebhook({ secret }));
      if (typeof secret === 'string' && secret.trim().length > 4)
        expect(text).not.toContain(secret.trim().slice(0, 12));
    },
  );

  it.each([16, 256])('of %i characters is good', async (length) => {
    expect((await call('POST', path, newWebhook({ secret: 's'.repeat(length) }))).status).toBe(200);
  });
});

describe('active', () => {
  it.each(['true', 1, 0, [], {}, 'false'])('%j is 400 naming active', async (active) => {
    await expectInvalid('active', { active });
  });
});

describe('the url (D10)', () => {
  it.each([
    ['user and password', 'https://user:password@hooks.example.com/'],
    ['a user', 'https://user@hooks.example.com/'],
    ['an empty user', 'https://@hooks.example.com/'],
    ['file:', 'file:///etc/passwd'],
    ['file: with a host', 'file://hooks.example.com/etc/passwd'],
    ['gopher:', 'gopher://hooks.example.com:70/_x'],
    ['ftp:', 'ftp://hooks.example.com/'],
    ['data:', 'data:text/plain,x'],
    ['javascript:', 'javascript:alert(1)'],
    ['ws:', 'ws://hooks.example.com/'],
    ['port 22', 'https://hooks.example.com:22/'],
    ['port 25', 'http://hooks.example.com:25/'],
    ['port 0', 'https://hooks.example.com:0/'],
    ['port 1023', 'https://hooks.example.com:1023/'],
    ['port 5432', 'https://hooks.example.com:5432/'],
    ['port 6379', 'https://hooks.example.com:6379/'],
    ['port 65536', 'https://hooks.example.com:65536/'],
    ['3 KB', `https://hooks.example.com/${'a'.repeat(3_072)}`],
    ['3 KB of a query', `https://hooks.example.com/?q=${'a'.repeat(3_072)}`],
    ['1 KB that is 3 KB when encoded', `https://hooks.example.com/${'é'.repeat(1_024)}`],
    ['line ends in the path', 'https://hooks.example.com/a\r\nX-Injected: yes'],
    ['encoded line ends in the path', 'https://hooks.example.com/a%0d%0aX-Injected:%20yes'],
    ['a tab in the host', 'https://hooks.exa\tmple.com/'],
    ['a blank in front', ' https://hooks.example.com/'],
    ['a backslash', 'https:\\\\hooks.example.com/'],
    ['a NUL character', 'https://hooks.example.com/\u0000'],
    ['a lone surrogate', 'https://hooks.example.com/\ud800'],
    ['no host', 'https:///path'],
    ['no scheme', 'hooks.example.com/in'],
    ['a path alone', '/in'],
    ['a scheme alone', 'https:'],
    ['nothing', ''],
    ['a blank', ' '],
    ['a number', 42],
    ['a list', ['https://hooks.example.com/']],
    ['an object', { href: 'https://hooks.example.com/' }],
  ])('with %s is 400 naming url', verifies('webhooks.url', 'webhooks.fields'), async (_what, url) => {
    const before = await unchanged();
    await expectInvalid('url', { url });
    expect(await unchanged()).toEqual(before);
  });

  it('left out, or null, is 400 naming url at creation', async () => {
    for (const url of [undefined, null]) {
      const { status, body } = await call('POST', path, newWebhook({ url }));
      expect([status, Object.keys(body.error.details)]).toEqual([400, ['url']]);
    }
  });

  it.each([
    'https://hooks.example.com',
    'https://hooks.example.com:443/',
    'https://hooks.example.com:8443/in?token=a%20b&c=d',
    'http://hooks.example.com/in',
    'http://hooks.example.com:8080/in',
    'HTTPS://Hooks.Example.COM/In',
    'https://münchen.example.com/ä',
    'https://does-not-resolve.example.invalid/',
    'https://93.184.216.34/in',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/in',
    `https://hooks.example.com/${'a'.repeat(2_000)}`,
  ])('%s is good outside production, and is kept as it was given', verifies('webhooks.url'), async (url) => {
    const { status, body, text } = await call('PATCH', `${path}/${id}`, { url });
    expect([status, body.url], text).toEqual([200, url]);
  });

  it('must be https in production: http is 400 naming url there', verifies('webhooks.url'), async () => {
    const production = await startTestServer({
      NODE_ENV: 'production',
      APP_URL: 'https://patchbay.example.com',
      CRON_SECRET: randomBytes(32).toString('base64'),
      ENCRYPTION_KEYS: encryptionKeys,
    });
    const tenant = await tenantOf(production);
    for (const url of ['http://hooks.example.com/', 'HTTP://hooks.example.com/', 'http://127.0.0.1:8080/']) {
      const { status, body } = await tenant.call('POST', path, newWebhook({ url }));
      expect([status, Object.keys(body.error.details)]).toEqual([400, ['url']]);
    }
    expect((await tenant.call('POST', path, newWebhook())).status).toBe(200);
  });
});

describe('several fields', () => {
  it('that are wrong are all named, and nothing is made', verifies('webhooks.fields'), async () => {
    const tenant = await tenantOf(server);
    const { status, body } = await tenant.call('POST', path, { url: 7, events: 'x', active: 'yes', secret: 's' });
    expect(status).toBe(400);
    expect(Object.keys(body.error.details).sort()).toEqual(['active', 'events', 'secret', 'url']);
    const empty = await tenant.call('POST', path, {});
    expect(Object.keys(empty.body.error.details).sort()).toEqual(['events', 'url']);
    expect((await tenant.call('GET', path)).body.total).toBe(0);
  });
});
