import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowancesOf, noAllowances } from '../../../src/platform/egress/allowances.ts';
import { createEgress } from '../../../src/platform/egress/egress.ts';
import { failureOf } from '../../support/failed-request.ts';
import { answering, createReceiver, type Receiver } from '../../support/receiver.ts';

/**
 * A connection here has passed the guard: these servers listen at all addresses of this machine that a spelling may
 * mean.
 */
const canaries: Receiver[] = [];
let port = 0;
beforeAll(async () => {
  canaries.push(await createReceiver(answering('inside'), { host: '127.0.0.1' }));
  port = canaries[0]?.port ?? 0;
  canaries.push(await createReceiver(answering('inside'), { host: '::1', port }));
});
afterAll(async () => {
  for (const canary of canaries) await canary[Symbol.asyncDispose]();
});
const hits = () => canaries.reduce((sum, canary) => sum + canary.connections(), 0);

const name = 'receiver.example.com';
const guarded = (resolve: (name: string) => Promise<readonly string[]> = async () => [], allow = '') => {
  const allowances = allow === '' ? noAllowances : allowancesOf(allow);
  if (!allowances) throw new Error(`not a list: ${allow}`);
  return createEgress({ isProduction: false, allow: allowances, resolve });
};
const get = (url: string) => ({ url, method: 'GET', totalTimeoutMs: 2_000 }) as const;

