import { authorize, type Caller } from '../platform/caller.ts';
import type { Events } from '../platform/messaging/events.ts';

/** What happened to a collection. */
export interface CollectionEvent {
  readonly kind: 'CREATED' | 'UPDATED' | 'DELETED';
  readonly uuid: string;
}

const channelOf = (profileUuid: string) => `collections:${profileUuid}`;

/** Live events of collections. They may be lost; events that must arrive go to the outbox. */
export function createWatch({ events }: { events: Events }) {
  /** The changes of the caller's own collections, in every process, from when it resolves. */
  async function changed(caller: Caller): Promise<AsyncGenerator<CollectionEvent, void, void>> {
    const { profileUuid } = authorize(caller, 'collections:read');
    return events.subscribe<CollectionEvent>(channelOf(profileUuid));
  }

  /** To be called after the commit. */
  const publish = (profileUuid: string, event: CollectionEvent) => events.publish(channelOf(profileUuid), event);

  return { changed, publish };
}
