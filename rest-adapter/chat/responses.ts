import { z } from 'zod';
import { messageStatuses, toolCallStatuses } from '../../src/chat/input.ts';

const uuid = z.uuid();
const instant = z.iso.datetime();

const usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  totalTokens: z.number(),
});

const session = z
  .object({
    sessionId: uuid,
    profileUuid: uuid,
    title: z.string().nullable(),
    model: z.string(),
    temperature: z.number(),
    maxTokens: z.int(),
    tools: z
      .array(z.object({ serverId: uuid, name: z.string() }))
      .describe(
        'The tools that the answers may call. A tool of a deleted server is left out. A tool that its server no longer offers stays listed and is not called.',
      ),
    messageCount: z.int(),
    usage,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'ChatSession' });

const citation = z
  .object({
    number: z.int().describe('The number in brackets in `content`.'),
    sentence: z.string(),
    documentId: uuid,
    version: z.int(),
    title: z.string(),
    start: z.int().describe('Offset in the text of the version, in UTF-16 code units.'),
    end: z.int(),
    page: z.int().nullable(),
    text: z.string().describe('The cited passage, verbatim; empty if it could not be verified.'),
    sha256: z.string(),
    verified: z.boolean(),
    staleAt: instant.nullable().describe('Time at which a change of the passage was detected.'),
    staleVersion: z.int().nullable().describe('The version that changed the passage.'),
    staleText: z.string().nullable().describe('The replacement of the passage in that version.'),
  })
  .meta({ id: 'ChatCitation' });

const toolCall = z
  .object({
    number: z.int(),
    serverId: uuid.nullable().describe('Null for a tool that the session does not list.'),
    serverName: z.string().nullable(),
    name: z.string(),
    arguments: z.string().describe('JSON, as the model wrote it.'),
    status: z.enum(toolCallStatuses),
    result: z.string().nullable().describe('The first 2 000 characters; null while the call runs.'),
    resultLength: z.int().describe('Characters of the whole result.'),
    startedAt: instant,
    milliseconds: z.int().nullable(),
  })
  .meta({ id: 'ChatToolCall' });

const message = z
  .object({
    sessionId: uuid,
    messageId: uuid,
    role: z.enum(['user', 'assistant']),
    content: z.string().describe('The text; empty while the answer is being written.'),
    status: z.enum(messageStatuses),
    failure: z.string().nullable().describe('Why the answer failed.'),
    model: z.string().nullable().describe('The model of an answer; null for a question.'),
    questionId: uuid.nullable().describe('UUID of the question that is answered; null for a question.'),
    replacesId: uuid.nullable().describe('UUID of the answer that this one replaces.'),
    citations: z.array(citation).describe('At most 50.'),
    toolCalls: z.array(toolCall).describe('Calls of tools by the answer, at most 16.'),
    usage: usage.extend({ estimated: z.boolean().describe('Whether the model did not count the tokens.') }),
    staleAt: instant.nullable().describe('Time at which a change of a cited passage was first detected.'),
    createdAt: instant,
    finishedAt: instant.nullable(),
  })
  .meta({ id: 'ChatMessage' });

export const sessionResponse = session;
export const sessionsResponse = z.object({ sessions: z.array(session), total: z.int() });
export const messageResponse = message;
export const messagesResponse = z.object({ messages: z.array(message), total: z.int() });
export const deletedResponse = z.object({ success: z.literal(true), sessionId: uuid });
export const renewedResponse = z.object({ message, previous: message });
export const usageResponse = usage.extend({
  month: z.string(),
  answers: z.int(),
  toolCalls: z.int(),
  tokensMax: z.number().nullable(),
});
export const modelsResponse = z.object({ models: z.array(z.string()) });
