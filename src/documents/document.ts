import { ApiError } from '../platform/errors.ts';
import type { DocumentSource, DocumentVisibility } from './input.ts';

export type IngestionStatus = 'received' | 'indexing' | 'ready' | 'failed';

/** What a version of a document is. */
export interface VersionFacts {
  /** From 1. */
  readonly version: number;
  readonly fileName: string;
  /** Bytes. */
  readonly fileSize: number;
  readonly mimeType: string;
  /** SHA-256 of the file in hexadecimal. */
  readonly contentHash: string;
  readonly status: IngestionStatus;
  readonly failureCode: string | null;
  /** A sentence for people. */
  readonly failureReason: string | null;
  /** Percent of the ingestion that is done. */
  readonly progress: number;
  /** When the running attempt of the ingestion began. */
  readonly startedAt: Date | null;
  /** When a worker next takes it up; null once it is ready or has failed for good. */
  readonly dueAt: Date | null;
}

/** Source: docs/specification/documents.md#document. */
export interface DocumentRecord extends VersionFacts {
  readonly uuid: string;
  readonly profileUuid: string;
  readonly title: string;
  readonly description: string | null;
  readonly source: DocumentSource;
  readonly tags: string[];
  readonly visibility: DocumentVisibility;
  /** The version that search finds; null for none. */
  readonly indexedVersion: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
  readonly attributions: Attribution[];
}

export interface VersionRecord extends VersionFacts {
  readonly documentUuid: string;
  readonly createdAt: Date;
  readonly readyAt: Date | null;
  /** Whether it is the newest of its document. */
  readonly isCurrent: boolean;
}

/** What an AI model contributed. */
export interface Attribution {
  readonly modelProvider: string;
  readonly modelName: string;
  readonly contribution: 'created' | 'updated';
  readonly createdAt: Date;
}

/** The same for a document that does not exist, a malformed id, and a document of another profile. */
export const documentNotFound = () => new ApiError('NOT_FOUND', 'Document not found');
/** The failure of versions whose file is no longer in the storage. */
export const fileMissing = {
  code: 'FILE_MISSING',
  reason: 'The file of the document is missing from the storage. Upload it again.',
} as const;
export const versionNotFound = () => new ApiError('NOT_FOUND', 'Version not found');
const profileNotFound = () => new ApiError('NOT_FOUND', 'Profile not found');

/** @throws {ApiError} `NOT_FOUND` when a profile is named that is not the caller's own. */
export function requireOwn(profileUuid: string, asked: string | null | undefined): void {
  if (asked !== null && asked !== undefined && asked.toLowerCase() !== profileUuid) throw profileNotFound();
}