const forbiddenAddresses = [
  ...['127.0.0.1', '127.0.0.2', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255'],
  ...['172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255', '169.254.169.254', '169.254.170.2'],
  ...['100.64.0.1', '100.127.255.255', '100.100.100.200', '192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1'],
  ...['198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1'],
  ...['255.255.255.255', '168.63.129.16'],
  ...['::1', '::', '::127.0.0.1', '::10.0.0.1', '::8.8.8.8', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.8.8'],
  ...['::ffff:a9fe:a9fe', '0:0:0:0:0:ffff:7f00:1', '::ffff:0:127.0.0.1', '::ffff:0:a00:1'],
  ...['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1', '64:ff9b:1:ffff::1'],
  ...['2002:7f00:1::', '2002:a00:1::1', '2002:c0a8:1::', '2002:808:808::', '2001::1', '2001:0:a00:1::f5ff:fffe'],
  ...['2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '3fff::1', '100::1', '5f00::1', '4000::1', '1::1'],
  ...['fc00::1', 'fd00:ec2::254', 'fdff::1', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'ff0e::1'],
  ...['2606:4700::5efe:a00:1', '2606:4700::200:5efe:7f00:1'],
];

const spellings = [
  ...['2130706433', '0x7f000001', '0x7F.1', '017700000001', '0177.0.0.1', '127.1', '127.0.1', '0x7f.0.0.0x1', '0'],
  ...['0.0.0.0', '127.0.0.1.', '127.000.000.001', '3232235521', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376'],
  ...['①②⑦.⓪.⓪.①', '１２７.０.０.１', '127。0。0。1', '127．0．0．1', '%31%32%37.0.0.1', '%6c%6f%63%61%6c%68%6f%73%74'],
  ...['١٢٧.٠.٠.١', '[::ffff:7f00:1]', '[::FFFF:127.0.0.1]', '[0:0:0:0:0:0:0:1]', '[::127.1]', '[fe80::1%25lo]', '[::1'],
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'localhost.localdomain',
    'redis',
    'postgres.',
  ],
  ...['printer.local', 'metadata.google.internal', 'api.default.svc', 'api.default.svc.cluster.local', 'nas.home.arpa'],
  ...[
    'db.corp',
    'wiki.intranet',
    'router.lan',
    'example.com.',
    'a..example.com',
    '.example.com',
    'ex*mple.com',
    '1.2.3.4.5',
  ],
];

describe('addresses that are not public', () => {
  it.each(forbiddenAddresses)(
    '%s is refused as it is written, and as what a name resolves to (D08)',
    async (address) => {
      const literal = `http://${address.includes(':') ? `[${address}]` : address}:${port}/`;
      const egress = guarded(async () => [address]);
      expect(egress.validateUrl(literal).mistake).toBe('must point to a public host');
      expect((await failureOf(egress.request(get(literal)))).reason).toBe('forbidden');
      expect(egress.validateUrl(`http://${name}:${port}/`).mistake).toBeUndefined();
      expect((await failureOf(egress.request(get(`http://${name}:${port}/`)))).reason).toBe('forbidden');
      expect(hits()).toBe(0);
    },
  );

  it.each(spellings)('%s is refused in every spelling (D08)', async (host) => {
    const egress = guarded(async () => ['127.0.0.1']);
    for (const url of [`http://${host}:${port}/`, `http://${host}/`, `HTTPS://${host}:${port}`]) {
      expect(egress.validateUrl(url).mistake, url).toMatch(/^must (point to a public host|be a valid URL)$/);
      expect((await failureOf(egress.request(get(url)))).reason, url).toBe('forbidden');
    }
    expect(hits()).toBe(0);
  });

  it('are refused together with the public ones beside them (D09)', async () => {
    for (const address of forbiddenAddresses)
      for (const answer of [
        ['8.8.8.8', address],
        [address, '2606:4700:4700::1111'],
      ]) {
        const egress = guarded(async () => answer);
        expect((await failureOf(egress.request(get(`http://${name}:${port}/`)))).reason, address).toBe('forbidden');
      }
    expect(hits()).toBe(0);
  });

  it('are refused also if a resolver returns invalid addresses', async () => {
    for (const answer of ['localhost', '127.1', '0x7f000001', '', 'fe80::1%lo', '127.0.0.1/8'])
      expect((await failureOf(guarded(async () => [answer]).request(get(`http://${name}:${port}/`)))).reason).toBe(
        'forbidden',
      );
    expect(hits()).toBe(0);
  });

  it('leave their neighbours alone', () => {
    const egress = guarded();
    const neighbours = ['8.8.8.8', '1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'];
    neighbours.push('126.255.255.255', '128.0.0.0', '169.253.255.255', '172.15.255.255', '172.32.0.0', '192.0.1.0');
    neighbours.push('192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255');
    neighbours.push('[2606:4700:4700::1111]', '[2a00:1450:4001::1]', '[2001:200::1]', '[3ffe::1]', '134744072');
    for (const host of neighbours) expect(egress.validateUrl(`https://${host}/`).mistake, host).toBeUndefined();
  });
});

describe('rebinding (D09)', () => {
  it('changes nothing: the validated address is the one that is connected to, and each connection is validated', async () => {
    // 127.0.0.2 plays the public host.
    await using outside = await createReceiver(answering('outside', '200 OK', 'Connection: close\r\n'), {
      host: '127.0.0.2',
      port,
    });
    const answers = ['127.0.0.2', '127.0.0.1', '127.0.0.2', '::1'];
    let asked = 0;
    const egress = guarded(async () => [answers[asked++] ?? ''], '127.0.0.2/32');
    const url = `http://${name}:${port}/`;
    expect((await egress.request(get(url))).body.toString()).toBe('outside');
    expect(asked).toBe(1);
    const failure = await failureOf(egress.request(get(url)));
    expect(failure.reason).toBe('forbidden');
    expect((await egress.request(get(url))).body.toString()).toBe('outside');
    expect((await failureOf(egress.request(get(url)))).reason).toBe('forbidden');
    expect([asked, outside.connections(), hits()]).toEqual([4, 2, 0]);
  });

  it('is looked at again when a kept connection has been lost, or has grown old', async () => {
    await using outside = await createReceiver(answering('outside'), { host: '127.0.0.2', port });
    let answer = '127.0.0.2';
    const url = `http://${name}:${port}/`;
    const allow = allowancesOf('127.0.0.2/32') ?? noAllowances;
    for (const ageMsMax of [60_000, 0]) {
      answer = '127.0.0.2';
      const egress = createEgress({ isProduction: false, allow, resolve: async () => [answer], ageMsMax });
      await egress.request(get(url));
      answer = '127.0.0.1';
      if (ageMsMax > 0) {
        expect((await egress.request(get(url))).status).toBe(200);
        outside.drop();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect((await failureOf(egress.request(get(url)))).reason).toBe('forbidden');
      egress.close();
    }
    expect([outside.connections(), hits()]).toEqual([2, 0]);
  });
});

describe('the message of a failure (D09, D11)', () => {
  it('is the same for a forbidden address, a name without any, and a closed port', async () => {
    const closed = await createReceiver(answering(''));
    await closed[Symbol.asyncDispose]();
    const forbidden = await failureOf(guarded(async () => ['10.1.2.3']).request(get(`http://${name}:${closed.port}/`)));
    const unresolved = [async () => [], () => Promise.reject(new Error('ENOTFOUND 10.0.0.2'))].map((resolve) =>
      failureOf(guarded(resolve).request(get(`http://${name}/`))),
    );
    const refused = await failureOf(
      guarded(async () => ['127.0.0.1'], `${name}:${closed.port}`).request(get(`http://${name}:${closed.port}/`)),
    );
    const failures = [forbidden, ...(await Promise.all(unresolved)), refused];
    expect(failures.map(({ reason }) => reason)).toEqual(['forbidden', 'unresolved', 'unresolved', 'unreachable']);
    expect(new Set(failures.map(({ message }) => message)).size).toBe(1);
    for (const failure of failures) {
      const { stack, ...rest } = failure;
      // The stack has line numbers of ours in it, and no more than the message besides.
      expect(`${failure.message} ${inspect(rest)}`).not.toMatch(/\d|example|ECONN|ENOTFOUND/);
      expect(stack).not.toMatch(/10\.1\.2\.3|127\.0\.0\.1|ECONNREFUSED|ENOTFOUND/);
      expect(failure.cause).toBeUndefined();
    }
  });
});

describe('EGRESS_ALLOW', () => {
  it('lets through exactly its host and port', async () => {
    const before = hits();
    const egress = guarded(async () => ['127.0.0.1'], `127.0.0.1:${port},${name}:${port},localhost:${port}`);
    for (const host of ['127.0.0.1', name, 'localhost', '127.1', 'LOCALHOST'])
      expect((await egress.request(get(`http://${host}:${port}/`))).body.toString(), host).toBe('inside');
    // Reached just now: so a canary is seen when it is hit, and the zeros above count.
    expect(hits()).toBeGreaterThan(before);
    const after = hits();
    for (const host of [`127.0.0.1:${port + 1}`, `127.0.0.2:${port}`, `[::1]:${port}`, `other.example.com:${port}`])
      expect((await failureOf(egress.request(get(`http://${host}/`)))).reason, host).toBe('forbidden');
    for (const host of [`localhost.:${port}`, 'localhost', `a.localhost:${port}`, `[::ffff:127.0.0.1]:${port}`])
      expect((await failureOf(egress.request(get(`http://${host}/`)))).reason, host).toBe('forbidden');
    expect(hits()).toBe(after);
  });

  it('holds names as this machine knows them; any other is asked of the name servers', async () => {
    const allow = allowancesOf(`localhost:${port}`) ?? noAllowances;
    const egress = createEgress({ isProduction: false, allow });
    expect((await egress.request(get(`http://localhost:${port}/`))).body.toString()).toBe('inside');
    const failure = await failureOf(egress.request(get('http://nothing.invalid/')));
    // Where there is no name server, the question may take longer than the request.
    expect(['unresolved', 'timeout']).toContain(failure.reason);
    egress.close();
  });

  it('lets through a range at every open port, or at one port that is not open otherwise', () => {
    const egress = guarded(undefined, '10.0.0.0/8,192.168.0.0/16:6379,[fd00::/8]:22');
    const good = ['10.1.2.3', '10.1.2.3:8080', '192.168.1.1:6379', '[fd12::1]:22'];
    for (const host of good) expect(egress.validateUrl(`http://${host}/`).mistake, host).toBeUndefined();
    const bad = ['10.1.2.3:6379', '11.1.2.3:6379', '192.168.1.1', '192.168.1.1:8080', '[fd12::1]', '[fe80::1]:22'];
    for (const host of bad) expect(egress.validateUrl(`http://${host}/`).mistake, host).toBeDefined();
  });

  it('counts a range also where a name resolves into it', async () => {
    const answers = { [name]: ['127.0.0.1'], 'mixed.example.com': ['127.0.0.1', '::1'] };
    const egress = guarded(async (host) => answers[host as keyof typeof answers], '127.0.0.0/8');
    expect((await egress.request(get(`http://${name}:${port}/`))).status).toBe(200);
    expect((await failureOf(egress.request(get(`http://mixed.example.com:${port}/`)))).reason).toBe('forbidden');
  });
});
