import { describe, expect, it } from 'vitest';
import { noAllowances } from '../../../src/platform/egress/allowances.ts';
import { createConnect } from '../../../src/platform/egress/connect.ts';
import { requestHeaders } from '../../../src/platform/egress/request-headers.ts';
import type { Destination } from '../../../src/platform/egress/urls.ts';

/** Steps that other steps of the egress stand before: each must hold by itself. */
describe('the connection', () => {
  const connect = createConnect({
    allow: noAllowances,
    resolve: async () => ['192.0.2.1'],
    resolveAllowed: async () => ['127.0.0.1'],
    log: undefined,
  });
  const to = (host: string): Destination => ({
    href: `http://${host}/`,
    origin: `http://${host}`,
    isTls: false,
    host,
    port: 80,
    path: '/',
    isAllowed: false,
  });

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1', '::ffff:127.0.0.1', 'a.example'])(
    'D08: is not made to %s, although nothing before it has validated the address',
    async (host) => {
      await expect(connect(to(host), new AbortController().signal)).rejects.toMatchObject({ reason: 'forbidden' });
    },
  );
});

describe('the headers of a request', () => {
  it.each([
    ['a line end', 'a\r\nX-Other: b'],
    ['a line feed', 'a\nb'],
    ['NUL', 'a\u0000b'],
    ['a character beyond Latin-1', '€'],
  ])('D10: are refused with %s in a value', (_what, value) => {
    expect(() => requestHeaders({ 'X-Given': value })).toThrow(expect.objectContaining({ reason: 'header' }));
  });

  it.each(['host', 'Content-Length', 'TRANSFER-ENCODING', 'connection', 'accept-encoding', 'bad name', ''])(
    'D10: are refused with the name "%s"',
    (name) => {
      expect(() => requestHeaders({ [name]: 'x' })).toThrow(expect.objectContaining({ reason: 'header' }));
    },
  );
});
