import { queryFromInfo } from '@pothos/plugin-prisma';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, pageArgs, pageType, rowColumns, rowPaths, rowQuery } from '../connection.ts';
import { optional, optionalTime, optionalUuid } from '../optional.ts';
import { query } from '../query.ts';
import { ChatSession } from './session.ts';
import './tool.ts';
import { enumColumn, enumOf } from '../enum.ts';
import { ownRow } from '../row.ts';

const ChatRole = enumOf('ChatRole', 'Author of a message.', {
  user: 'A question of a person or program.',
  assistant: 'An answer.',
});

const ChatMessageStatus = enumOf('ChatMessageStatus', 'State of a message. A question is complete.', {
  pending: 'The answer has not begun.',
  streaming: 'The answer is being written.',
  complete: 'The message is whole.',
  aborted: 'The answer was stopped; what was written is kept.',
  failed: 'The answer failed for the reason in `failure`; what was written is kept.',
});

builder.prismaObject('ChatCitation', {
  description: 'A citation: a sentence of an answer and the passage of a document that supports it.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'The number in brackets in the text of the answer.' }),
    sentence: t.exposeString('sentence', { description: 'The sentence of the answer.' }),
    documentUuid: t.expose('documentUuid', { type: 'UUID', description: 'UUID of the document.' }),
    version: t.exposeInt('version', { description: 'Version of the document.' }),
    title: t.exposeString('title', { description: 'Title of the document at the time of the answer.' }),
    start: t.exposeInt('start', {
      description: 'Offset of the passage in the text of the version, in UTF-16 code units.',
    }),
    end: t.exposeInt('end', { description: 'Offset of the end of the passage.' }),
    page: t.exposeInt('page', optional('Page of the passage, from 1; null for formats without pages.')),
    text: t.exposeString('text', {
      description: 'The cited passage, verbatim; empty if it could not be verified.',
    }),
    sha256: t.string({
      description: 'SHA-256 of the passage in UTF-8, in hexadecimal digits.',
      select: { hash: true },
      resolve: ({ hash }) => Buffer.from(hash).toString('hex'),
    }),
    isVerified: t.exposeBoolean('isVerified', {
      description:
        'Whether the stored text contains the passage, and the passage contains the quotations of the sentence.',
    }),
    staleAt: t.expose(
      'staleAt',
      optionalTime('Time at which a change of the passage was detected; null while the current version contains it.'),
    ),
    staleVersion: t.exposeInt(
      'staleVersion',
      optional('The version that changed the passage; null if it is unchanged or the document was deleted.'),
    ),
    staleText: t.exposeString(
      'staleText',
      optional('The replacement of the passage in that version; null if there is no similar text.'),
    ),
  }),
});

export const ChatMessage = builder.prismaNode('ChatMessage', {
  description: 'A question, or an answer.',
  ...ownRow(({ caller, services }) => services.chat.messages.visible(caller)),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, as the REST API shows it.' }),
    sessionUuid: t.expose('sessionUuid', { type: 'UUID', description: 'UUID of the session.' }),
    role: t.field(enumColumn('role', { type: ChatRole, description: 'Author of the message.' })),
    content: t.exposeString('content', {
      description:
        'The text. It is empty while the answer is being written: follow it with `chatMessage` or the REST stream.',
    }),
    status: t.field(enumColumn('status', { type: ChatMessageStatus, description: 'State of the message.' })),
    failure: t.exposeString('failure', optional('Reason why the answer failed.')),
    model: t.exposeString('model', optional('The model of an answer; null for a question.')),
    includeContext: t.exposeBoolean('includeContext', {
      description: 'Whether the answer is based on your documents.',
    }),
    questionUuid: t.expose('questionUuid', optionalUuid('UUID of the question that is answered; null for a question.')),
    replacesUuid: t.expose('replacesUuid', optionalUuid('UUID of the answer that this one replaces.')),
    citations: t.relation('citations', {
      description: 'The citations of the answer, in the order of its text; at most 50.',
      extensions: { defaultLength: 50 },
      query: { orderBy: { place: 'asc' } },
    }),
    toolCalls: t.relation('toolCalls', {
      description: 'The tool calls of the answer, in order; at most 16. A call is stored before the request is sent.',
      extensions: { defaultLength: 16 },
      query: { orderBy: { number: 'asc' } },
    }),
    inputTokens: t.exposeInt('inputTokens', { description: 'Input tokens of the answer.' }),
    outputTokens: t.exposeInt('outputTokens', { description: 'Output tokens of the answer.' }),
    isEstimated: t.exposeBoolean('isEstimated', {
      description: 'Whether the tokens are an estimate, because the model did not count them.',
    }),
    staleAt: t.expose('staleAt', optionalTime('Time at which a change of a cited passage was first detected.')),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    finishedAt: t.expose('finishedAt', optionalTime('Time of the end of an answer.')),
  }),
});

const MessageConnection = connectionType('ChatMessage', ChatMessage, 'A page of messages, the oldest first.');

query('chatMessages', {
  type: MessageConnection,
  description: 'The messages of a chat session of yours, the oldest first.',
  args: (arg) => ({
    ...connectionArgs(),
    sessionId: arg.string({ required: true, description: 'UUID of the session.' }),
  }),
  extensions: { rateLimit: 'general' },
  resolve: async (_root, { sessionId, ...args }, context, info) => {
    const { caller, services } = context;
    const query = queryFromInfo({
      context,
      info,
      typeName: 'ChatMessage',
      paths: rowPaths,
      select: { ...rowColumns, ordinal: true },
    });
    const page = await services.chat.messages.connection(caller, sessionId, args, query);
    return { ...page, count: () => services.chat.messages.count(caller, sessionId) };
  },
});

const MessagePageRef = pageType('ChatMessagePage', 'messages', ChatMessage, 'The messages of this page.');

query('chatMessagePage', {
  type: MessagePageRef,
  description: 'The messages of a chat session of yours by offset, the oldest first.',
  args: (arg) => ({
    sessionId: arg.string({ required: true, description: 'UUID of the session.' }),
    ...pageArgs('1 to 100; 20 by default.'),
  }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, { sessionId, ...args }, context, info) =>
    context.services.chat.messages.page(
      context.caller,
      sessionId,
      args,
      rowQuery(context, info, 'ChatMessage', 'messages'),
    ),
});

query('chatMessage', {
  type: ChatMessage,
  description: 'A message of one of your chat sessions.',
  args: (arg) => ({ uuid: arg.string({ required: true, description: 'UUID of the message.' }) }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, { uuid }, context, info) =>
    context.services.chat.messages.find(context.caller, uuid, rowQuery(context, info, 'ChatMessage')),
});

builder.prismaObjectField(ChatSession, 'messageCount', (t) =>
  t.int({
    description: 'Number of messages.',
    select: { lastOrdinal: true },
    resolve: ({ lastOrdinal }) => lastOrdinal,
  }),
);
