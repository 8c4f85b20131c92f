import { authorize, type Caller } from '../platform/caller.ts';
import { requireUuid } from '../platform/input/input.ts';
import { type Events, filtered } from '../platform/messaging/events.ts';
import { documentNotFound, type IngestionStatus } from './document.ts';

/** How far the ingestion of a document is. */
export interface DocumentProgress {
  readonly documentUuid: string;
  readonly version: number;
  readonly status: IngestionStatus;
  /** Percent. */
  readonly progress: number;
  /** Why it failed, for people. */
  readonly failureReason: string | null;
}

const channelOf = (profileUuid: string) => `documents:${profileUuid}`;

/** Live events of documents. They may be lost; the document itself always has the current status. */
export function createProgress({
  events,
  find,
}: {
  events: Events;
  /** @throws {ApiError} `NOT_FOUND` for a document that is not the profile's. */
  find(caller: Caller, uuid: string): Promise<{ profileUuid: string }>;
}) {
  /**
   * The progress of the caller's documents, of all or of one, from when it resolves.
   *
   * @throws {ApiError} `NOT_FOUND` for a document that the caller cannot see.
   */
  async function follow(
    caller: Caller,
    input: { documentUuid?: string | null | undefined } = {},
  ): Promise<AsyncGenerator<DocumentProgress, void, void>> {
    const { profileUuid } = authorize(caller, 'documents:read');
    const uuid =
      (input.documentUuid ?? null) === null ? null : requireUuid(String(input.documentUuid), documentNotFound);
    // Events of a shared document go only to its own profile.
    if (uuid !== null) await find(caller, uuid);
    const stream = await events.subscribe<DocumentProgress>(channelOf(profileUuid));
    return uuid === null ? stream : filtered(stream, async (each) => each.documentUuid === uuid);
  }

  /** To be called after the commit. */
  const publish = (profileUuid: string, event: DocumentProgress): void => events.publish(channelOf(profileUuid), event);

  return { follow, publish };
}

export type Progress = ReturnType<typeof createProgress>;
