import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import type { DocumentRecord } from '../../src/documents/index.ts';
import type { Context } from '../context.ts';
import { perExecution } from '../loader.ts';

const documentLoader = perExecution(
  ({ caller, services }) =>
    new DataLoader((uuids: readonly string[]) => services.documents.findAll(caller, uuids), {
      cache: false,
      maxBatchSize: 100,
    }),
);

/** Reads a document by its uuid; all that a caller's operation asks for at once go in one statement. */
export const loadDocument = (
  context: Context,
  info: GraphQLResolveInfo,
  uuid: string,
): Promise<DocumentRecord | null> => documentLoader(context, info).load(uuid);
