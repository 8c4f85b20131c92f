import type { Services } from '../../schema/context.ts';
import { extractiveModel } from '../chat/input.ts';
import type { Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { isApiError } from '../platform/errors.ts';
import type { Story } from './story.ts';

const title = 'Questions about the library';
const question = 'How many days of leave are there in a year?';
/** The title of the document that answers it. */
const source = 'Employee handbook';

/**
 * A session with the extractive model, which needs no endpoint and costs nothing. Its question follows when the
 * documents are ready.
 */
export function addChat({ at }: Story): void {
  at(1.6, ({ services, as }) => services.chat.sessions.create(as('owner'), { title, model: extractiveModel }));
}

/**
 * Asks the question of the sample session, once. The document that answers it is read first, unless another worker reads it already:
 * then the session stays empty.
 */
export async function askSampleQuestion(
  { chat, documents }: Pick<Services, 'chat' | 'documents'>,
  { prisma }: Pick<Database, 'prisma'>,
  owner: Caller,
): Promise<void> {
  const profileUuid = owner.principal?.profileUuid ?? '';
  const document = await prisma.document.findFirst({ where: { profileUuid, title: source, deletedAt: null } });
  if (document === null) return;
  await documents.ingestion.settle(document.uuid);
  const { indexedVersion } = await prisma.document.findUniqueOrThrow({ where: { uuid: document.uuid } });
  const session = await prisma.chatSession.findFirst({ where: { profileUuid, title, lastOrdinal: 0 } });
  if (session === null || indexedVersion === null) return;
  await chat.messages.send(owner, { sessionId: session.uuid, message: question }, 45).catch((error: unknown) => {
    // Another process that makes the sample data has asked.
    if (!isApiError(error) || error.code !== 'CONFLICT') throw error;
  });
}
