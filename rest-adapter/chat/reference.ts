import { exampleTime, exampleUuid } from '../reference.ts';

const session = {
  sessionId: exampleUuid,
  profileUuid: '5f0f2a44-9c3d-4a7e-8f06-2b1d7c94e6a1',
  title: 'How long is the notice period?',
  model: 'extractive',
  temperature: 0.2,
  maxTokens: 1_024,
  tools: [],
  messageCount: 2,
  usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
  createdAt: exampleTime,
  updatedAt: exampleTime,
} as const;

const message = {
  sessionId: exampleUuid,
  messageId: '3c9a1d70-52be-4f18-b6a4-90e7d2f5c813',
  role: 'assistant',
  content: 'From your documents:\n\n> The notice period is three months. [1]',
  status: 'complete',
  failure: null,
  model: 'extractive',
  questionId: 'b7e2f6a9-1d34-4c58-9a0b-6f8c3e5d2714',
  replacesId: null,
  citations: [
    {
      number: 1,
      sentence: 'The notice period is three months.',
      documentId: '0e4b8c62-7a91-4d3f-85c6-1f2a9b7d3e50',
      version: 1,
      title: 'Contract',
      start: 1_204,
      end: 1_238,
      page: 3,
      text: 'The notice period is three months.',
      sha256: 'c2a1f0d3b4e5968778695a4b3c2d1e0ff1e2d3c4b5a697886950413223140506',
      verified: true,
      staleAt: null,
      staleVersion: null,
      staleText: null,
    },
  ],
  toolCalls: [],
  usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0, estimated: false },
  staleAt: null,
  createdAt: exampleTime,
  finishedAt: exampleTime,
} as const;

const call = {
  number: 1,
  serverId: '6d2e9b40-1c7f-4a85-93be-5f8a0c4d7e21',
  serverName: 'Calendar',
  name: 'list_events',
  arguments: '{"month":"2026-03"}',
  status: 'succeeded',
  result: '2026-03-31: notice is due.',
  resultLength: 26,
  startedAt: exampleTime,
  milliseconds: 184,
} as const;

const ofSession = { session_id: { description: 'UUID of the session.', example: exampleUuid } } as const;
const ofMessage = { message_id: { description: 'UUID of the answer.', example: message.messageId } } as const;

export const createSession = {
  summary: 'Create a chat session',
  description:
    'A conversation about your documents. GET /api/embedded-chat/models lists the models; without a configured one answers are quoted from the documents (`extractive`). `tools` lists tools of your MCP servers that the answers may call; they need a language model. A profile has at most 1 000 sessions (409).',
  example: {
    body: { profileUuid: session.profileUuid, model: 'extractive', temperature: 0.2, maxTokens: 1_024 },
    response: { ...session, title: null, messageCount: 0 },
  },
} as const;

export const listSessions = {
  summary: 'List chat sessions',
  description: 'The chat sessions of the profile, the newest first.',
  example: { query: { limit: 20, offset: 0 }, response: { sessions: [session], total: 1 } },
} as const;

export const getSession = {
  summary: 'Get a chat session',
  description: 'A chat session of your profile, with the tokens that it has used.',
  params: ofSession,
  example: { response: session },
} as const;

export const updateSession = {
  summary: 'Update a chat session',
  description:
    'Changes the title or the tools; at least one of them. `tools` replaces the list, and an empty list turns tools off. An answer in progress keeps its tools.',
  params: ofSession,
  example: {
    body: { title: 'Notice periods', tools: [{ serverId: call.serverId, name: call.name }] },
    response: {
      ...session,
      title: 'Notice periods',
      model: 'example-model',
      tools: [{ serverId: call.serverId, name: call.name }],
    },
  },
} as const;

export const deleteSession = {
  summary: 'Delete a chat session',
  description: 'Deletes the session with its messages. An answer in progress ends.',
  params: ofSession,
  example: { response: { success: true, sessionId: exampleUuid } },
} as const;

export const listMessages = {
  summary: 'List the messages of a chat session',
  description: 'Questions and answers, the oldest first.',
  params: ofSession,
  example: { query: { limit: 20, offset: 0 }, response: { messages: [message], total: 1 } },
} as const;

export const sendMessage = {
  summary: 'Send a chat message',
  description:
    'Asks a question and responds with the answer. After 45 seconds the response has the status `streaming` and the answer as written so far: follow it at /api/embedded-chat/messages/{message_id}/stream, or get it again. 409 while the session has another answer in progress.',
  example: {
    body: { sessionId: exampleUuid, message: 'How long is the notice period?', includeContext: true },
    response: message,
  },
} as const;

export const getMessage = {
  summary: 'Get a chat message',
  description: 'A message of one of your chat sessions.',
  params: { message_id: { description: 'UUID of the message.', example: message.messageId } },
  example: {
    response: {
      ...message,
      content: 'Notice is due on 31 March.',
      model: 'example-model',
      citations: [],
      toolCalls: [call],
      usage: { inputTokens: 812, outputTokens: 41, totalTokens: 853, estimated: false },
    },
  },
} as const;

export const followMessage = {
  summary: 'Follow an answer',
  description:
    'The answer as server-sent events while it is written. `text` has text to append (`{"text"}`), `tool` a new state of a call of a tool (as in `toolCalls`, with at most 500 characters of arguments and result), and `end` the whole message, which replaces the text; close the connection then. Events have numbers as ids: after a lost connection, send the last one as `Last-Event-ID`. From 15 minutes after the end of the answer only `end` is sent.',
  params: ofMessage,
  example: { response: message },
} as const;

export const abortMessage = {
  summary: 'Abort an answer',
  description: 'Stops an answer. What was written is kept and counted. An answer that has ended stays as it is.',
  params: ofMessage,
  example: { response: { ...message, status: 'aborted', content: '', citations: [] } },
} as const;

export const retryMessage = {
  summary: 'Retry an answer',
  description:
    'Answers the question again after its answer failed or was aborted. 409 for any other answer, and for one that was already retried.',
  params: ofMessage,
  example: { response: { ...message, replacesId: 'd41c7b05-8e6f-4923-a7d0-5b2c9f1e6a38' } },
} as const;

export const renewMessage = {
  summary: 'Renew a stale answer',
  description:
    'Answers the question again after a cited passage has changed (`staleAt`). 409 for any other answer. The response has both answers; the stale citations of the previous one show what has changed.',
  params: ofMessage,
  example: {
    response: {
      message: { ...message, messageId: '9a3f6c2e-4b1d-4e87-a5c0-7d8e2f1b3a64', replacesId: message.messageId },
      previous: { ...message, staleAt: exampleTime },
    },
  },
} as const;

export const getUsage = {
  summary: 'Get the usage of the chat',
  description: 'The tokens that the chat of the profile has used in the current month of UTC.',
  example: {
    response: {
      month: '2026-03',
      answers: 42,
      toolCalls: 7,
      inputTokens: 61_200,
      outputTokens: 9_300,
      totalTokens: 70_500,
      tokensMax: null,
    },
  },
} as const;

export const listModels = {
  summary: 'List the chat models',
  description: 'The models that a chat session may have; the first is the default.',
  example: { response: { models: ['extractive'] } },
} as const;
