export {
  createDocumentArea,
  type DocumentArea,
  type DocumentAreaDependencies,
} from './area.ts';
export type { Attribution, DocumentRecord, VersionRecord } from './document.ts';
export { createEmbeddingProviders } from './embedding/provider.ts';
export { createExcerpts } from './excerpts.ts';
export { createExtractor } from './extraction/extraction.ts';
export type { ReceivedFile } from './files.ts';
export { documentJobs } from './jobs.ts';
export { createDocumentMetrics } from './metrics.ts';
export type { DocumentProgress } from './progress.ts';
export type { StorageStatistics } from './quota.ts';
export type { DocumentDifference } from './reading/difference.ts';
export type { GrepMatch, GrepPage } from './reading/grep.ts';
export type { DocumentLines } from './reading/lines.ts';
export type { FoundDocument, FoundDocuments, Passage, SearchCitation } from './search/search.ts';
export { createStorage } from './storage/storage.ts';
