import { NewMessage, NewSession, PageRequest, SessionChange } from '../../src/chat/input.ts';
import { generalErrors } from '../errors.ts';
import * as operations from '../generated/operations.ts';
import { type Route, route } from '../route.ts';
import * as reference from './reference.ts';
import * as responses from './responses.ts';

const shared = { tag: 'Embedded chat', errors: generalErrors, access: 'caller' } as const;
/** How long a request waits for its answer. */
const waitSeconds = 45;

/** The paths of the chat. Source: docs/specification/chat.md. */
export const chatRoutes: readonly Route[] = [
  route('POST /api/embedded-chat/sessions', {
    ...shared,
    isIdempotent: true,
    reference: reference.createSession,
    operation: operations.CreateChatSessionDocument,
    input: NewSession,
    check: 'newChatSession',
    variables: ({ body }) => ({ input: body }),
    body: ({ chatSessionCreate }) => sessionBody(chatSessionCreate.session),
    response: responses.sessionResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route('GET /api/embedded-chat/sessions', {
    ...shared,
    reference: reference.listSessions,
    operation: operations.ListChatSessionsDocument,
    query: PageRequest,
    variables: ({ query }) => query,
    body: ({ chatSessionPage: { sessions, total } }) => ({ sessions: sessions.map(sessionBody), total }),
    response: responses.sessionsResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN'],
  }),
  route('GET /api/embedded-chat/sessions/:session_id', {
    ...shared,
    reference: reference.getSession,
    operation: operations.GetChatSessionDocument,
    variables: ({ params }) => ({ uuid: params.session_id }),
    body: ({ chatSession }) => sessionBody(chatSession),
    response: responses.sessionResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route('PATCH /api/embedded-chat/sessions/:session_id', {
    ...shared,
    reference: reference.updateSession,
    operation: operations.UpdateChatSessionDocument,
    input: SessionChange,
    variables: ({ params, body }) => ({ input: { ...body, uuid: params.session_id } }),
    body: ({ chatSessionUpdate }) => sessionBody(chatSessionUpdate.session),
    response: responses.sessionResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route('DELETE /api/embedded-chat/sessions/:session_id', {
    ...shared,
    reference: reference.deleteSession,
    operation: operations.DeleteChatSessionDocument,
    variables: ({ params }) => ({ input: { uuid: params.session_id } }),
    body: ({ chatSessionDelete }) => ({ success: true, sessionId: chatSessionDelete.uuid }),
    response: responses.deletedResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route('GET /api/embedded-chat/sessions/:session_id/messages', {
    ...shared,
    reference: reference.listMessages,
    operation: operations.ListChatMessagesDocument,
    query: PageRequest,
    variables: ({ params, query }) => ({ ...query, sessionId: params.session_id }),
    body: ({ chatMessagePage: { messages, total } }) => ({ messages: messages.map(messageBody), total }),
    response: responses.messagesResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  route('POST /api/embedded-chat/messages', {
    ...shared,
    isIdempotent: true,
    reference: reference.sendMessage,
    operation: operations.SendChatMessageDocument,
    input: NewMessage,
    variables: ({ body }) => ({ input: { ...body, waitSeconds } }),
    body: ({ chatMessageSend }) => messageBody(chatMessageSend.message),
    response: responses.messageResponse,
    errorCodes: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route('GET /api/embedded-chat/messages/:message_id', {
    ...shared,
    reference: reference.getMessage,
    operation: operations.GetChatMessageDocument,
    variables: ({ params }) => ({ uuid: params.message_id }),
    body: ({ chatMessage }) => messageBody(chatMessage),
    response: responses.messageResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route('GET /api/embedded-chat/messages/:message_id/stream', {
    ...shared,
    givesEvents: true,
    reference: reference.followMessage,
    operation: operations.FollowChatAnswerDocument,
    variables: ({ params, lastEventId }) => ({
      messageId: params.message_id,
      after: /^\d{1,9}$/.test(lastEventId) ? Number(lastEventId) : 0,
    }),
    body: ({ chatAnswer: { number, kind, text, message } }) =>
      message
        ? { id: 'end', event: 'end', data: messageBody(message) }
        : { id: String(number), event: kind.toLowerCase(), data: kind === 'TOOL' ? JSON.parse(text) : { text } },
    response: responses.messageResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route('POST /api/embedded-chat/messages/:message_id/abort', {
    ...shared,
    isIdempotent: true,
    reference: reference.abortMessage,
    operation: operations.AbortChatMessageDocument,
    variables: ({ params }) => ({ input: { uuid: params.message_id } }),
    body: ({ chatMessageAbort }) => messageBody(chatMessageAbort.message),
    response: responses.messageResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  route('POST /api/embedded-chat/messages/:message_id/retry', {
    ...shared,
    isIdempotent: true,
    reference: reference.retryMessage,
    operation: operations.RetryChatMessageDocument,
    variables: ({ params }) => ({ input: { uuid: params.message_id, waitSeconds } }),
    body: ({ chatMessageRetry }) => messageBody(chatMessageRetry.message),
    response: responses.messageResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route('POST /api/embedded-chat/messages/:message_id/renew', {
    ...shared,
    isIdempotent: true,
    reference: reference.renewMessage,
    operation: operations.RenewChatMessageDocument,
    variables: ({ params }) => ({ input: { uuid: params.message_id, waitSeconds } }),
    body: ({ chatMessageRenew: { message, previous } }) => ({
      message: messageBody(message),
      previous: messageBody(previous),
    }),
    response: responses.renewedResponse,
    errorCodes: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  route('GET /api/embedded-chat/usage', {
    ...shared,
    reference: reference.getUsage,
    operation: operations.GetChatUsageDocument,
    variables: () => ({}),
    body: ({ chatUsage }) => ({ ...chatUsage, ...usageOf(chatUsage) }),
    response: responses.usageResponse,
    errorCodes: ['FORBIDDEN'],
  }),
  route('GET /api/embedded-chat/models', {
    ...shared,
    reference: reference.listModels,
    operation: operations.ListChatModelsDocument,
    variables: () => ({}),
    body: ({ chatModels }) => ({ models: chatModels }),
    response: responses.modelsResponse,
    errorCodes: ['FORBIDDEN'],
  }),
];

const usageOf = ({ inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number }) => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
});

const sessionBody = (session: operations.ChatSessionFieldsFragment) => ({
  sessionId: session.uuid,
  profileUuid: session.profileUuid,
  title: session.title,
  model: session.model,
  temperature: session.temperature,
  maxTokens: session.maxTokens,
  tools: session.tools.map(({ serverUuid, name }) => ({ serverId: serverUuid, name })),
  messageCount: session.messageCount,
  usage: usageOf(session),
  createdAt: session.createdAt,
  updatedAt: session.updatedAt,
});

const messageBody = (message: operations.ChatMessageFieldsFragment) => ({
  sessionId: message.sessionUuid,
  messageId: message.uuid,
  role: message.role.toLowerCase(),
  content: message.content,
  status: message.status.toLowerCase(),
  failure: message.failure,
  model: message.model,
  questionId: message.questionUuid,
  replacesId: message.replacesUuid,
  citations: message.citations.map(({ documentUuid, isVerified, ...citation }) => ({
    ...citation,
    documentId: documentUuid,
    verified: isVerified,
  })),
  toolCalls: message.toolCalls.map(({ serverUuid, status, ...call }) => ({
    ...call,
    serverId: serverUuid,
    status: status.toLowerCase(),
  })),
  usage: { ...usageOf(message), estimated: message.isEstimated },
  staleAt: message.staleAt,
  createdAt: message.createdAt,
  finishedAt: message.finishedAt,
});
