import type { SessionTool } from '../../src/chat/index.ts';
import { builder } from '../builder.ts';
import { enumColumn, enumOf } from '../enum.ts';
import { optional, optionalUuid } from '../optional.ts';

/** A tool as it is listed. */
export const ChatSessionTool = builder.objectRef<SessionTool>('ChatSessionTool').implement({
  description: 'A tool that the answers of a chat session may call.',
  fields: (t) => ({
    serverUuid: t.expose('serverUuid', { type: 'UUID', description: 'UUID of the MCP server.' }),
    name: t.exposeString('name', { description: 'Name of the tool, as the server lists it.' }),
  }),
});

/** A tool as it is given. */
export const ChatSessionToolInput = builder.inputType('ChatSessionToolInput', {
  description: 'A tool of one of your MCP servers.',
  fields: (t) => ({
    serverId: t.string({ required: true, description: 'UUID of one of your MCP servers.' }),
    name: t.string({ required: true, description: 'Name of the tool, as the server lists it.' }),
  }),
});

const ChatToolCallStatus = enumOf('ChatToolCallStatus', 'State of a call of a tool.', {
  running: 'The request was sent to the server.',
  succeeded: 'The tool has returned a result.',
  failed: 'The tool failed, or the server did not respond; `result` says why.',
  refused: 'The request was not sent, because of the tool, the arguments or a limit; `result` says why.',
  unknown: 'The answer ended during the call.',
});

builder.prismaObject('ChatToolCall', {
  description: 'A tool call of an answer.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Number of the call in its answer, from 1.' }),
    serverUuid: t.expose(
      'serverUuid',
      optionalUuid('UUID of the MCP server; null for a tool that the session does not list.'),
    ),
    serverName: t.exposeString('serverName', optional('Name of the server at the time of the call.')),
    name: t.exposeString('name', { description: 'Name of the tool.' }),
    arguments: t.exposeString('arguments', {
      description: 'The arguments as JSON, as the model wrote them; at most 16 KB.',
    }),
    status: t.field(enumColumn('status', { type: ChatToolCallStatus, description: 'State of the call.' })),
    result: t.exposeString(
      'result',
      optional('The first 2 000 characters of the result, or the reason of a failure; null while the call runs.'),
    ),
    resultLength: t.exposeInt('resultLength', { description: 'Number of characters of the whole result.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'Time of the call.' }),
    milliseconds: t.exposeInt(
      'milliseconds',
      optional('Duration in milliseconds; null while the call runs, and if its end is not known.'),
    ),
  }),
});
