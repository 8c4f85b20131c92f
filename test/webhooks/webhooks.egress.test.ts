import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { createServices } from '../../src/main/services.ts';
import { noAllowances } from '../../src/platform/egress/allowances.ts';
import { createEgress } from '../../src/platform/egress/egress.ts';
import { verifies } from '../requirements.ts';
import { eventually } from '../support/deadline.ts';
import { answering, createReceiver } from '../support/receiver.ts';
import { startTestServer, tenantOf } from '../support/server.ts';
import { createTestServices, keyOf, signUp } from '../support/services.ts';
import { startStopwatch } from '../support/stopwatch.ts';
import {
  happens,
  webhooksPath as path,
  registered,
  stagedWebhook,
  startWebhookServer,
} from '../support/webhook-stage.ts';

const minute = 60_000;
/** Only public hosts are allowed here; the table lists ways to get around the guard. */
const guarded = await startTestServer();
const open = await startWebhookServer();

/** Counts connections, and answers none. */
async function startCanary(): Promise<{ port: number; connections(): number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

describe('D08, D09: at every send', () => {
  it(
    'a url that leads inside is not called, by a test call and by a delivery, whatever stands in the table',
    verifies('webhooks.send-guard'),
    async () => {
      const canary = await startCanary();
      const tenant = await tenantOf(guarded);
      const { id } = await registered(tenant.call);
      const hook = `${path}/${id}`;
      const { port } = canary;
      const urls = [
        `http://127.0.0.1:${port}/`,
        `http://localhost:${port}/`,
        `http://0x7f000001:${port}/`,
        `http://[::ffff:127.0.0.1]:${port}/`,
        `http://user@127.0.0.1:${port}/`,
        `http://0:${port}/`,
        'file:///etc/passwd',
        'no url at all',
      ];
      const errors = new Set<string>();
      for (const url of urls) {
        await guarded.database.query({ text: 'UPDATE webhooks SET url = $2 WHERE uuid = $1', values: [id, url] });
        const { status, body } = await tenant.call('POST', `${hook}/test`);
        expect([url, status, body.status, body.response_status, body.response_body]).toEqual([
          url,
          200,
          'failed',
          null,
          null,
        ]);
        errors.add(body.error);
        const event = await happens(guarded, tenant);
        await guarded.services.webhooks.sendDue();
        const { deliveries } = (await tenant.call('GET', `${hook}/deliveries?status=failed`)).body;
        const told = deliveries.find((each: { event_id: string }) => each.event_id === event);
        expect(told).toMatchObject({ attempt: 1, response_status: null, response_body: null });
        errors.add(told.error);
        guarded.clock.advance(60 * minute);
      }
      expect(canary.connections()).toBe(0);
      // One sentence for all of them, which names nothing of what is there.
      expect([...errors]).toEqual([
        expect.not.stringMatching(/127|localhost|::|\d{4}|forbidden|refused|public|address/i),
      ]);
    },
  );

  it(
    'a name that leads inside is not called, also if only one of its addresses does or the next answer would',
    verifies('webhooks.send-guard'),
    async () => {
      const canary = await startCanary();
      const { infrastructure } = await createTestServices();
      const answers: Record<string, string[][]> = {
        'inside.example.com': [['127.0.0.1']],
        'mixed.example.com': [['93.184.216.34', '127.0.0.1']],
        'mapped.example.com': [['::ffff:127.0.0.1']],
        'cloud.example.com': [['169.254.169.254']],
        'cluster.example.com': [['10.96.0.1', 'fd00::1']],
      };
      const egress = createEgress({
        isProduction: false,
        allow: noAllowances,
        resolve: async (name) => answers[name]?.[0] ?? [],
      });
      afterAll(() => egress.close());
      const services = createServices({ ...infrastructure, egress });
      const { caller } = await keyOf(services, await signUp(services));
      const { registrations, deliveries } = services.webhooks;
      for (const name of [...Object.keys(answers), 'nowhere.example.com']) {
        const input = { url: `http://${name}:${canary.port}/`, events: ['document.deleted'] };
        const { webhook } = await registrations.create(caller, input);
        const delivery = await deliveries.test(caller, webhook.uuid, {});
        // What leads inside reads like what leads nowhere.
        expect([name, delivery.status, delivery.responseStatus, delivery.responseBody, delivery.error]).toEqual([
          name,
          'failed',
          null,
          null,
          'The receiver could not be reached',
        ]);
      }
      expect(canary.connections()).toBe(0);
    },
  );

  it('a closed port inside and an open one read alike (D11)', async () => {
    const tenant = await tenantOf(guarded);
    const { id } = await registered(tenant.call);
    const canary = await startCanary();
    const seen = [];
    for (const port of [canary.port, 65_531]) {
      const values = [id, `http://127.0.0.1:${port}/`];
      await guarded.database.query({ text: 'UPDATE webhooks SET url = $2 WHERE uuid = $1', values });
      const {
        id: _,
        event_id,
        created_at,
        response_ms: ms,
        ...rest
      } = (await tenant.call('POST', `${path}/${id}/test`)).body;
      // Neither was waited for: an attempt is given up after ten seconds.
      expect(ms).toBeLessThan(5_000);
      seen.push(rest);
    }
    expect(seen[0]).toEqual(seen[1]);
  });
});

describe('D06: a receiver that takes its time', () => {
  it(
    'has 5 seconds for all of its answer: silence, a dripping head and a dripping body fail then, and hold nothing',
    verifies('webhooks.timeout'),
    async () => {
      const drip = (text: string) => (socket: { write(text: string): void; destroyed: boolean }) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(text)), 200);
      };
      const slow = {
        silent: () => undefined,
        'a head without end': drip('X-A: b\r\n'),
        'a body without end': (socket: Parameters<ReturnType<typeof drip>>[0]) => {
          socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
          const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('1\r\nx\r\n')), 200);
        },
        'just in time': (socket: Parameters<ReturnType<typeof drip>>[0]) => {
          setTimeout(() => answering('late')(socket as never, undefined as never), 4_700).unref();
        },
      };
      const tenant = await tenantOf(open);
      const begun = performance.now();
      const countedMs = startStopwatch();
      const outcomes = await Promise.all(
        Object.entries(slow).map(async ([what, answer]) => {
          await using receiver = await createReceiver(answer as never);
          const { id } = await registered(tenant.call, { url: `http://127.0.0.1:${receiver.port}/` });
          const { body } = await tenant.call('POST', `${path}/${id}/test`);
          const waited = [performance.now() - begun > 4_900, countedMs() < 6_500];
          if (what !== 'just in time') {
            expect([what, ...waited]).toEqual([what, true, true]);
            // The socket is destroyed: the receiver has no connection any more.
            await eventually(`the end of the connection: ${what}`, () => receiver.open() === 0);
          }
          return [what, body.status, body.response_status] as const;
        }),
      );
      expect(outcomes.map(([what, status]) => [what, status])).toEqual([
        ['silent', 'failed'],
        ['a head without end', 'failed'],
        ['a body without end', 'failed'],
        ['just in time', 'succeeded'],
      ]);
    },
  );

  it(
    'may answer more than 64 KB: no more than that is read, and it is a success',
    verifies('webhooks.timeout'),
    async () => {
      const { call, receiver, hook } = await stagedWebhook(open);
      let written = 0;
      receiver.answerWith((_call, res) => {
        const more = () => {
          while (!res.destroyed && written < 200_000_000) {
            written += 65_536;
            if (!res.write(Buffer.alloc(65_536, 'x'))) return void res.once('drain', more);
          }
          res.end();
        };
        more();
      });
      const { body } = await call('POST', `${hook}/test`);
      expect([body.status, body.response_status, body.response_body.length]).toEqual(['succeeded', 200, 1_024]);
      expect(written).toBeLessThan(50_000_000);
    },
  );

  it('a connection that ends before the answer does is a failure, and is told as one', async () => {
    const { call, receiver, hook } = await stagedWebhook(open);
    receiver.answerWith((_call, res) => {
      res.writeHead(200, { 'Content-Length': '100' });
      res.write('half');
      setTimeout(() => res.destroy(), 50);
    });
    expect((await call('POST', `${hook}/test`)).body).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/\S/),
    });
  });
});
