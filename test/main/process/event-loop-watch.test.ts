import { expect, it } from 'vitest';
import { enter, leave, memory, slotCount, underWay } from '../../../src/main/process/event-loop-watch.ts';
import { cleanUp } from '../../support/cleanup.ts';

function started(label: string, requestId: string, credentialUuid?: string): number {
  const operation = enter(label, requestId, credentialUuid);
  cleanUp(() => leave(operation));
  return operation;
}

it('names the operations that are under way, the newest first, with the credential where there is one', () => {
  started('POST /api/clipboard', 'r1');
  const over = started('query viewer', 'r2', 'c2');
  started('mutation clipboardPush', 'r3', 'c3');
  leave(over);
  expect(underWay(memory)).toEqual([
    { requestId: 'r3', credentialUuid: 'c3', operation: 'mutation clipboardPush' },
    { requestId: 'r1', operation: 'POST /api/clipboard' },
  ]);
});

it('keeps the newest when there are more than it has room for, and a late end of an old one removes no newer one', () => {
  const operations = Array.from({ length: slotCount + 5 }, (_, n) => started(`query n${n}`, `r${n}`));
  for (const operation of operations.slice(0, 5)) leave(operation);
  const names = underWay(memory).map(({ operation }) => operation);
  expect(names).toEqual(Array.from({ length: slotCount }, (_, n) => `query n${slotCount + 4 - n}`));
});

it('cuts a label that is too long, at a whole character', () => {
  started(`GET /api/${'ä'.repeat(1_000)}`, 'r');
  expect(underWay(memory)[0]?.operation).toMatch(/^GET \/api\/ä{50,130}$/);
});
