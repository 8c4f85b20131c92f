import { describe, expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { type Answer, type Call, callerOf, startTestServer, tenantOf } from '../support/server.ts';

// Two processes' worth of servers, each with its own pools, over one database.
const one = await startTestServer();
const two = await startTestServer({}, one.url);
const path = '/api/clipboard';
const clients = 16;

interface Entry {
  uuid: string;
  name: string | null;
  idx: number | null;
  value: string;
  createdAt: string;
  createdByTool: string | null;
  createdByModel: string | null;
}

/** A call with the times at which it began and ended. */
interface Timed {
  answer: Answer;
  began: number;
  ended: number;
}

/** A new tenant and 16 clients of it, half of them at either server. */
async function crowd(): Promise<{ call: Call; calls: Call[] }> {
  const { secret, call } = await tenantOf(one);
  return { call, calls: Array.from({ length: clients }, (_, i) => callerOf(i % 2 ? two : one, secret)) };
}

const timed = async (work: () => Promise<Answer>): Promise<Timed> => {
  const began = performance.now();
  const answer = await work();
  return { answer, began, ended: performance.now() };
};

/** Every client does its own part, one step after another, all clients at once. */
const allAtOnce = async <Result>(
  calls: Call[],
  part: (call: Call, client: number) => Promise<Result>,
): Promise<Result[]> => Promise.all(calls.map((call, client) => part(call, client)));

async function repeat(times: number, step: (i: number) => Promise<Timed>): Promise<Timed[]> {
  const done: Timed[] = [];
  for (let i = 0; i < times; i++) done.push(await step(i));
  return done;
}

const entriesOf = async (call: Call): Promise<Entry[]> => (await call('GET', path)).body.entries;
const push = (call: Call, value: string) =>
  timed(() => call('POST', `${path}/push`, { value, createdByTool: value, createdByModel: value }));
const pop = (call: Call) => timed(() => call('DELETE', `${path}/pop`));
const statuses = (done: Timed[]) => [...new Set(done.map(({ answer }) => answer.status))];
const range = (length: number) => Array.from({ length }, (_, i) => i);

describe('A01: concurrent pushes at two servers', () => {
  it(
    'A01: all answer 200 with idx 0; afterwards the indices are 0 to n-1, each once, the later push above the earlier',
    verifies('clipboard.concurrency', 'clipboard.push'),
    async () => {
      const { call, calls } = await crowd();
      const pushes = (await allAtOnce(calls, (client, c) => repeat(8, (i) => push(client, `${c}-${i}`)))).flat();
      expect(statuses(pushes)).toEqual([200]);
      for (const { answer } of pushes) expect(answer.body.entry.idx).toBe(0);
      const entries = await entriesOf(call);
      expect(entries.map(({ idx }) => idx)).toEqual(range(128));
      expect(new Set(entries.map(({ uuid }) => uuid)).size).toBe(128);
      const place = new Map(entries.map(({ uuid, idx }) => [uuid, idx as number]));
      const wrong = pushes.filter((later) =>
        pushes.some(
          (earlier) =>
            earlier.ended < later.began &&
            (place.get(earlier.answer.body.entry.uuid) ?? -1) < (place.get(later.answer.body.entry.uuid) ?? -1),
        ),
      );
      expect(wrong).toEqual([]);
    },
  );

  it('A01: expired entries among them leave no gap', async () => {
    const { call, calls } = await crowd();
    await allAtOnce(calls, (client, c) =>
      repeat(4, (i) =>
        timed(() => client('POST', `${path}/push`, { value: `${c}-${i}`, ttlSeconds: i % 2 ? 1 : 100 })),
      ),
    );
    for (const { clock } of [one, two]) clock.advance(1000);
    expect((await entriesOf(call)).map(({ idx }) => idx)).toEqual(range(32));
  });
});

describe('A02: concurrent pops at two servers', () => {
  it(
    'A02: as many pops as entries give each entry once and no false not-found; one more finds nothing',
    verifies('clipboard.concurrency'),
    async () => {
      const { call, calls } = await crowd();
      const pushed = (await allAtOnce(calls, (client, c) => repeat(8, (i) => push(client, `${c}-${i}`)))).flat();
      const pops = (await allAtOnce(calls, (client) => repeat(8, () => pop(client)))).flat();
      expect(statuses(pops)).toEqual([200]);
      const popped = pops.map(({ answer }) => answer.body.entry as Entry);
      expect(popped.map(({ uuid }) => uuid).sort()).toEqual(pushed.map(({ answer }) => answer.body.entry.uuid).sort());
      for (const { idx, value, createdByTool } of popped) expect([idx, createdByTool]).toEqual([0, value]);
      expect((await call('DELETE', `${path}/pop`)).status).toBe(404);
    },
  );

  it('A02: entries that are popped later lay deeper', async () => {
    const { call, calls } = await crowd();
    for (const i of range(64)) await push(call, String(i));
    const pops = (await allAtOnce(calls, (client) => repeat(4, () => pop(client)))).flat();
    const number = ({ answer }: Timed) => Number(answer.body.entry.value);
    expect(
      pops.filter((later) => pops.some((earlier) => earlier.ended < later.began && number(earlier) < number(later))),
    ).toEqual([]);
  });

  it('A02: with more pops than entries, exactly the entries are popped and the rest are 404', async () => {
    const { call, calls } = await crowd();
    for (const i of range(20)) await push(call, String(i));
    const pops = (await allAtOnce(calls, (client) => repeat(3, () => pop(client)))).flat();
    const found = pops.filter(({ answer }) => answer.status === 200);
    expect(found.map(({ answer }) => Number(answer.body.entry.value)).sort((a, b) => a - b)).toEqual(range(20));
    expect(pops.filter(({ answer }) => answer.status === 404)).toHaveLength(28);
    // A stack without pushes that once was empty stays empty.
    const firstEmpty = Math.min(...pops.filter(({ answer }) => answer.status === 404).map(({ ended }) => ended));
    expect(found.filter(({ began }) => began > firstEmpty)).toEqual([]);
  });

  it('A02: 16 deletes of index 0 at once take 16 different entries', async () => {
    const { call, calls } = await crowd();
    for (const i of range(20)) await push(call, String(i));
    const deletes = await allAtOnce(calls, (client) => client('DELETE', path, { idx: 0 }));
    for (const { body } of deletes) expect(body).toEqual({ success: true, deleted: true });
    expect((await entriesOf(call)).map(({ value }) => value)).toEqual(['3', '2', '1', '0']);
  });
});

describe('A03: pops racing pushes at two servers', () => {
  it('A03: on a stack that is never empty every pop finds an entry, each once, and the rest stays', async () => {
    const { call, calls } = await crowd();
    for (const i of range(clients)) await push(call, `base-${i}`);
    const base = await entriesOf(call);
    const all = await allAtOnce(calls, async (client, c) => {
      const pushes: Timed[] = [];
      const pops: Timed[] = [];
      for (const i of range(8)) {
        pushes.push(await push(client, `${c}-${i}`));
        pops.push(await pop(client));
      }
      return { pushes, pops };
    });
    const pushes = all.flatMap((part) => part.pushes);
    const pops = all.flatMap((part) => part.pops);
    expect(statuses(pushes)).toEqual([200]);
    expect(statuses(pops)).toEqual([200]);
    const popped = pops.map(({ answer }) => answer.body.entry.uuid as string);
    expect(new Set(popped).size).toBe(popped.length);
    const left = await entriesOf(call);
    expect(left.map(({ idx }) => idx)).toEqual(range(clients));
    const everything = [
      ...base.map(({ uuid }) => uuid),
      ...pushes.map(({ answer }) => answer.body.entry.uuid as string),
    ];
    expect([...popped, ...left.map(({ uuid }) => uuid)].sort()).toEqual(everything.sort());
  });

  it(
    'A03: last in, first out: no pop passes over an entry that certainly lay above and was certainly still there',
    verifies('clipboard.concurrency'),
    async () => {
      const { calls } = await crowd();
      const all = await allAtOnce(calls, async (client, c) => {
        const pushes: Timed[] = [];
        const pops: Timed[] = [];
        for (const i of range(10)) {
          if ((c + i) % 3 === 0) pops.push(await pop(client));
          else pushes.push(await push(client, `${c}-${i}`));
        }
        return { pushes, pops };
      });
      const pushes = all.flatMap((part) => part.pushes);
      const pops = all.flatMap((part) => part.pops);
      const pushOf = new Map(pushes.map((each) => [each.answer.body.entry.uuid as string, each]));
      const popOf = new Map(
        pops.filter(({ answer }) => answer.status === 200).map((each) => [each.answer.body.entry.uuid as string, each]),
      );
      const passedOver: string[] = [];
      for (const [below, popBelow] of popOf) {
        for (const [above, pushAbove] of pushOf) {
          const isAbove = (pushOf.get(below)?.ended ?? Number.POSITIVE_INFINITY) < pushAbove.began;
          const isThere =
            pushAbove.ended < popBelow.began && (popOf.get(above)?.began ?? Number.POSITIVE_INFINITY) > popBelow.ended;
          if (isAbove && isThere) passedOver.push(`${below} before ${above}`);
        }
      }
      expect(passedOver).toEqual([]);
      // No false not-found: an empty answer needs an instant at which nothing certainly lay there.
      for (const empty of pops.filter(({ answer }) => answer.status === 404)) {
        const certainly = [...pushOf].filter(
          ([uuid, each]) =>
            each.ended < empty.began && (popOf.get(uuid)?.began ?? Number.POSITIVE_INFINITY) > empty.ended,
        );
        expect(certainly).toEqual([]);
      }
    },
  );

  it('A03: without other clients, a pop after the client’s own push returns the pushed entry, on the other server too', async () => {
    const { calls } = await crowd();
    const [here, there] = calls as [Call, Call];
    for (const i of range(20)) {
      await push(i % 2 ? here : there, `v${i}`);
      expect((await pop(i % 2 ? there : here)).answer.body.entry.value).toBe(`v${i}`);
    }
  });
});

describe('A04: reads racing writes at two servers', () => {
  it.each([0, 1, 5])(
    'A04: get of index %i gives the entry that was there at some instant of the call, whole',
    async (k) => {
      const { call, calls } = await crowd();
      for (const i of range(10)) await push(call, String(i));
      let began = 10;
      let ended = 10;
      const writer = (async () => {
        for (; began < 90; ) {
          const value = String(began++);
          await push(calls[ended % 2] as Call, value);
          ended++;
        }
      })();
      const wrong: unknown[] = [];
      await allAtOnce(calls.slice(2, 8), async (client) => {
        while (ended < 90) {
          const leastPushed = ended;
          const { status, body } = await client('POST', `${path}/get`, { idx: k });
          const mostPushed = began;
          // With n entries pushed, 0 to n-1, the one at index k is n - 1 - k.
          const pushed = Number(body.entry?.value) + 1 + k;
          const isWhole =
            body.entry?.value === body.entry?.createdByTool &&
            body.entry?.value === body.entry?.createdByModel &&
            body.entry?.idx === k;
          if (status !== 200 || !isWhole || pushed < leastPushed || pushed > mostPushed)
            wrong.push({ leastPushed, mostPushed, body });
        }
      });
      await writer;
      expect(wrong).toEqual([]);
    },
  );

  it('A04: a list is one instant: its indices are 0 to n-1 without gap or double while pushes and pops run', async () => {
    const { call, calls } = await crowd();
    for (const i of range(10)) await push(call, String(i));
    const isDone = { writers: false };
    const writers = allAtOnce(calls.slice(0, 8), async (client, c) => {
      for (const i of range(8)) {
        await push(client, `${c}-${i}`);
        await pop(client);
      }
    }).then(() => {
      isDone.writers = true;
    });
    while (!isDone.writers) {
      const { body } = await call('GET', path);
      expect(body.entries.map(({ idx }: Entry) => idx)).toEqual(range(body.entries.length));
      expect(body.total).toBe(body.entries.length);
      expect(body.entries.length).toBeGreaterThanOrEqual(10);
      expect(body.entries.length).toBeLessThanOrEqual(18);
    }
    await writers;
  });
});

describe('A05: sets of one name at two servers', () => {
  it('A05: 16 sets of a new name at once make one row with one writer’s whole value, and no error', async () => {
    const { call, calls } = await crowd();
    for (const round of range(10)) {
      const name = `n${round}`;
      const answers = await allAtOnce(calls, (client, c) => {
        const value = `${round}-${c}`;
        return client('POST', path, {
          name,
          value,
          createdByTool: value,
          createdByModel: value,
          contentType: `a/${value}`,
        });
      });
      expect(answers.map(({ status }) => status)).toEqual(Array(clients).fill(200));
      expect(new Set(answers.map(({ body }) => body.entry.uuid)).size).toBe(1);
      for (const [c, { body }] of answers.entries()) expect(body.entry.value).toBe(`${round}-${c}`);
      const { entry } = (await call('GET', `${path}?name=${name}`)).body;
      expect(entry).toMatchObject({
        createdByTool: entry.value,
        createdByModel: entry.value,
        contentType: `a/${entry.value}`,
      });
      expect(answers.map(({ body }) => body.entry.value)).toContain(entry.value);
    }
    expect(await entriesOf(call)).toHaveLength(10);
  });

  it('A05, A10: 16 sets of an expired name at once make one new entry', async () => {
    const { call, calls } = await crowd();
    const old = (await call('POST', path, { name: 'n', value: 'old', ttlSeconds: 1 })).body.entry;
    for (const { clock } of [one, two]) clock.advance(1000);
    const answers = await allAtOnce(calls, (client, c) => client('POST', path, { name: 'n', value: String(c) }));
    expect(answers.map(({ status }) => status)).toEqual(Array(clients).fill(200));
    const uuids = new Set(answers.map(({ body }) => body.entry.uuid));
    expect(uuids.size).toBe(1);
    expect(uuids).not.toContain(old.uuid);
  });

  it('A05: a name deleted 16 times at once was there once', async () => {
    const { call, calls } = await crowd();
    for (const round of range(5)) {
      await call('POST', path, { name: `n${round}`, value: 'v' });
      const answers = await allAtOnce(calls, (client) => client('DELETE', path, { name: `n${round}` }));
      expect(answers.map(({ status }) => status)).toEqual(Array(clients).fill(200));
      expect(answers.filter(({ body }) => body.deleted)).toHaveLength(1);
    }
  });

  it('A05: sets racing deletes and clears of the name never fail', async () => {
    const { calls } = await crowd();
    const answers = (
      await allAtOnce(calls, (client, c) =>
        repeat(8, (i) =>
          timed(() => {
            if (c % 4 === 0) return client('DELETE', path, { name: 'n' });
            if (c % 8 === 1) return client('DELETE', `${path}/all`);
            return client('POST', path, { name: 'n', value: `${c}-${i}` });
          }),
        ),
      )
    ).flat();
    expect(statuses(answers)).toEqual([200]);
  });
});

describe('A06: clears racing pushes at two servers', () => {
  it('A06: every push is counted by one clear or survives; deletedCount is what went', async () => {
    const { call, calls } = await crowd();
    const all = (
      await allAtOnce(calls, (client, c) =>
        repeat(10, (i) =>
          c % 4 === 0 && i % 3 === 0 ? timed(() => client('DELETE', `${path}/all`)) : push(client, `${c}-${i}`),
        ),
      )
    ).flat();
    expect(statuses(all)).toEqual([200]);
    const cleared = all.reduce((sum, { answer }) => sum + (answer.body.deletedCount ?? 0), 0);
    const pushed = all.filter(({ answer }) => answer.body.entry).length;
    const left = await entriesOf(call);
    expect(left.map(({ idx }) => idx)).toEqual(range(left.length));
    expect(cleared + left.length).toBe(pushed);
  });

  it('A06: pops, deletes and clears together take every entry once', async () => {
    const { call, calls } = await crowd();
    for (const i of range(100)) await push(call, String(i));
    const all = (
      await allAtOnce(calls, (client, c) =>
        repeat(6, (i) => {
          if (c === 15 && i === 4) return timed(() => client('DELETE', `${path}/all`));
          return c % 2 ? pop(client) : timed(() => client('DELETE', path, { idx: c }));
        }),
      )
    ).flat();
    const popped = all.filter(({ answer }) => answer.status === 200 && answer.body.entry).length;
    const deleted = all.filter(({ answer }) => answer.body.deleted === true).length;
    const cleared = all.reduce((sum, { answer }) => sum + (answer.body.deletedCount ?? 0), 0);
    expect(popped + deleted + cleared).toBe(100);
    expect(await entriesOf(call)).toEqual([]);
  });
});

it('A23: clients of 8 tenants at once never meet', async () => {
  const tenants = await Promise.all(range(8).map(() => tenantOf(one)));
  await Promise.all(
    tenants.map(async ({ secret }, t) => {
      const calls = [callerOf(one, secret), callerOf(two, secret)] as const;
      for (const i of range(10)) await push(calls[i % 2 ? 1 : 0], `${t}-${i}`);
      for (const i of range(10).reverse())
        expect((await pop(calls[i % 2 ? 1 : 0])).answer.body.entry.value).toBe(`${t}-${i}`);
    }),
  );
});
