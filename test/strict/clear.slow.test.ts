import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { verifies } from '../requirements.ts';
import { createTestServices, keyOf, signUp } from '../support/services.ts';
import { type Call, createRecorder } from './history.ts';
import { serviceClientOf } from './product-clients.ts';
import { expectLinearizable } from './verdicts.ts';

const { services, url } = await createTestServices();

/** What one client does one after the other while a clear is held up in its middle, at the row of the name `held`. */
async function whileClearing(calls: readonly Call[]) {
  const { caller } = await keyOf(services, await signUp(services));
  const perform = serviceClientOf(services, caller);
  const recorder = createRecorder();
  for (const name of ['held', 'last']) await recorder.record(0, perform, { kind: 'set', name, value: `old-${name}` });
  const holder = new Client({ connectionString: url });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM clipboard_entries WHERE profile_uuid = $1 AND name = $2 FOR UPDATE', [
      caller.principal?.profileUuid,
      'held',
    ]);
    const clear = recorder.record(1, perform, { kind: 'clear' });
    await delay(100);
    const client = (async () => {
      for (const call of calls) await recorder.record(2, perform, call);
    })();
    await delay(100);
    await holder.query('COMMIT');
    await Promise.all([clear, client]);
  } finally {
    await holder.end();
  }
  const { result } = await recorder.record(0, perform, { kind: 'list' });
  return { history: recorder.operations, listed: result };
}

it.each<[string, Call[]]>([
  [
    'a set of a new name, then one of an old',
    [
      { kind: 'set', name: 'new', value: 'x' },
      { kind: 'set', name: 'last', value: 'y' },
    ],
  ],
  [
    'a set of a new name, then a delete of an old',
    [
      { kind: 'set', name: 'new', value: 'x' },
      { kind: 'unset', name: 'last' },
    ],
  ],
  [
    'a delete of an old name, then a set of a new',
    [
      { kind: 'unset', name: 'last' },
      { kind: 'set', name: 'new', value: 'x' },
    ],
  ],
  [
    'a set of an old name, then a push',
    [
      { kind: 'set', name: 'last', value: 'x' },
      { kind: 'push', value: 'y' },
    ],
  ],
])('a clear is one instant for names too: beside %s (A06)', verifies('clipboard.clear'), async (title, calls) => {
  const { history } = await whileClearing(calls);
  expect(history).toHaveLength(calls.length + 4);
  expectLinearizable(history, title);
});
