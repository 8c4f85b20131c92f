import type { ChatMessage, ChatSession, Prisma } from '../../prisma/generated/client/client.ts';
import { ApiError } from '../platform/errors.ts';

export type SessionRecord = ChatSession;
export type MessageRecord = ChatMessage;

/** Columns and relations to read. */
export type SessionShape = Pick<Prisma.ChatSessionFindManyArgs, 'select' | 'include'>;
export type MessageShape = Pick<Prisma.ChatMessageFindManyArgs, 'select' | 'include'>;

/** Also for another profile's. */
export const sessionNotFound = () => new ApiError('NOT_FOUND', 'Chat session not found');
export const messageNotFound = () => new ApiError('NOT_FOUND', 'Chat message not found');
