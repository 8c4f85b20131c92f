import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import type { DocumentRecord } from '../../src/documents/index.ts';
import type { Caller } from '../../src/platform/caller.ts';
import type { Context } from '../context.ts';

type DocumentLoader = DataLoader<string, DocumentRecord | null>;

/** By execution, whose variables are its own, and by caller: a sign-in changes the caller in the middle of an operation. */
const loaders = new WeakMap<object, WeakMap<Caller, DocumentLoader>>();

/** Reads a document by its uuid; all that a caller's operation asks for at once go in one statement. Nothing is kept. */
export function loadDocument(
  { caller, services }: Context,
  info: GraphQLResolveInfo,
  uuid: string,
): Promise<DocumentRecord | null> {
  const ofExecution = loaders.get(info.variableValues) ?? new WeakMap<Caller, DocumentLoader>();
  loaders.set(info.variableValues, ofExecution);
  let loader = ofExecution.get(caller);
  if (!loader) {
    loader = new DataLoader((uuids) => services.documents.findAll(caller, uuids), { cache: false, maxBatchSize: 100 });
    ofExecution.set(caller, loader);
  }
  return loader.load(uuid);
}
