import type { Statement } from '../platform/database/database.ts';
import type { toolCallStatuses } from './input.ts';

export type ToolCallStatus = (typeof toolCallStatuses)[number];

/** A tool that the answers of a session may call. */
export interface SessionTool {
  readonly serverUuid: string;
  /** As the server names it. */
  readonly name: string;
}

/** A call of a tool as it is stored. */
export interface ToolCall {
  /** From 1, in the order of the calls of an answer. */
  readonly number: number;
  /** Null for a tool that the session does not list. */
  readonly serverUuid: string | null;
  readonly serverName: string | null;
  readonly name: string;
  readonly arguments: string;
  readonly status: ToolCallStatus;
  /** The beginning of the result; null while the call is running. */
  readonly result: string | null;
  /** Characters of the whole result. */
  readonly resultLength: number;
  readonly startedAt: Date;
  readonly milliseconds: number | null;
}

/**
 * Stores a call before the request is sent. No row if the answer is no longer this worker's: then the tool must not be
 * called.
 */
export const beginCall = (messageUuid: string, claim: string, call: ToolCall): Statement => ({
  name: 'chat_begin_call',
  text: `WITH held AS (
      SELECT uuid FROM chat_messages WHERE uuid = $1 AND claim = $2 AND status IN ('pending', 'streaming') FOR NO KEY UPDATE)
    INSERT INTO chat_tool_calls
      (message_uuid, number, server_uuid, server_name, name, arguments, status, result, result_length, started_at, milliseconds)
    SELECT uuid, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 FROM held RETURNING number`,
  values: [
    messageUuid,
    claim,
    call.number,
    call.serverUuid,
    call.serverName,
    call.name,
    call.arguments,
    call.status,
    call.result,
    call.resultLength,
    call.startedAt,
    call.milliseconds,
  ],
});

/** Stores the outcome of a running call. */
export const endCall = (messageUuid: string, call: ToolCall): Statement => ({
  name: 'chat_end_call',
  text: `UPDATE chat_tool_calls SET status = $3, result = $4, result_length = $5, milliseconds = $6
    WHERE message_uuid = $1 AND number = $2 AND status = 'running'`,
  values: [messageUuid, call.number, call.status, call.result, call.resultLength, call.milliseconds],
});

/** Why nothing is known of a call that was under way when its answer ended. */
export const unknownOutcome =
  'Outcome unknown: the answer ended during the call. The server may have done what it was asked for.';
