import type { GraphQLResolveInfo } from 'graphql';
import { builder } from '../builder.ts';
import { rowQuery } from '../connection.ts';
import type { Context } from '../context.ts';
import { mutation, selector } from '../mutation.ts';
import { ChatMessage } from './message.ts';
import { ChatSession } from './session.ts';
import { ChatSessionToolInput } from './tool.ts';

/** The selection of the session or message in the payload. */
const sessionQuery = (context: Context, info: GraphQLResolveInfo) => rowQuery(context, info, 'ChatSession', 'session');
const messageQuery = (context: Context, info: GraphQLResolveInfo) => rowQuery(context, info, 'ChatMessage', 'message');

const waitSeconds = 'Seconds to wait for the end of the answer: 0 to 45, 0 by default.';

mutation('chatSessionCreate', {
  description: 'Creates a chat session in your profile. A profile has at most 1 000 sessions.',
  rateLimit: 'general',
  input: {
    description: 'A chat session.',
    argument: 'The session.',
    fields: (t) => ({
      profileUuid: t.string({ description: 'UUID of your own profile, which is the default.' }),
      model: t.string({ description: 'One of `chatModels`; the first by default.' }),
      temperature: t.float({ description: 'Sampling temperature, 0 to 2; 0.2 by default.' }),
      maxTokens: t.int({ description: 'Tokens of an answer: 1 to 32 000; 1 024 by default.' }),
      title: t.string({ description: '1 to 200 characters; the beginning of the first message by default.' }),
      tools: t.field({
        type: [ChatSessionToolInput],
        description: 'Tools that the answers may call: at most 20, none by default. They need a language model.',
      }),
    }),
  },
  payload: { session: { type: ChatSession, description: 'The session after the operation.' } },
  resolve: async (input, context, info) => ({
    session: await context.services.chat.sessions.create(context.caller, input, sessionQuery(context, info)),
  }),
});

mutation('chatSessionUpdate', {
  description: 'Changes the title or the tools of a chat session of yours. An answer in progress keeps its tools.',
  rateLimit: 'general',
  input: {
    description: 'Changes of a chat session: at least one of them.',
    argument: 'The changes.',
    fields: (t) => ({
      uuid: t.string({ required: true, description: 'UUID of the session.' }),
      title: t.string({ description: '1 to 200 characters; unchanged if left out.' }),
      tools: t.field({
        type: [ChatSessionToolInput],
        description: 'Tools that the answers may call from now on: at most 20; unchanged if left out.',
      }),
    }),
  },
  payload: { session: { type: ChatSession, description: 'The session after the operation.' } },
  resolve: async ({ uuid, ...change }, context, info) => ({
    session: await context.services.chat.sessions.update(context.caller, uuid, change, sessionQuery(context, info)),
  }),
});

mutation('chatSessionDelete', {
  description: 'Deletes a chat session of yours with its messages. An answer in progress ends.',
  rateLimit: 'general',
  input: selector('The chat session to delete.', { argument: 'Selects the session.', uuid: 'UUID of the session.' }),
  payload: { uuid: { type: 'UUID', description: 'UUID of the deleted session.' } },
  resolve: async (input, { caller, services }) => ({
    uuid: await services.chat.sessions.remove(caller, input.uuid),
  }),
});

mutation('chatMessageSend', {
  description:
    'Asks a question in a chat session of yours. The answer is written in the background: follow it with the subscription `chatMessage`. CONFLICT while the session has another answer in progress.',
  rateLimit: 'documents.ai',
  input: {
    description: 'A question.',
    argument: 'The question.',
    fields: (t) => ({
      sessionId: t.string({ required: true, description: 'UUID of the session.' }),
      message: t.string({ required: true, description: '1 to 4 000 characters.' }),
      includeContext: t.boolean({ description: 'Whether the answer is based on your documents; true by default.' }),
      waitSeconds: t.int({ description: waitSeconds }),
    }),
  },
  payload: { message: { type: ChatMessage, description: 'The answer as written so far.' } },
  resolve: async ({ waitSeconds: wait, ...input }, context, info) => ({
    message: await context.services.chat.messages.send(context.caller, input, wait, messageQuery(context, info)),
  }),
});

mutation('chatMessageAbort', {
  description: 'Stops an answer. What was written is kept and counted. An answer that has ended stays as it is.',
  rateLimit: 'general',
  input: selector('The answer to stop.', { argument: 'Selects the answer.', uuid: 'UUID of the answer.' }),
  payload: { message: { type: ChatMessage, description: 'The answer as written so far.' } },
  resolve: async (input, context, info) => ({
    message: await context.services.chat.messages.abort(context.caller, input.uuid, messageQuery(context, info)),
  }),
});

const MessageRetryInput = builder.inputType('ChatMessageRetryInput', {
  description: 'The answer to try again.',
  fields: (t) => ({
    uuid: t.string({ required: true, description: 'UUID of the answer.' }),
    waitSeconds: t.int({ description: waitSeconds }),
  }),
});

mutation('chatMessageRetry', {
  description: 'Answers a question again after its answer failed or was aborted.',
  rateLimit: 'documents.ai',
  input: { type: MessageRetryInput, description: 'Selects the answer.' },
  payload: { message: { type: ChatMessage, description: 'The answer as written so far.' } },
  resolve: async ({ uuid, waitSeconds: wait }, context, info) => ({
    message: await context.services.chat.messages.retry(context.caller, uuid, wait, messageQuery(context, info)),
  }),
});

mutation('chatMessageRenew', {
  description: 'Answers a question again after a cited passage of its answer has changed.',
  rateLimit: 'documents.ai',
  input: { type: MessageRetryInput, description: 'Selects the answer.' },
  payload: {
    message: { type: ChatMessage, description: 'The new answer as written so far.' },
    previous: { type: ChatMessage, description: 'The answer that it replaces.' },
  },
  payloadDescription:
    'Result of `chatMessageRenew`: both answers. The stale citations of the previous one show what has changed.',
  resolve: async ({ uuid, waitSeconds: wait }, context, info) => {
    const { messages } = context.services.chat;
    const message = await messages.renew(context.caller, uuid, wait, messageQuery(context, info));
    const query = rowQuery(context, info, 'ChatMessage', 'previous');
    return { message, previous: await messages.findReplaced(context.caller, uuid, query) };
  },
});
