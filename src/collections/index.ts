export { type Collections, createCollections } from './collections.ts';
export type { Place } from './members.ts';
export type { CollectionEvent } from './watch.ts';
