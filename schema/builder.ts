import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import { DateTimeISOResolver, JSONObjectResolver, UUIDResolver } from 'graphql-scalars';
import type { PrismaClient } from '../prisma/generated/client/client.ts';
import type PrismaTypes from '../prisma/generated/pothos-prisma-types.ts';
import { getDatamodel } from '../prisma/generated/pothos-prisma-types.ts';
import { ApiError } from '../src/platform/errors.ts';
import type { Context } from './context.ts';

/** The types that have a global id. Known once the graph is built (schema/index.ts). */
export const nodeTypes = new Set<string>();

/** @throws {ApiError} `VALIDATION_ERROR` for a global id of an unknown type, before Pothos fails on it. */
function decodeGlobalID(globalId: string): { typename: string; id: string } {
  const text = Buffer.from(globalId, 'base64').toString();
  const colon = text.indexOf(':');
  const typename = text.slice(0, Math.max(colon, 0));
  if (!nodeTypes.has(typename))
    throw new ApiError('VALIDATION_ERROR', 'Validation error', { details: { id: 'id is not a global id' } });
  return { typename, id: text.slice(colon + 1) };
}

/** What the builder knows of our types; no type of the graph is defined here. */
export const builder = new SchemaBuilder<{
  Context: Context;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
  PrismaTypes: PrismaTypes;
  Scalars: {
    DateTime: { Input: Date; Output: Date };
    JSONObject: { Input: Record<string, unknown>; Output: Record<string, unknown> };
    UUID: { Input: string; Output: string };
    ID: { Input: string; Output: string };
  };
}>({
  plugins: [RelayPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: ({ prisma }) => prisma as PrismaClient,
    dmmf: getDatamodel(),
    exposeDescriptions: false,
    filterConnectionTotalCount: true,
    maxConnectionSize: 100,
    defaultConnectionSize: 20,
    onUnusedQuery: process.env.NODE_ENV === 'test' ? 'error' : null,
  },
  relay: {
    cursorType: 'String',
    decodeGlobalID,
    nodeTypeOptions: { description: 'An object with a global id.' },
    nodeQueryOptions: {
      args: { id: { description: 'The global id.' } },
      description: 'Any object by its global id; null if it does not exist or you may not see it.',
    },
    nodesQueryOptions: {
      args: { ids: { description: 'The global ids.' } },
      description: 'Several objects by their global ids, in the same order; null entries as for `node`.',
    },
    idFieldOptions: { description: 'The global id.' },
    pageInfoTypeOptions: { description: 'Position of a page in a connection.' },
    hasNextPageFieldOptions: { description: 'Whether there are objects after this page.' },
    hasPreviousPageFieldOptions: {
      description: 'Whether there are objects before this page. False if it is not known.',
    },
    startCursorFieldOptions: { description: 'The cursor of the first edge; null on an empty page.' },
    endCursorFieldOptions: { description: 'The cursor of the last edge, to pass as `after`; null on an empty page.' },
    firstArgOptions: { description: 'Number of objects: at most 100, 20 by default.' },
    afterArgOptions: { description: 'The cursor after which the page begins.' },
    lastArgOptions: { description: 'Number of objects from the end: at most 100.' },
    beforeArgOptions: { description: 'The cursor before which the page ends.' },
    edgesFieldOptions: { description: 'The objects of this page, each with its cursor.' },
    cursorFieldOptions: { description: 'Cursor of this edge.' },
    nodeFieldOptions: { description: 'The object.' },
    nodesOnConnection: { description: 'The objects of this page.' },
    defaultConnectionTypeOptions: { description: 'A page of a list.' },
    defaultEdgeTypeOptions: { description: 'An object and its cursor.' },
  },
});

builder.addScalarType('DateTime', DateTimeISOResolver, {
  description: 'An instant: ISO 8601 in UTC, to the millisecond.',
});
builder.addScalarType('JSONObject', JSONObjectResolver, { description: 'Any JSON object.' });
builder.addScalarType('UUID', UUIDResolver, { description: 'A UUID in its canonical form.' });

builder.queryType({ description: 'All operations that read data.' });
builder.mutationType({ description: 'All operations that change data.' });
builder.subscriptionType({ description: 'Live events, over graphql-ws or server-sent events.' });

/** What the fields of an input type are made with. */
export type InputFieldBuilder = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];
