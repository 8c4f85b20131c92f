import { authorize, type Caller } from '../platform/caller.ts';
import type { Events } from '../platform/messaging/events.ts';

/** What happened to a collection. */
export interface CollectionNews {
  readonly kind: 'CREATED' | 'UPDATED' | 'DELETED';
  readonly uuid: string;
}

const channelOf = (profileUuid: string) => `collections:${profileUuid}`;

/** Live events of collections. They may be lost; events that must arrive go to the outbox. */
export function createWatch({ events }: { events: Events }) {
  /** The changes of the caller's own collections, in every process, from when it resolves. */
  async function changed(caller: Caller): Promise<AsyncGenerator<CollectionNews, void, void>> {
    const { profileUuid } = authorize(caller, 'collections:read');
    return events.subscribe<CollectionNews>(channelOf(profileUuid));
  }

  /** To be called after the commit. */
  const tell = (profileUuid: string, news: CollectionNews) => events.publish(channelOf(profileUuid), news);

  return { changed, tell };
}
