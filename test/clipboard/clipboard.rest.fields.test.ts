import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { apiErrorOf, writes } from '../support/clipboard-responses.ts';
import { startTestServer, tenantOf } from '../support/server.ts';

const server = await startTestServer();
const path = '/api/clipboard';

describe('A18: value', () => {
  it(
    'A18: the empty string is a value of 0 bytes',
    verifies('clipboard.value.any', 'clipboard.entry.size'),
    async () => {
      const { call } = await tenantOf(server);
      for (const [at, selector] of writes) {
        const { status, body } = await call('POST', at, { ...selector, value: '' });
        expect(status).toBe(200);
        expect(body.entry).toMatchObject({ value: '', sizeBytes: 0 });
      }
      expect((await call('DELETE', `${path}/pop`)).body.entry.value).toBe('');
    },
  );

  it.each<[unknown]>([[1], [null], [undefined], [true], [{}], [['v']], [{ toString: 'v' }]])(
    'A18: %j is 400 naming value',
    async (value) => {
      const { call } = await tenantOf(server);
      for (const [at, selector] of writes) {
        const { status, body } = await call('POST', at, { ...selector, value });
        expect(status).toBe(400);
        expect(body).toEqual(apiErrorOf('value'));
      }
    },
  );
});

describe('A19: name', () => {
  it.each([['a'], ['0'], ['_'], ['-'], ['__proto__'], ['constructor'], ['toString'], ['null'], ['x'.repeat(255)]])(
    'A19: %s is legal: set, read, listed and deleted like any other',
    verifies('clipboard.name.form'),
    async (name) => {
      const { call } = await tenantOf(server);
      const set = await call('POST', path, `{"name":"${name}","value":"v"}`);
      expect(set.status).toBe(200);
      expect(set.body.entry.name).toBe(name);
      expect((await call('GET', `${path}?name=${name}`)).body.entry.uuid).toBe(set.body.entry.uuid);
      expect((await call('GET', path)).body.entries).toHaveLength(1);
      expect((await call('DELETE', path, { name })).body.deleted).toBe(true);
    },
  );

  it.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['of 256 characters', 'x'.repeat(256)],
    ['with a trailing line end', 'abc\n'],
    ['with a leading line end', '\nabc'],
    ['of two dots', '..'],
    ['with a slash', 'a/b'],
    ['with a space', 'a b'],
    ['with an accent', 'é'],
    ['with a full-width letter', 'ａ'],
    ['with an Arabic digit', '٣'],
    ['with NUL', 'a\u0000'],
    ['that is a number', 5],
    ['that is an array', ['a']],
    ['that is an object', {}],
  ])('A19: a name %s is 400 naming name', async (_title, name) => {
    const { call } = await tenantOf(server);
    const { status, body } = await call('POST', path, { value: 'v', name });
    expect(status).toBe(400);
    expect(body).toEqual(apiErrorOf('name'));
  });

  it('A19: the key __proto__ in a body pollutes nothing', async () => {
    const { call } = await tenantOf(server);
    const { status } = await call(
      'POST',
      path,
      '{"__proto__":{"name":"p","polluted":true},"constructor":{"prototype":{"polluted":1}},"value":"v"}',
    );
    expect(status).toBe(400);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('contentType, createdByTool, createdByModel', () => {
  it.each(['contentType', 'createdByTool', 'createdByModel'])(
    '%s has at most 255 characters',
    verifies('clipboard.labels.form'),
    async (field) => {
      const { call } = await tenantOf(server);
      for (const [at, selector] of writes) {
        const text = 'é'.repeat(255);
        const { status, body } = await call('POST', at, { ...selector, value: 'v', [field]: text });
        expect(status).toBe(200);
        expect(body.entry[field]).toBe(text);
        const over = await call('POST', at, { ...selector, value: 'v', [field]: 'x'.repeat(256) });
        expect(over.status).toBe(400);
        expect(over.body).toEqual(apiErrorOf(field));
      }
    },
  );

  it.each(['\r\nX-Injected: 1', 'a\tb', '\u0001', '\u007f', '\u0085'])(
    'A22: the control character in %j is 400 naming the field',
    verifies('clipboard.labels.form'),
    async (text) => {
      const { call } = await tenantOf(server);
      for (const [at, selector] of writes) {
        for (const field of ['contentType', 'createdByTool', 'createdByModel']) {
          const { status, body } = await call('POST', at, { ...selector, value: 'v', [field]: `text/html${text}` });
          expect(status).toBe(400);
          expect(body).toEqual(apiErrorOf(field));
        }
      }
    },
  );

  it.each(['contentType', 'createdByTool', 'createdByModel'])(
    '%s of another type is 400 naming the field',
    async (field) => {
      const { call } = await tenantOf(server);
      for (const wrong of [1, true, {}, ['x']]) {
        const { status, body } = await call('POST', path, { name: 'n', value: 'v', [field]: wrong });
        expect(status).toBe(400);
        expect(body).toEqual(apiErrorOf(field));
      }
    },
  );

  it('null counts as left out, and an empty createdByTool or createdByModel is within 255 characters', async () => {
    const { call } = await tenantOf(server);
    for (const [at, selector] of writes) {
      const nulls = { contentType: null, encoding: null, visibility: null, createdByTool: null, createdByModel: null };
      expect((await call('POST', at, { ...selector, value: 'v', ...nulls })).body.entry).toMatchObject({
        contentType: 'text/plain',
        encoding: 'utf-8',
        visibility: 'private',
        createdByTool: null,
        createdByModel: null,
      });
      expect((await call('POST', at, { ...selector, value: 'v', createdByTool: '', createdByModel: '' })).status).toBe(
        200,
      );
    }
  });

  it('A22: whatever contentType says, the value is served as JSON that no browser sniffs', async () => {
    const { call } = await tenantOf(server);
    await call('POST', path, { name: 'n', value: '<script>alert(1)</script>', contentType: 'text/html' });
    const { body } = await call('GET', `${path}?name=n`);
    for (const url of [`${path}?name=n`, path, `${path}/entries/${body.entry.uuid}`, `${path}?name=none`]) {
      const { headers } = await call('GET', url);
      expect(headers.get('content-type')).toMatch(/^application\/json(;|$)/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

it('errors: several wrong fields are all named at once', async () => {
  const { call } = await tenantOf(server);
  const { status, body } = await call('POST', path, {
    name: 'a b',
    value: 'v',
    ttlSeconds: 0,
    createdByTool: '\u0000',
  });
  expect(status).toBe(400);
  expect(body).toEqual({
    success: false,
    error: 'Validation error',
    details: { name: expect.any(String), ttlSeconds: expect.any(String), createdByTool: expect.any(String) },
  });
});
