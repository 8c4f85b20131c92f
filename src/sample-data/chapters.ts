import { addAgents } from './agents.ts';
import { addChat } from './chat.ts';
import { addCollections } from './collections.ts';
import { addDocuments } from './documents.ts';
import { addClipboard, addNotifications, addWebhooks } from './inbox.ts';
import { addOauth } from './oauth.ts';
import { addRegistry, addSubmission } from './registry.ts';
import { addSearches } from './searches.ts';
import { addPeople, addServers } from './servers.ts';
import type { Story } from './story.ts';
import { addUsageOfOwner, addUsageOfPeople } from './usage.ts';

// The contents of the sample data. A new area adds its chapter here: to the people's if it exists once for the whole
// platform (searches, submissions, trends), to the owner's if every profile has its own (documents, agents).

/** Once for a platform: the sample users, their servers, and how they use each other's. */
export const chaptersOfPeople: readonly ((story: Story) => void)[] = [
  addPeople,
  addServers('people'),
  addUsageOfPeople,
  addCollections('people'),
  addRegistry,
  addSearches,
];

/** Once for each profile that is given sample data. */
export const chaptersOfOwner: readonly ((story: Story) => void)[] = [
  addServers('owner'),
  addUsageOfOwner,
  addCollections('owner'),
  addNotifications,
  addChat,
  addClipboard,
  addWebhooks,
  addOauth,
  addAgents,
  addDocuments,
  addSubmission,
];
