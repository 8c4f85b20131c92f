import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { builder } from '../builder.ts';
import { rowColumns } from '../connection.ts';
import type { Context } from '../context.ts';
import { ChatMessage } from './message.ts';
import { ChatSession } from './session.ts';
import { ChatSessionToolInput } from './tool.ts';

type SessionRow = typeof ChatSession.$inferType;
type MessageRow = typeof ChatMessage.$inferType;

/** What of the session or message the payload is asked for. */
const sessionQuery = (context: Context, info: GraphQLResolveInfo) =>
  queryFromInfo({ context, info, typeName: 'ChatSession', path: ['session'], select: rowColumns });
const messageQuery = (context: Context, info: GraphQLResolveInfo) =>
  queryFromInfo({ context, info, typeName: 'ChatMessage', path: ['message'], select: rowColumns });

const sessionPayload = (name: string) =>
  builder.objectRef<{ session: SessionRow }>(`${name}Payload`).implement({
    description: `Result of \`${name.charAt(0).toLowerCase()}${name.slice(1)}\`.`,
    fields: (t) => ({
      session: t.field({
        type: ChatSession,
        description: 'The session after the operation.',
        resolve: ({ session }) => session,
      }),
    }),
  });

const messagePayload = (name: string) =>
  builder.objectRef<{ message: MessageRow }>(`${name}Payload`).implement({
    description: `Result of \`${name.charAt(0).toLowerCase()}${name.slice(1)}\`.`,
    fields: (t) => ({
      message: t.field({
        type: ChatMessage,
        description: 'The answer as far as it has come.',
        resolve: ({ message }) => message,
      }),
    }),
  });

const waitSeconds = 'Seconds to wait for the end of the answer: 0 to 45, 0 by default.';

const SessionCreateInput = builder.inputType('ChatSessionCreateInput', {
  description: 'A chat session.',
  fields: (t) => ({
    profileUuid: t.string({ description: 'UUID of your own profile, which is the default.' }),
    model: t.string({ description: 'One of `chatModels`; the first by default.' }),
    temperature: t.float({ description: '0 to 2; 0.2 by default.' }),
    maxTokens: t.int({ description: 'Tokens of an answer: 1 to 32 000; 1 024 by default.' }),
    title: t.string({ description: '1 to 200 characters; the beginning of the first message by default.' }),
    tools: t.field({
      type: [ChatSessionToolInput],
      description: 'Tools that the answers may call: at most 20, none by default. They need a language model.',
    }),
  }),
});

builder.mutationField('chatSessionCreate', (t) =>
  t.field({
    type: sessionPayload('ChatSessionCreate'),
    description: 'Creates a chat session in your profile. A profile has at most 1 000 sessions.',
    args: { input: t.arg({ type: SessionCreateInput, required: true, description: 'The session.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, context, info) => ({
      session: await context.services.chat.sessions.create(context.caller, input, sessionQuery(context, info)),
    }),
  }),
);

const SessionUpdateInput = builder.inputType('ChatSessionUpdateInput', {
  description: 'Changes of a chat session: at least one of them.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'UUID of the session.' }),
    title: t.string({ description: '1 to 200 characters; unchanged if left out.' }),
    tools: t.field({
      type: [ChatSessionToolInput],
      description: 'Tools that the answers may call from now on: at most 20; unchanged if left out.',
    }),
  }),
});

