import { strict as assert } from 'node:assert';
import type { Services } from '../../schema/context.ts';
import type { Caller } from '../../src/platform/caller.ts';
import { ApiError } from '../../src/platform/errors.ts';
import { type Answer, callerOf, graphqlOf } from '../support/server.ts';
import type { Call, Perform, Written } from './history.ts';

interface EntryBody {
  readonly uuid: string;
  readonly name: string | null;
  readonly idx: number | null;
  readonly value: string;
  readonly createdByTool: string | null;
  readonly createdByModel: string | null;
  readonly expiresAt?: string;
}

const path = '/api/clipboard';

/** Neither done nor refused for a reason that the client gave: the outcome is unknown. */
const unknownStatus = (status: number) => status >= 500;
const isUnknown = (answer: { errors: { extensions: { code: string } }[] } | undefined) =>
  answer === undefined || answer.errors[0]?.extensions.code === 'UNAVAILABLE';

/** A client of a server's REST API. Deletes go over GraphQL, which returns the id of the deleted entry. */
export function httpClientOf(server: { base: string }, secret: string): Perform {
  const call = callerOf(server, secret);
  const graphql = graphqlOf(server, secret);

  /** @returns undefined where the outcome is unknown, null where nothing is there. */
  async function asked(method: string, to: string, body?: unknown): Promise<Answer['body'] | null | undefined> {
    const answer = await call(method, to, body).catch(() => undefined);
    if (answer === undefined || unknownStatus(answer.status)) return undefined;
    if (answer.status === 404) return null;
    assert.equal(answer.status, 200, `${method} ${to}: ${answer.text}`);
    return answer.body;
  }

  async function deleted(by: { name: string } | { idx: number }): Promise<string | false | undefined> {
    const query = 'mutation ($by: ClipboardEntrySelector!) { clipboardDelete(input: $by) { deletedUuid } }';
    const answer = await graphql(query, { by }).catch(() => undefined);
    if (answer?.data) return answer.data.clipboardDelete.deletedUuid ?? false;
    assert.ok(isUnknown(answer), JSON.stringify(answer));
    return undefined;
  }

  async function perform(asking: Call): Promise<Call['result']> {
    switch (asking.kind) {
      case 'push': {
        const body = await asked('POST', `${path}/push`, writeOf(asking));
        return body && written(body.entry, asking.value, { name: null, idx: 0 });
      }
      case 'set': {
        const body = await asked('POST', path, { ...writeOf(asking), name: asking.name });
        return body && written(body.entry, asking.value, { name: asking.name, idx: null });
      }
      case 'pop': {
        const body = await asked('DELETE', `${path}/pop`);
        return body && whole(body.entry, { name: null, idx: 0 });
      }
      case 'get': {
        const body = await asked('POST', `${path}/get`, { idx: asking.idx });
        return body && whole(body.entry, { name: null, idx: asking.idx });
      }
      case 'read': {
        const body = await asked('GET', `${path}?name=${asking.name}`);
        return body && whole(body.entry, { name: asking.name, idx: null });
      }
      case 'clear':
        return (await asked('DELETE', `${path}/all`))?.deletedCount;
      case 'delete':
        return deleted({ idx: asking.idx });
      case 'unset':
        return deleted({ name: asking.name });
      case 'list': {
        const body = await asked('GET', path);
        return body && listed(body.entries);
      }
      case 'expire':
        throw new Error('an expiry is not a call');
    }
  }
  return perform as Perform;
}

/** A client that calls the service itself, at the time of the clock that the service was given. */
export function serviceClientOf({ clipboard }: Pick<Services, 'clipboard'>, caller: Caller): Perform {
  const calls = async (asking: Call): Promise<Call['result']> => {
    switch (asking.kind) {
      case 'push':
        return written(bodyOf(await clipboard.push(caller, writeOf(asking))), asking.value, { name: null, idx: 0 });
      case 'set': {
        const { name } = asking;
        return written(bodyOf(await clipboard.set(caller, { ...writeOf(asking), name })), asking.value, {
          name,
          idx: null,
        });
      }
      case 'pop':
        return whole(bodyOf(await clipboard.pop(caller)), { name: null, idx: 0 });
      case 'get': {
        const entry = await clipboard.get(caller, { idx: asking.idx });
        return entry && whole(bodyOf(entry), { name: null, idx: asking.idx });
      }
      case 'read': {
        const entry = await clipboard.get(caller, { name: asking.name });
        return entry && whole(bodyOf(entry), { name: asking.name, idx: null });
      }
      case 'delete':
        return (await clipboard.remove(caller, { idx: asking.idx })) ?? false;
      case 'unset':
        return (await clipboard.remove(caller, { name: asking.name })) ?? false;
      case 'clear':
        return clipboard.clear(caller);
      case 'list':
        return listed((await clipboard.page(caller, {})).entries.map(bodyOf));
      case 'expire':
        throw new Error('an expiry is not a call');
    }
  };
  const perform = async (asking: Call): Promise<Call['result']> => {
    try {
      return await calls(asking);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
      if (error instanceof ApiError && error.code === 'UNAVAILABLE') return undefined;
      throw error;
    }
  };
  return perform as Perform;
}

const bodyOf = <Entry extends { expiresAt: Date }>({ expiresAt, ...entry }: Entry) => ({
  ...entry,
  expiresAt: expiresAt.toISOString(),
});

/** Every column that a client may write carries the value, so that a row mixed of two shows. */
const writeOf = ({ value, ttlSeconds }: { value: string; ttlSeconds?: number }) => ({
  value,
  createdByTool: value,
  createdByModel: value,
  ...(ttlSeconds !== undefined && { ttlSeconds }),
});

/** The value of an entry that is where it was looked for, and of one write alone. */
function whole(entry: EntryBody, place: Pick<EntryBody, 'name' | 'idx'>): string {
  const { name, idx, value, createdByTool, createdByModel } = entry;
  assert.deepEqual(
    { name, idx, createdByTool, createdByModel },
    { ...place, createdByTool: value, createdByModel: value },
  );
  return value;
}

function written(entry: EntryBody, value: string, place: Pick<EntryBody, 'name' | 'idx'>): Written {
  assert.equal(whole(entry, place), value);
  return { uuid: entry.uuid, expiresAt: Date.parse(entry.expiresAt as string) };
}

function listed(entries: readonly EntryBody[]): NonNullable<Extract<Call, { kind: 'list' }>['result']> {
  const stack = entries.filter(({ name }) => name === null);
  const names = entries.filter(({ name }) => name !== null);
  return {
    stack: stack.map((entry, idx) => whole(entry, { name: null, idx })),
    names: Object.fromEntries(names.map((entry) => [entry.name, whole(entry, { name: entry.name, idx: null })])),
  };
}
