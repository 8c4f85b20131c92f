import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/deadline.ts';
import { newDataDir, type Product, removeDataDir, startProduct } from '../support/product.ts';
import { type Answer, type Call, callerOf } from '../support/server.ts';
import { encryptionKeys } from '../support/services.ts';
import { startStopwatch } from '../support/stopwatch.ts';
import { withheldMs } from '../support/withheld-time.ts';

/**
 * Products over one database, each on a port of its own, so that a test can choose between them; ended after the last test of
 * the file.
 *
 * @param program `web-process` for those that count as the `PROCESSES` of one product.
 */
export async function startProducts(
  count: number,
  environment: Record<string, string>,
  program: 'start' | 'web-process' = 'start',
): Promise<Product[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const dataDir = await newDataDir();
      cleanUp(() => removeDataDir(dataDir));
      const product = await startProduct(dataDir, { ENCRYPTION_KEYS: encryptionKeys, ...environment }, program);
      cleanUp(() => product.kill());
      return product;
    }),
  );
}

/** Calls one product after the other. */
export function inTurn(products: readonly Pick<Product, 'base'>[], secret: string | null): Call {
  const calls = products.map((product) => callerOf(product, secret));
  let turn = 0;
  return (...request) => (calls[turn++ % calls.length] as Call)(...request);
}

/** The value of a gauge of /metrics, by its name and labels as they are printed. */
export async function gaugeOf(product: Pick<Product, 'base'>, series: string): Promise<number | undefined> {
  return gaugeIn(await metricsOf(product), series);
}

/**
 * Values of gauges that were read after this call: processes share an answer of /metrics for a second, and each differs from the
 * one before, because it counts requests.
 */
export async function freshGaugesOf(
  product: Pick<Product, 'base'>,
  series: readonly string[],
): Promise<(number | undefined)[]> {
  const before = await metricsOf(product);
  const text = await eventually('fresh metrics', async () => {
    const now = await metricsOf(product);
    return now === before ? null : now;
  });
  return series.map((each) => gaugeIn(text, each));
}

const metricsOf = async ({ base }: Pick<Product, 'base'>): Promise<string> => (await fetch(`${base}/metrics`)).text();

function gaugeIn(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

export interface Timed extends Answer {
  /** How long it took, as `startClock` counts it. */
  readonly milliseconds: number;
}

/**
 * Starts a clock that stands still while a busy machine gives the test (`startStopwatch`) or the product (`withheldMs`) no time.
 *
 * @returns A function that gives the milliseconds since the start.
 */
export function startClock(
  product: Pick<Product, 'child' | 'webProcesses'>,
  elapsedMs = startStopwatch(),
): () => number {
  const pids = [Number(product.child.pid), ...product.webProcesses()];
  const givenMs = () => elapsedMs() - withheldMs(pids);
  const start = givenMs();
  return () => givenMs() - start;
}

/** One client per key: asks again and again, until it is told to stop. */
export function startAsking(
  products: readonly Pick<Product, 'base' | 'child' | 'webProcesses'>[],
  secret: string,
  ask: (call: Call) => Promise<Answer>,
): { readonly answers: Timed[]; stop(): Promise<Timed[]> } {
  const answers: Timed[] = [];
  const elapsedMs = startStopwatch();
  const clocks = new Map([...new Set(products)].map((product) => [product, startClock(product, elapsedMs)]));
  let isOver = false;
  const clients = products.map(async (product) => {
    const call = callerOf(product, secret);
    const clock = clocks.get(product) ?? elapsedMs;
    while (!isOver) {
      const begun = clock();
      const answer = await ask(call);
      answers.push({ ...answer, milliseconds: clock() - begun });
    }
  });
  return {
    answers,
    async stop() {
      isOver = true;
      await Promise.all(clients);
      return answers;
    },
  };
}

/** How many answers there are of each status. */
export function countByStatus(answers: readonly Pick<Answer, 'status'>[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
