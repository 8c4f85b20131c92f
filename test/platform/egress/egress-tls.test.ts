import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { allowancesOf, noAllowances } from '../../../src/platform/egress/allowances.ts';
import { createEgress } from '../../../src/platform/egress/egress.ts';
import { selfSignedCertificate } from '../../support/certificate.ts';
import { failureOf } from '../../support/failed-request.ts';
import { answering, createReceiver } from '../../support/receiver.ts';

const name = 'receiver.example.com';
const tls = selfSignedCertificate(name);
const allow = allowancesOf('127.0.0.0/8') ?? noAllowances;
const egress = createEgress({ isProduction: true, allow, resolve: async () => ['127.0.0.1'] });
const own = getCACertificates('default');
afterEach(() => {
  setDefaultCACertificates(own);
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
});
afterAll(() => egress.close());
const get = (host: string, port: number) =>
  egress.request({ url: `https://${host}:${port}/`, method: 'GET', totalTimeoutMs: 2_000 });

describe('TLS', () => {
  it('is spoken with a receiver whose certificate is good, over a connection that is kept', async () => {
    setDefaultCACertificates([...own, tls.cert]);
    await using receiver = await createReceiver(answering('sealed'), { tls });
    for (let i = 0; i < 3; i += 1) expect((await get(name, receiver.port)).body.toString()).toBe('sealed');
    expect(receiver.connections()).toBe(1);
  });

  it('fails without a trusted certificate, also when the environment disables the check', async () => {
    await using receiver = await createReceiver(answering(''), { tls });
    expect((await failureOf(get(name, receiver.port))).reason).toBe('tls');
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    expect((await failureOf(get(name, receiver.port))).reason).toBe('tls');
    expect(receiver.requests).toEqual([]);
  });

  it('fails where the certificate is for another name, or the host is an address', async () => {
    setDefaultCACertificates([...own, tls.cert]);
    await using receiver = await createReceiver(answering(''), { tls });
    for (const host of ['other.example.com', '127.0.0.1'])
      expect((await failureOf(get(host, receiver.port))).reason, host).toBe('tls');
    expect(receiver.requests).toEqual([]);
  });

  it('fails with a receiver that speaks plain HTTP, says nothing of TLS, or closes', async () => {
    await using receiver = await createReceiver(answering(''));
    const port = receiver.port;
    const silent = egress.request({ url: `https://${name}:${port}/`, method: 'GET', totalTimeoutMs: 150 });
    expect((await failureOf(silent)).reason).toBe('timeout');
    expect(receiver.requests).toEqual([]);
    const dropped = failureOf(get(name, port));
    setTimeout(() => receiver.drop(), 50);
    expect((await dropped).reason).toBe('tls');
  });
});
