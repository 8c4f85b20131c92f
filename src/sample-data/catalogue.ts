import type { SampleServer } from './sample-server.ts';
import { serversOfOwner } from './servers-of-owner.ts';
import { serversOfPeople } from './servers-of-people.ts';

/** All servers of the sample data. No two have the same name. */
export const catalogue: readonly SampleServer[] = [...serversOfOwner, ...serversOfPeople];
