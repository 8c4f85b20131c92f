import type { Services } from '../../schema/context.ts';
import { createServices } from '../../src/main/services.ts';
import { createTestServices, keyOf, openTestInfrastructure, signUp, type TestServices } from '../support/services.ts';
import type { Perform } from './history.ts';
import { keepJournal } from './journal.ts';
import { serviceClientOf } from './product-clients.ts';

export interface TwoServices extends TestServices {
  /** So many clients of a new profile, half of them at either of the services. */
  crowd(clients: number): Promise<{ profileUuid: string; performs: Perform[] }>;
}

/** Two of all services, each with pools of its own, over one database and by one clock that the test moves. */
export async function createTwoServices(): Promise<TwoServices> {
  const one = await createTestServices();
  const two: Services = createServices(await openTestInfrastructure({ url: one.url, clock: one.clock }));
  await keepJournal(one.database);
  return {
    ...one,
    async crowd(clients) {
      const { caller } = await keyOf(one.services, await signUp(one.services));
      const performs = Array.from({ length: clients }, (_, c) => serviceClientOf(c % 2 ? two : one.services, caller));
      return { profileUuid: String(caller.principal?.profileUuid), performs };
    },
  };
}
