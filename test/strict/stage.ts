import { beforeAll } from 'vitest';
import { cleanUp } from '../support/cleanup.ts';
import { newDataDir, type Product, removeDataDir, startProduct } from '../support/product.ts';
import { createTestServices, encryptionKeys, keyOf, signUp, type TestServices } from '../support/services.ts';

export interface Stage extends TestServices {
  /** Two products, each a process of its own, over one database. */
  readonly products: readonly [Product, Product];
  /** A new profile, and a key of it. */
  newProfile(): Promise<{ secret: string; profileUuid: string }>;
}

/** Two server processes and the services of this one, all over the same database; they end with the test file. */
export async function createStage(): Promise<Stage> {
  const own = await createTestServices();
  // A user has signed up before the products start, so they create no demo account.
  const user = await signUp(own.services);
  const projectUuid = String(user.principal?.projectUuid);
  const products: Product[] = [];
  const dataDirs: string[] = [];
  cleanUp(async () => {
    await Promise.all(products.map((product) => product.terminate()));
    await Promise.all(dataDirs.map(removeDataDir));
  });
  beforeAll(async () => {
    dataDirs.push(await newDataDir(), await newDataDir());
    const environment = { DATABASE_URL: own.url, ENCRYPTION_KEYS: encryptionKeys };
    products.push(...(await Promise.all(dataDirs.map((dataDir) => startProduct(dataDir, environment)))));
  });
  let profiles = 0;
  return {
    ...own,
    products: products as unknown as [Product, Product],
    async newProfile() {
      const { uuid: profileUuid } = await own.services.auth.profiles.create(user, {
        projectUuid,
        name: `p${++profiles}`,
      });
      return { profileUuid, secret: (await keyOf(own.services, user, { profileUuid })).secret };
    },
  };
}
