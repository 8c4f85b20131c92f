import { afterEach, describe, expect, it } from 'vitest';
import { allowancesOf, noAllowances } from '../../../src/platform/egress/allowances.ts';
import { createEgress, type Egress, type EgressRequest } from '../../../src/platform/egress/egress.ts';
import { eventually } from '../../support/deadline.ts';
import { failureOf } from '../../support/failed-request.ts';
import { type Answer, answering, createReceiver, type Receiver } from '../../support/receiver.ts';

const made: Egress[] = [];
function createOne(limits: Partial<Parameters<typeof createEgress>[0]> = {}) {
  const allow = allowancesOf('127.0.0.0/8') ?? noAllowances;
  const egress = createEgress({ isProduction: false, allow, ...limits });
  made.push(egress);
  return egress;
}
afterEach(() => {
  for (const egress of made.splice(0)) egress.close();
});

const post = ({ port }: Receiver, request: Partial<EgressRequest> = {}): EgressRequest => ({
  url: `http://127.0.0.1:${port}/`,
  method: 'POST',
  body: 'x',
  totalTimeoutMs: 3_000,
  ...request,
});
const times = (count: number) => Array.from({ length: count }, (_, i) => i);
const echo: Answer = (socket, { body }) => setImmediate(() => answering(body)(socket, { head: '', body, number: 1 }));

describe('connections', () => {
  it('are kept and used again', async () => {
    await using receiver = await createReceiver(echo);
    const egress = createOne();
    for (const i of times(20))
      expect((await egress.request(post(receiver, { body: `${i}` }))).body.toString()).toBe(`${i}`);
    expect(receiver.connections()).toBe(1);
  });

  it('to one origin are no more than the limit, and each request gets its own answer', async () => {
    await using receiver = await createReceiver(echo);
    const egress = createOne({ connectionsPerOriginMax: 5 });
    const answers = await Promise.all(times(500).map((i) => egress.request(post(receiver, { body: `${i}` }))));
    expect(answers.map(({ body }) => body.toString())).toEqual(times(500).map(String));
    expect(receiver.connections()).toBe(5);
  });

  it('in all are no more than the limit: unused ones make room', async () => {
    const receivers = await Promise.all(times(6).map(() => createReceiver(echo)));
    const egress = createOne({ connectionsMax: 3 });
    const open = () => receivers.reduce((sum, receiver) => sum + receiver.open(), 0);
    for (const receiver of [...receivers, ...receivers])
      expect((await egress.request(post(receiver))).status).toBe(200);
    await eventually('three are open', () => open() === 3);
    const busy = times(60).map((i) => egress.request(post(receivers[i % 6] as Receiver, { body: `${i}` })));
    expect((await Promise.all(busy)).map(({ body }) => body.toString())).toEqual(times(60).map(String));
    await eventually('three are open', () => open() <= 3);
    for (const receiver of receivers) await receiver[Symbol.asyncDispose]();
  });

  it('go to each origin in turn: a slow one with many requests does not hold up another', async () => {
    await using slow = await createReceiver((socket, request) => setTimeout(() => answering('')(socket, request), 50));
    await using quick = await createReceiver(echo);
    const egress = createOne({ connectionsMax: 2 });
    let slowOnes = 0;
    const many = times(20).map(() => egress.request(post(slow)).then(() => (slowOnes += 1)));
    await egress.request(post(quick));
    expect(slowOnes).toBeLessThan(8);
    await Promise.all(many);
  });

  it('belong to one owner each: hanging requests of one do not delay others at the same host', async () => {
    await using receiver = await createReceiver((socket, request) => {
      if (request.body !== 'hang') echo(socket, request);
    });
    const egress = createOne({ connectionsPerOriginMax: 2 });
    const hanging = times(4).map(() =>
      failureOf(egress.request(post(receiver, { pool: 'one', body: 'hang', totalTimeoutMs: 300 }))),
    );
    const other = await egress.request(post(receiver, { pool: 'other', totalTimeoutMs: 200 }));
    expect(other.body.toString()).toBe('x');
    expect((await Promise.all(hanging)).map(({ reason }) => reason)).toEqual(times(4).map(() => 'timeout'));
  });

  it('that are all taken are not the fault of a receiver, unless they are its own', async () => {
    await using silent = await createReceiver(() => undefined);
    await using quick = await createReceiver(echo);
    const egress = createOne({ connectionsMax: 1 });
    const own = [250, 100].map((totalTimeoutMs) => failureOf(egress.request(post(silent, { totalTimeoutMs }))));
    const other = failureOf(egress.request(post(quick, { totalTimeoutMs: 100 })));
    expect((await other).reason).toBe('busy');
    expect((await Promise.all(own)).map(({ reason }) => reason)).toEqual(['timeout', 'busy']);
    expect([silent.requests.length, quick.requests.length]).toEqual([1, 0]);

    const single = createOne({ connectionsPerOriginMax: 1 });
    const waiting = [250, 100].map((totalTimeoutMs) => failureOf(single.request(post(silent, { totalTimeoutMs }))));
    expect((await Promise.all(waiting)).map(({ reason }) => reason)).toEqual(['timeout', 'timeout']);
    expect(silent.requests).toHaveLength(2);
  });

  it('end when they are unused for a while', async () => {
    await using receiver = await createReceiver(echo);
    await createOne({ idleMs: 50 }).request(post(receiver));
    await eventually('it is closed', () => receiver.open() === 0);
  });

  it('end with what they carry when the process stops', async () => {
    await using receiver = await createReceiver((socket, request) => {
      if (request.body === 'quick') echo(socket, request);
    });
    const egress = createOne({ connectionsPerOriginMax: 2 });
    await egress.request(post(receiver, { body: 'quick' }));
    const under = times(4).map(() => failureOf(egress.request(post(receiver))));
    await eventually('two are on their way', () => receiver.requests.length === 3);
    egress.close();
    expect((await Promise.all(under)).map(({ reason }) => reason)).toEqual(times(4).map(() => 'closed'));
    expect((await failureOf(egress.request(post(receiver)))).reason).toBe('closed');
    await eventually('none is open', () => receiver.open() === 0);
  });
});

