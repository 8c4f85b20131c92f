import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeAll, expect, inject } from 'vitest';
import { eventually } from './deadline.ts';
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

/** A folder in which the product ran once and was stopped, and what it said. */
interface Prepared {
  readonly dataDir: string;
  readonly firstLines: readonly string[];
}

/** The prepared folder of the run: the first file that needs it makes it, and others wait. */
async function preparedOfRun(): Promise<Prepared> {
  const dataDir = path.join(inject('sharedFolder'), 'product');
  const outcome = `${dataDir}.json`;
  const isFirst = await mkdir(dataDir).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const made = await ranOnce(dataDir).catch(({ message }: Error) => ({ message }));
    // Complete, or not there at all.
    await writeFile(`${outcome}.new`, JSON.stringify(made));
    await rename(`${outcome}.new`, outcome);
  }
  const text = await eventually('the prepared product', () => readFile(outcome, 'utf8').catch(() => null));
  const prepared: Prepared | { message: string } = JSON.parse(text);
  if ('message' in prepared) throw new Error(`the product could not be prepared: ${prepared.message}`);
  return prepared;
}

async function ranOnce(dataDir: string): Promise<Prepared> {
  await chmod(dataDir, 0o711);
  const product = await startProduct(dataDir);
  expect(await product.terminate()).toBe(0);
  return { dataDir, firstLines: product.lines };
}

/**
 * For the tests of a file: copies of a folder in which the product ran once and was stopped. Starting anew takes most of two seconds.
 *
 * @param parent Where the folders lie; in memory by default, where there is room.
 */
export function prepareProduct(parent?: string): PreparedProduct {
  let prepared: Prepared;
  let key: string;
  const undo: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    prepared = await preparedOfRun();
    key = (await readFile(path.join(prepared.dataDir, 'demo-api-key'), 'utf8')).trim();
  });

  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  const removedLater = (dataDir: string) => {
    undo.push(() => removeDataDir(dataDir));
    return dataDir;
  };

  return {
    get key() {
      return key;
    },
    get prepared() {
      return prepared.dataDir;
    },
    get firstLines() {
      return prepared.firstLines;
    },
    emptyDataDir: async () => removedLater(await newDataDir(parent)),
    dataDirOf: async (source = prepared.dataDir) => removedLater(await copyOfDataDir(source, parent)),
    async start(dataDir, environment = {}) {
      const product = await startProduct(dataDir, environment);
      undo.push(() => product.kill());
      return product;
    },
  };
}
