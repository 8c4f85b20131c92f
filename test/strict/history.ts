/** What was written, as the answer to a push or a set tells it. */
export interface Written {
  readonly uuid: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What a list shows: the values of the stack, newest first, and those of the names. */
export interface Listed {
  readonly stack: readonly string[];
  readonly names: Readonly<Record<string, string>>;
}

interface Write {
  /** Unlike every other value of the history, so that an answer names the write that it saw. */
  readonly value: string;
  readonly ttlSeconds?: number;
}

/** A client's request and its response; no `result` if the outcome is unknown: a 5xx, or no answer. */
export type Call =
  | ({ readonly kind: 'push'; result?: Written } & Write)
  /** `null` for an empty stack. */
  | { readonly kind: 'pop'; result?: string | null }
  | { readonly kind: 'get'; readonly idx: number; result?: string | null }
  /** The id of what was deleted; `true` where the answer does not tell it, `false` for nothing. */
  | { readonly kind: 'delete'; readonly idx: number; result?: string | boolean }
  /** How many entries went. */
  | { readonly kind: 'clear'; result?: number }
  | { readonly kind: 'list'; result?: Listed }
  | ({ readonly kind: 'set'; readonly name: string; result?: Written } & Write)
  | { readonly kind: 'read'; readonly name: string; result?: string | null }
  | { readonly kind: 'unset'; readonly name: string; result?: string | boolean }
  /** Not a call: the instant from which the entry with this value is gone. It comes after the answer to its push or set. */
  | { readonly kind: 'expire'; readonly value: string; result?: true };

/** A call with the span in which it happened, in milliseconds of one monotonic clock. */
export type Operation = Call & {
  readonly client: number;
  readonly began: number;
  /** Infinity for an unknown outcome: it may still happen after the answer. */
  ended: number;
  /** The apparent time of the operation; only advice, for a search that does not try every order. */
  advised?: number | undefined;
};

export type History = readonly Operation[];

/** Runs one call, and tells its result; undefined for an unknown outcome. */
export type Perform = <Asked extends Call>(call: Asked) => Promise<Asked['result']>;

export interface Recorder {
  readonly operations: Operation[];
  /** Runs a call of a client and writes it down with its times. */
  record(client: number, perform: Perform, call: Call): Promise<Operation>;
  /** Writes down that entries expired now. */
  expired(values: readonly string[]): void;
}

/** Collects what all clients of one profile do, by the clock of this process. */
export function createRecorder(): Recorder {
  const operations: Operation[] = [];
  return {
    operations,
    async record(client, perform, call) {
      const operation: Operation = { ...call, client, began: performance.now(), ended: Number.POSITIVE_INFINITY };
      operations.push(operation);
      const result = await perform(call);
      if (result !== undefined) Object.assign(operation, { result, ended: performance.now() });
      return operation;
    },
    expired(values) {
      const now = performance.now();
      for (const value of values)
        operations.push({ kind: 'expire', value, result: true, client: -1, began: now, ended: now });
    },
  };
}

/** What happened to the entry of a value, put in words for the reader of a failed test. */
function told(operation: Operation, valueByUuid: ReadonlyMap<string, string>): string {
  const { kind, result } = operation;
  const asked =
    'value' in operation
      ? `${'name' in operation ? `${operation.name} = ` : ''}${operation.value}`
      : 'idx' in operation
        ? operation.idx
        : 'name' in operation
          ? operation.name
          : '';
  const answer =
    result === undefined
      ? 'outcome unknown'
      : kind === 'push' || kind === 'expire'
        ? ''
        : kind === 'set'
          ? `as ${(result as Written).uuid.slice(0, 8)}`
          : result === null
            ? 'nothing there'
            : kind === 'list'
              ? JSON.stringify(result)
              : (valueByUuid.get(String(result)) ?? String(result));
  return `${kind} ${asked}${answer === '' ? '' : ` -> ${answer}`}`;
}

/** The values by the ids that the writes were answered. */
export const valuesByUuid = (history: History): Map<string, string> =>
  new Map(
    history.flatMap((operation) =>
      (operation.kind === 'push' || operation.kind === 'set') && operation.result
        ? [[operation.result.uuid, operation.value] as const]
        : [],
    ),
  );

/** A history for people: a line per operation in the order in which they began, times in milliseconds from the first. */
export function shown(history: History): string {
  const valueByUuid = valuesByUuid(history);
  const start = Math.min(...history.map(({ began }) => began));
  const time = (at: number) => (at === Number.POSITIVE_INFINITY ? '?' : (at - start).toFixed(2)).padStart(9);
  return history
    .toSorted((a, b) => a.began - b.began)
    .map((operation) => {
      const who = operation.client < 0 ? 'clock' : `client ${operation.client}`;
      return `${time(operation.began)} ${time(operation.ended)}  ${who.padEnd(9)}  ${told(operation, valueByUuid)}`;
    })
    .join('\n');
}
