import { z } from 'zod';
import { firstRows, listOf, pageRequest, shownLabel, storableText, trueOrFalse } from '../platform/input/input.ts';

/** UTF-16 code units, as JSON Schema's `maxLength` is read by most. */
const nameMax = 200;
const descriptionMax = 2_000;
/** Servers of one collection. */
const serversMax = 500;

/** Collections of one page, also of the page for a caller that gives no limit. Source: docs/specification/collections.md#list. */
const pageRowsMax = 1_000;

const Name = shownLabel('name', nameMax);
const Description = storableText('description').max(
  descriptionMax,
  `description must be at most ${descriptionMax} characters`,
);

/**
 * The servers in their order; one that is named twice counts where it is named first. Which of them there are is the service's
 * to say: a malformed id is answered like an unknown one.
 */
const ServerUuids = listOf('serverUuids', z.string({ error: 'each of serverUuids must be a string' }), {
  of: 'strings',
  max: serversMax,
});

const IsPublic = trueOrFalse('isPublic');

/** Source: docs/specification/collections.md#create. */
export const NewCollection = z.object({
  name: Name,
  description: Description.nullish(),
  serverUuids: ServerUuids.nullish(),
  isPublic: IsPublic.nullish(),
  profileUuid: z.string({ error: 'profileUuid must be a string' }).nullish(),
});

/** Omitted fields keep their values; null empties a field that may be empty. Source: docs/specification/collections.md#update. */
export const CollectionChange = z.object({
  name: Name.nullish(),
  description: Description.nullish(),
  serverUuids: ServerUuids.nullish(),
  isPublic: IsPublic.nullish(),
});

export const PageRequest = pageRequest(pageRowsMax, pageRowsMax);

/** A page of the servers of a collection, for the graph: 0 to 500, 20 if left out. */
export const ServersRequest = z.object({
  first: firstRows(serversMax),
  /** The service that made a cursor validates it. */
  after: z.string({ error: 'after must be a string' }).nullish(),
});