builder.mutationField('chatSessionUpdate', (t) =>
  t.field({
    type: sessionPayload('ChatSessionUpdate'),
    description: 'Changes the title or the tools of a chat session of yours. An answer under way keeps its tools.',
    args: { input: t.arg({ type: SessionUpdateInput, required: true, description: 'The changes.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input: { uuid, ...change } }, context, info) => ({
      session: await context.services.chat.sessions.update(context.caller, uuid, change, sessionQuery(context, info)),
    }),
  }),
);

const SessionDeleteInput = builder.inputType('ChatSessionDeleteInput', {
  description: 'The chat session to delete.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'UUID of the session.' }) }),
});

const SessionDeletePayload = builder.objectRef<{ uuid: string }>('ChatSessionDeletePayload').implement({
  description: 'Result of `chatSessionDelete`.',
  fields: (t) => ({ uuid: t.expose('uuid', { type: 'UUID', description: 'UUID of the deleted session.' }) }),
});

builder.mutationField('chatSessionDelete', (t) =>
  t.field({
    type: SessionDeletePayload,
    description: 'Deletes a chat session of yours with its messages. An answer under way ends.',
    args: { input: t.arg({ type: SessionDeleteInput, required: true, description: 'Selects the session.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, { caller, services }) => ({
      uuid: await services.chat.sessions.remove(caller, input.uuid),
    }),
  }),
);

const MessageSendInput = builder.inputType('ChatMessageSendInput', {
  description: 'A question.',
  fields: (t) => ({
    sessionId: t.string({ required: true, description: 'UUID of the session.' }),
    message: t.string({ required: true, description: '1 to 4 000 characters.' }),
    includeContext: t.boolean({ description: 'Whether the answer is based on your documents; true by default.' }),
    waitSeconds: t.int({ description: waitSeconds }),
  }),
});

builder.mutationField('chatMessageSend', (t) =>
  t.field({
    type: messagePayload('ChatMessageSend'),
    description:
      'Asks a question in a chat session of yours. The answer is written in the background: follow it with the subscription `chatMessage`. CONFLICT while another answer of the session is under way.',
    args: { input: t.arg({ type: MessageSendInput, required: true, description: 'The question.' }) },
    extensions: { rateLimit: 'documents.ai' },
    resolve: async (_root, { input: { waitSeconds: wait, ...input } }, context, info) => ({
      message: await context.services.chat.messages.send(context.caller, input, wait, messageQuery(context, info)),
    }),
  }),
);

const MessageAbortInput = builder.inputType('ChatMessageAbortInput', {
  description: 'The answer to stop.',
  fields: (t) => ({ uuid: t.string({ required: true, description: 'UUID of the answer.' }) }),
});

builder.mutationField('chatMessageAbort', (t) =>
  t.field({
    type: messagePayload('ChatMessageAbort'),
    description: 'Stops an answer. What was written is kept and counted. An answer that has ended stays as it is.',
    args: { input: t.arg({ type: MessageAbortInput, required: true, description: 'Selects the answer.' }) },
    extensions: { rateLimit: 'general' },
    resolve: async (_root, { input }, context, info) => ({
      message: await context.services.chat.messages.abort(context.caller, input.uuid, messageQuery(context, info)),
    }),
  }),
);

const MessageRetryInput = builder.inputType('ChatMessageRetryInput', {
  description: 'The answer to try again.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'UUID of the answer.' }),
    waitSeconds: t.int({ description: waitSeconds }),
  }),
});

builder.mutationField('chatMessageRetry', (t) =>
  t.field({
    type: messagePayload('ChatMessageRetry'),
    description: 'Answers a question again whose answer failed or was aborted.',
    args: { input: t.arg({ type: MessageRetryInput, required: true, description: 'Selects the answer.' }) },
    extensions: { rateLimit: 'documents.ai' },
    resolve: async (_root, { input: { uuid, waitSeconds: wait } }, context, info) => ({
      message: await context.services.chat.messages.retry(context.caller, uuid, wait, messageQuery(context, info)),
    }),
  }),
);

const MessageRenewPayload = builder
  .objectRef<{ message: MessageRow; previous: MessageRow }>('ChatMessageRenewPayload')
  .implement({
    description:
      'Result of `chatMessageRenew`: both answers. The stale citations of the previous one show what has changed.',
    fields: (t) => ({
      message: t.field({
        type: ChatMessage,
        description: 'The new answer as far as it has come.',
        resolve: ({ message }) => message,
      }),
      previous: t.field({
        type: ChatMessage,
        description: 'The answer that it takes the place of.',
        resolve: ({ previous }) => previous,
      }),
    }),
  });

builder.mutationField('chatMessageRenew', (t) =>
  t.field({
    type: MessageRenewPayload,
    description: 'Answers a question again whose answer cites words that have changed since.',
    args: { input: t.arg({ type: MessageRetryInput, required: true, description: 'Selects the answer.' }) },
    extensions: { rateLimit: 'documents.ai' },
    resolve: async (_root, { input: { uuid, waitSeconds: wait } }, context, info) => {
      const { messages } = context.services.chat;
      const message = await messages.renew(context.caller, uuid, wait, messageQuery(context, info));
      const query = queryFromInfo({
        context,
        info,
        typeName: 'ChatMessage',
        path: ['previous'],
        select: rowColumns,
      });
      return { message, previous: await messages.findReplaced(context.caller, uuid, query) };
    },
  }),
);
