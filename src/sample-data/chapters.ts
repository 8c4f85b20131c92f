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

// The contents of the sample data. A new area adds its chapter here: to the people's if it exists once for the whole
// platform (searches, submissions, trends), to the owner's if every profile has its own (documents, agents).

/** Once for a platform: the sample users, their servers, and how they use each other's. */
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
