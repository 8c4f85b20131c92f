import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { copyOfDataDir, newDataDir, type Product, removeDataDir, startProduct } from './product.ts';

export interface PreparedProduct {
  /** The demo key, the same in every copy. */
  readonly key: string;
  /** The folder itself, in which nothing runs. */
  readonly prepared: string;
  /** What the first run of all put on its standard output. */
  readonly firstLines: readonly string[];
  /** An empty data folder of the test. */
  emptyDataDir(): Promise<string>;
  /** A copy of the prepared folder, or of another one, of the test. */
  dataDirOf(source?: string): Promise<string>;
  /** A product that is killed when the test is over, if it still runs. */
  start(dataDir: string, environment?: Record<string, string>): Promise<Product>;
}

/** For the tests of a file: a folder in which the product ran once and was stopped. Starting anew takes most of two seconds. */
export function prepareProduct(): PreparedProduct {
  let prepared: string;
  let key: string;
  let firstLines: readonly string[];
  const undo: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    prepared = await newDataDir();
    const product = await startProduct(prepared);
    key = product.demoKey();
    firstLines = product.lines;
    expect(await product.terminate()).toBe(0);
  });

  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  afterAll(() => removeDataDir(prepared));

  const removedLater = (dataDir: string) => {
    undo.push(() => removeDataDir(dataDir));
    return dataDir;
  };

  return {
    get key() {
      return key;
    },
    get prepared() {
      return prepared;
    },
    get firstLines() {
      return firstLines;
    },
    emptyDataDir: async () => removedLater(await newDataDir()),
    dataDirOf: async (source = prepared) => removedLater(await copyOfDataDir(source)),
    async start(dataDir, environment = {}) {
      const product = await startProduct(dataDir, environment);
      undo.push(() => product.kill());
      return product;
    },
  };
}
