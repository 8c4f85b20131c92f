import { tellAgents } from './agents.ts';
import { tellChat } from './chat.ts';
import { tellCollections } from './collections.ts';
import { tellDocuments } from './documents.ts';
import { tellClipboard, tellNotifications, tellWebhooks } from './inbox.ts';
import { tellOauth } from './oauth.ts';
import { tellRegistry, tellSubmission } from './registry.ts';
import { tellSearches } from './searches.ts';
import { tellPeople, tellServers } from './servers.ts';
import type { Story } from './story.ts';
import { tellUsageOfOwner, tellUsageOfPeople } from './usage.ts';

// What the sample data tells of. A new area adds its chapter here: to the people's where it is there once for the whole
// platform (what is searched, submitted, trending), to the owner's where every profile has its own (documents, agents).

/** Once for a platform: the people, their servers, and what they do with each other's. */
export const chaptersOfPeople: readonly ((story: Story) => void)[] = [
  tellPeople,
  tellServers('people'),
  tellUsageOfPeople,
  tellCollections('people'),
  tellRegistry,
  tellSearches,
];

/** Once for each profile that is given sample data. */
export const chaptersOfOwner: readonly ((story: Story) => void)[] = [
  tellServers('owner'),
  tellUsageOfOwner,
  tellCollections('owner'),
  tellNotifications,
  tellChat,
  tellClipboard,
  tellWebhooks,
  tellOauth,
  tellAgents,
  tellDocuments,
  tellSubmission,
];
