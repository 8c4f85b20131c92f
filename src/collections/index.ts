export { type CollectionPage, type Collections, createCollections, type Import } from './collections.ts';
export type { Place } from './members.ts';
export type { CollectionNews } from './watch.ts';
