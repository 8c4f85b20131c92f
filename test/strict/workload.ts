import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Call, createRecorder, type History, type Operation, type Perform, type Recorder } from './history.ts';
import type { Random } from './random.ts';

/** The seed of a run: a new one each time, or `STRICT_SEED` to have the same calls again. (Not the same timing: that is the machine's.) */
export const seed = Number(process.env.STRICT_SEED ?? randomInt(2 ** 31));

/** Says the seed where a person who reads the output of a test run finds it. */
export const reportSeed = (of: string, figures = '') =>
  void process.stdout.write(`${of}: STRICT_SEED=${seed}${figures && `, ${figures}`}\n`);

/** How often each kind of call is made, as shares of any sum. */
export type Mix = Partial<Record<Exclude<Call['kind'], 'expire'>, number>>;

export interface Load {
  readonly mix: Mix;
  readonly callsEach: number;
  /** Indices that are read and deleted are below this. */
  readonly idxMax?: number;
  readonly names?: readonly string[];
  /** The longest that a client waits before each call; nothing if left out. */
  readonly pauseMs?: number;
  /** Pushes of one client, one after the other, before all the rest. */
  readonly pushedFirst?: number;
  readonly ttlSeconds?: (random: Random) => number | undefined;
}

function callOf(value: string, load: Load, random: Random): Call {
  const { mix, idxMax = 4, names = ['n'], ttlSeconds = () => undefined } = load;
  const kinds = Object.entries(mix) as [keyof Mix, number][];
  let left = random() * kinds.reduce((sum, [, share]) => sum + share, 0);
  const [kind] = kinds.find(([, share]) => {
    left -= share;
    return left < 0;
  }) as [keyof Mix, number];
  const idx = Math.floor(random() * idxMax);
  const name = names[Math.floor(random() * names.length)] as string;
  const lifetime = ttlSeconds(random);
  const write = { value, ...(lifetime !== undefined && { ttlSeconds: lifetime }) };
  switch (kind) {
    case 'push':
      return { kind, ...write };
    case 'set':
      return { kind, name, ...write };
    case 'get':
    case 'delete':
      return { kind, idx };
    case 'read':
    case 'unset':
      return { kind, name };
    default:
      return { kind };
  }
}

/**
 * Has all clients work on one profile at once, each doing one thing after the other, and lists what is left in the end.
 *
 * @param options.between Done after each of the rounds, where no call is under way: a clock may move there.
 */
export async function historyOf(
  clients: readonly Perform[],
  load: Load,
  random: Random,
  options: { rounds?: number; between?: (recorder: Recorder, round: number) => void | Promise<void> } = {},
): Promise<Operation[]> {
  const { rounds = 1, between = () => undefined } = options;
  const recorder = createRecorder();
  const [first] = clients as [Perform];
  for (let i = 0; i < (load.pushedFirst ?? 0); i++)
    await recorder.record(0, first, { kind: 'push', value: `base.${i}` });
  for (let round = 0; round < rounds; round++) {
    const plans = clients.map((_, client) =>
      Array.from({ length: load.callsEach }, (_, i) => ({
        call: callOf(`${client}.${round * load.callsEach + i}`, load, random),
        afterMs: random() * (load.pauseMs ?? 0),
      })),
    );
    const work = clients.map(async (perform, client) => {
      for (const { call, afterMs } of plans[client] ?? []) {
        if (afterMs > 0) await delay(afterMs);
        await recorder.record(client, perform, call);
      }
    });
    await Promise.all(work);
    await between(recorder, round);
  }
  while ((await recorder.record(0, first, { kind: 'list' })).result === undefined);
  return recorder.operations;
}

/** Adds the instants at which entries expired, where the history goes on that long. */
export function withExpiries(history: readonly Operation[], offset: number, blurMs: number): Operation[] {
  const end = Math.max(...history.map(({ ended }) => (ended === Number.POSITIVE_INFINITY ? 0 : ended)));
  const expiries = history.flatMap((operation): Operation[] => {
    if ((operation.kind !== 'push' && operation.kind !== 'set') || !operation.result) return [];
    const at = operation.result.expiresAt - offset;
    if (at - blurMs > end) return [];
    const { value } = operation;
    return [{ kind: 'expire', value, result: true, client: -1, began: at - blurMs, ended: at + blurMs, advised: at }];
  });
  return [...history, ...expiries];
}

/** Entries that were popped or deleted more than once, that are also in the list, or that no client wrote. */
export function troublesOf(history: History): string[] {
  const written = new Map<string, string>();
  const gone: string[] = [];
  const troubles: string[] = [];
  for (const operation of history) {
    if (operation.kind === 'push') written.set(operation.value, operation.result?.uuid ?? '');
    if (operation.kind === 'pop' && typeof operation.result === 'string') gone.push(operation.result);
  }
  const byUuid = new Map([...written].map(([value, uuid]) => [uuid, value]));
  for (const operation of history)
    if (operation.kind === 'delete' && typeof operation.result === 'string')
      gone.push(byUuid.get(operation.result) ?? operation.result);
  const last = history.findLast((operation) => operation.kind === 'list');
  const left = last?.kind === 'list' ? (last.result?.stack ?? []) : [];
  const seen = new Set<string>();
  for (const value of [...gone, ...left]) {
    if (!written.has(value)) troubles.push(`written by no client: ${value}`);
    if (seen.has(value)) troubles.push(`there after it was taken, or taken twice: ${value}`);
    seen.add(value);
  }
  const mayLose = history.some(({ kind, result }) => kind === 'clear' || kind === 'expire' || result === undefined);
  if (!mayLose) for (const value of written.keys()) if (!seen.has(value)) troubles.push(`lost: ${value}`);
  return troubles;
}
