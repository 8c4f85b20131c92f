import type { SessionTool } from '../../src/chat/index.ts';
import { builder } from '../builder.ts';
import { connectionArgs, connectionType, listed, pageArgs, pageType, rowQuery } from '../connection.ts';
import { optional } from '../optional.ts';
import { query } from '../query.ts';
import { ownRow } from '../row.ts';
import { ChatSessionTool } from './tool.ts';
import { serverExistsLoader } from './tool-loader.ts';

export const ChatSession = builder.prismaNode('ChatSession', {
  description: 'A conversation with a model about your documents.',
  ...ownRow(({ caller, services }) => services.chat.sessions.visible(caller)),
  fields: (t) => ({
    uuid: t.expose('uuid', { type: 'UUID', description: 'UUID, as the REST API shows it.' }),
    profileUuid: t.expose('profileUuid', { type: 'UUID', description: 'UUID of the profile.' }),
    title: t.exposeString(
      'title',
      optional('The title; the beginning of the first message by default, null before it.'),
    ),
    model: t.exposeString('model', { description: 'Name of the model.' }),
    temperature: t.exposeFloat('temperature', { description: 'Sampling temperature, 0 to 2.' }),
    maxTokens: t.exposeInt('maxTokens', { description: 'Maximum of output tokens of an answer.' }),
    tools: t.field({
      type: [ChatSessionTool],
      description:
        'Tools that the answers may call, at most 20. A tool of a deleted server is left out. A tool that its server no longer offers stays here and is not called.',
      extensions: { defaultLength: 20 },
      select: { tools: true },
      async resolve({ tools }, _args, context, info) {
        const listed = tools as unknown as SessionTool[];
        const loader = serverExistsLoader(context, info);
        const exist = await Promise.all(listed.map(({ serverUuid }) => loader.load(serverUuid)));
        return listed.filter((_tool, index) => exist[index]);
      },
    }),
    inputTokens: t.float({
      description: 'Input tokens of the answers of the session.',
      select: { inputTokens: true },
      resolve: ({ inputTokens }) => Number(inputTokens),
    }),
    outputTokens: t.float({
      description: 'Output tokens of the answers of the session.',
      select: { outputTokens: true },
      resolve: ({ outputTokens }) => Number(outputTokens),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last message or change.' }),
  }),
});

const SessionConnection = connectionType('ChatSession', ChatSession, 'A page of chat sessions, the newest first.');

query('chatSessions', {
  type: SessionConnection,
  description: 'The chat sessions of your profile, the newest first.',
  args: () => connectionArgs(),
  extensions: { rateLimit: 'general' },
  resolve: (_root, args, context, info) => listed(context.services.chat.sessions, 'ChatSession', args, context, info),
});

const SessionPageRef = pageType('ChatSessionPage', 'sessions', ChatSession, 'The sessions of this page.');

query('chatSessionPage', {
  type: SessionPageRef,
  description: 'The chat sessions of your profile by offset, as GET /api/embedded-chat/sessions lists them.',
  args: () => pageArgs('1 to 100; 20 by default.'),
  extensions: { rateLimit: 'general' },
  resolve: (_root, args, context, info) =>
    context.services.chat.sessions.page(context.caller, args, rowQuery(context, info, 'ChatSession', 'sessions')),
});

query('chatSession', {
  type: ChatSession,
  description: 'A chat session of yours.',
  args: (arg) => ({ uuid: arg.string({ required: true, description: 'UUID of the session.' }) }),
  extensions: { rateLimit: 'general' },
  resolve: (_root, { uuid }, context, info) =>
    context.services.chat.sessions.find(context.caller, uuid, rowQuery(context, info, 'ChatSession')),
});

builder.queryField('chatModels', (t) =>
  t.stringList({
    description:
      'The models that a chat session may have; the first is the default. `extractive` quotes passages without a language model.',
    extensions: { rateLimit: 'general' },
    resolve: (_root, _args, { caller, services }) => services.chat.sessions.modelsFor(caller),
  }),
);