describe('a receiver that closes a kept connection', () => {
  it('while it is not used is connected to again', async () => {
    await using receiver = await createReceiver(echo);
    const egress = createOne();
    for (const i of times(5)) {
      await egress.request(post(receiver));
      receiver.drop();
      if (i % 2 === 0) await eventually('it is closed', () => receiver.open() === 0);
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(receiver.connections()).toBe(5);
  });

  it('after each answer, said or unsaid, is asked as often as one likes', async () => {
    for (const header of ['Connection: close\r\n', '']) {
      await using receiver = await createReceiver((socket, request) => {
        answering(request.body, '200 OK', header)(socket, request);
        socket.end();
      });
      const egress = createOne({ connectionsPerOriginMax: 3 });
      const sent = times(30).map((i) => egress.request(post(receiver, { body: `${i}`, mayRepeat: true })));
      expect((await Promise.all(sent)).map(({ body }) => body.toString())).toEqual(times(30).map(String));
    }
  });

  it('under a request gets it again where it may be repeated, and else it has failed', async () => {
    const fickle: Answer = (socket, request) => (request.number === 1 ? echo(socket, request) : socket.destroy());
    await using receiver = await createReceiver(fickle);
    const egress = createOne();
    await egress.request(post(receiver));
    expect((await failureOf(egress.request(post(receiver)))).reason).toBe('interrupted');
    await egress.request(post(receiver));
    expect((await egress.request(post(receiver, { mayRepeat: true }))).status).toBe(200);
    expect([receiver.connections(), receiver.requests.length]).toEqual([3, 5]);
  });

  it('under every request gets none of them twice on a connection of its own', async () => {
    await using receiver = await createReceiver((socket) => socket.destroy());
    expect((await failureOf(createOne().request(post(receiver, { mayRepeat: true })))).reason).toBe('interrupted');
    expect(receiver.requests).toHaveLength(1);
  });

  it('after the answer began does not get it again', async () => {
    await using receiver = await createReceiver((socket, request) => {
      if (request.number === 1) return echo(socket, request);
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx');
    });
    const egress = createOne();
    await egress.request(post(receiver));
    const failure = await failureOf(egress.request(post(receiver, { mayRepeat: true })));
    expect([failure.reason, failure.status, receiver.requests.length]).toEqual(['interrupted', 200, 2]);
  });

  it('or writes more than its answer gives nothing of it to the next request', async () => {
    const smuggler: Answer = (socket, request) => {
      const extra = request.number === 1 ? 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil' : '';
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood${extra}`);
    };
    await using receiver = await createReceiver(smuggler);
    const egress = createOne();
    for (const _ of times(4))
      expect((await egress.request(post(receiver, { mayRepeat: true }))).body.toString()).toBe('good');
  });
});
