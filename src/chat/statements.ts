import type { Statement } from '../platform/database/database.ts';
import type { Usage } from './models.ts';
import { bytesOfToken } from './tokens.ts';
import { type SessionTool, unknownOutcome } from './tool-statements.ts';

/** Lets one at a time count and add the sessions of a profile. */
export const alone = (profileUuid: string): Statement => ({
  name: 'chat_alone',
  text: 'SELECT 1 FROM profiles WHERE uuid = $1 FOR NO KEY UPDATE',
  values: [profileUuid],
});

export const removeSession = (uuid: string, profileUuid: string): Statement => ({
  name: 'chat_remove_session',
  text: 'DELETE FROM chat_sessions WHERE uuid = $1 AND profile_uuid = $2 RETURNING uuid',
  values: [uuid, profileUuid],
});

export const removeSessions = (profileUuid: string, rows: number): Statement => ({
  name: 'chat_remove_sessions',
  text: `DELETE FROM chat_sessions WHERE uuid IN (SELECT uuid FROM chat_sessions WHERE profile_uuid = $1 LIMIT $2) RETURNING uuid`,
  values: [profileUuid, rows],
});

export interface HeldSession {
  readonly uuid: string;
  readonly title: string | null;
  readonly model: string;
  readonly temperature: number;
  readonly max_tokens: number;
  readonly tools: SessionTool[];
  readonly last_ordinal: number;
  readonly is_answering: boolean;
}

/** Holds a session until the commit: messages come one after the other. */
export const holdSession = (uuid: string, profileUuid: string): Statement => ({
  name: 'chat_hold_session',
  text: `SELECT uuid, title, model, temperature, max_tokens, tools, last_ordinal,
      EXISTS (SELECT FROM chat_messages m WHERE m.session_uuid = s.uuid AND m.status IN ('pending', 'streaming')) AS is_answering
    FROM chat_sessions s WHERE uuid = $1 AND profile_uuid = $2 FOR NO KEY UPDATE`,
  values: [uuid, profileUuid],
});

/** Counts new messages, and names a session that has no name yet. */
export const countMessages = (uuid: string, title: string, messages: number, now: Date): Statement => ({
  name: 'chat_count_messages',
  text: `UPDATE chat_sessions SET last_ordinal = last_ordinal + $3, title = coalesce(title, $2), updated_at = $4 WHERE uuid = $1`,
  values: [uuid, title, messages, now],
});

export interface TurnRow {
  readonly question: string;
  readonly answer: string;
}

/** The newest turns before a message, the newest first: each question with its last complete answer. */
export const turns = (sessionUuid: string, beforeOrdinal: number, rows: number): Statement => ({
  name: 'chat_turns',
  text: `SELECT q.content AS question, a.content AS answer
    FROM chat_messages q CROSS JOIN LATERAL (
      SELECT content FROM chat_messages a WHERE a.session_uuid = q.session_uuid AND a.question_uuid = q.uuid
        AND a.status = 'complete' ORDER BY a.ordinal DESC LIMIT 1) a
    WHERE q.session_uuid = $1 AND q.role = 'user' AND q.ordinal < $2 ORDER BY q.ordinal DESC LIMIT $3`,
  values: [sessionUuid, beforeOrdinal, rows],
});

/** Seconds without a sign of life after which an answer counts as lost. */
export const leaseSeconds = 30;

/**
 * Adds parts to an answer, stores its tokens so far, and renews its lease.
 *
 * No row if the answer is no longer this worker's: it was deleted, or counted as lost.
 */
export const addParts = (
  messageUuid: string,
  claim: string,
  pinned: Date | null,
  from: number,
  parts: readonly { readonly kind: string; readonly text: string }[],
  usage: Usage | null,
): Statement => ({
  name: 'chat_add_parts',
  text: `WITH held AS (
      UPDATE chat_messages SET status = 'streaming', claimed_until = coalesce($3, statement_timestamp()) + make_interval(secs => ${leaseSeconds}),
        input_tokens = coalesce($7, input_tokens), output_tokens = coalesce($8, output_tokens), is_estimated = coalesce($9, is_estimated)
      WHERE uuid = $1 AND claim = $2 AND status IN ('pending', 'streaming') RETURNING uuid, abort_requested_at),
    added AS (
      INSERT INTO chat_parts (message_uuid, number, kind, text)
      SELECT held.uuid, $4 + place - 1, kind, text FROM held, unnest($5::text[], $6::text[]) WITH ORDINALITY AS t (kind, text, place))
    SELECT abort_requested_at IS NOT NULL AS is_aborted FROM held`,
  values: [
    messageUuid,
    claim,
    pinned,
    from,
    parts.map(({ kind }) => kind),
    parts.map(({ text }) => text),
    usage?.inputTokens ?? null,
    usage?.outputTokens ?? null,
    usage?.isEstimated ?? null,
  ],
});

export interface Ending extends Usage {
  readonly status: 'complete' | 'aborted' | 'failed';
  readonly content: string;
  readonly failure: string | null;
}

/** Ends an answer, and counts its tokens in the session. No row if it is no longer this worker's. */
export const end = (messageUuid: string, claim: string, now: Date, ending: Ending): Statement => ({
  name: 'chat_end',
  text: `WITH ended AS (
      UPDATE chat_messages SET status = $4, content = $5, failure = $6, input_tokens = $7, output_tokens = $8, is_estimated = $9,
        finished_at = $3, claim = NULL, claimed_until = NULL
      WHERE uuid = $1 AND claim = $2 AND status IN ('pending', 'streaming') RETURNING session_uuid, profile_uuid),
    calls AS (
      UPDATE chat_tool_calls SET status = 'unknown', result = $10
      WHERE message_uuid = $1 AND status = 'running' AND EXISTS (SELECT FROM ended))
    UPDATE chat_sessions s SET input_tokens = input_tokens + $7, output_tokens = output_tokens + $8
    FROM ended WHERE s.uuid = ended.session_uuid RETURNING s.uuid`,
  values: [
    messageUuid,
    claim,
    now,
    ending.status,
    ending.content,
    ending.failure,
    ending.inputTokens,
    ending.outputTokens,
    ending.isEstimated,
    unknownOutcome,
  ],
});

/** Counts an answer among those of the profile's month. */
export const countUsage = (
  profileUuid: string,
  month: string,
  toolCalls: number,
  { inputTokens, outputTokens }: Pick<Ending, 'inputTokens' | 'outputTokens'>,
): Statement => ({
  name: 'chat_count_usage',
  text: `INSERT INTO chat_usage AS u (profile_uuid, month, answers, input_tokens, output_tokens, tool_calls)
    VALUES ($1, $2::date, 1, $3, $4, $5)
    ON CONFLICT (profile_uuid, month) DO UPDATE SET answers = u.answers + 1, tool_calls = u.tool_calls + excluded.tool_calls,
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens`,
  values: [profileUuid, month, inputTokens, outputTokens, toolCalls],
});

export const usageOf = (profileUuid: string, month: string): Statement => ({
  name: 'chat_usage_of',
  text: 'SELECT answers, tool_calls, input_tokens, output_tokens FROM chat_usage WHERE profile_uuid = $1 AND month = $2::date',
  values: [profileUuid, month],
});

/** Why an answer failed whose process ended. */
const lostAnswer =
  'Outcome unknown: the process that wrote this answer ended before it was complete. What was written is kept; try again for a whole answer.';

/**
 * Ends answers with an expired lease: their text so far is kept, and their tokens and calls are counted. Tokens that the model has not
 * counted are estimated from the text. Rows as `{ session_uuid }`.
 *
 * @param month Of the counts: its first day.
 */
export const endLost = (pinned: Date | null, month: string, rows: number): Statement => ({
  name: 'chat_end_lost',
  text: `WITH lost AS (
      SELECT uuid FROM chat_messages WHERE status IN ('pending', 'streaming') AND claimed_until <= coalesce($1, statement_timestamp())
      LIMIT $3 FOR UPDATE SKIP LOCKED),
    calls AS (
      UPDATE chat_tool_calls c SET status = 'unknown', result = $5 FROM lost WHERE c.message_uuid = lost.uuid AND c.status = 'running'),
    written AS (
      SELECT lost.uuid, coalesce(string_agg(p.text, '' ORDER BY p.number), '') AS content,
        (SELECT count(*) FROM chat_tool_calls c WHERE c.message_uuid = lost.uuid AND c.status <> 'refused') AS tool_calls
      FROM lost LEFT JOIN chat_parts p ON p.message_uuid = lost.uuid AND p.kind = 'text' GROUP BY lost.uuid),
    ended AS (
      UPDATE chat_messages m SET status = 'failed', failure = $4, claim = NULL, claimed_until = NULL,
        finished_at = date_trunc('milliseconds', coalesce($1, statement_timestamp())), content = w.content,
        output_tokens = CASE WHEN is_estimated THEN greatest(output_tokens, ceil(octet_length(w.content) / ${bytesOfToken}.0))
          ELSE output_tokens END
      FROM written w WHERE m.uuid = w.uuid
      RETURNING m.session_uuid, m.profile_uuid, m.input_tokens, m.output_tokens, w.tool_calls),
    sessions AS (
      UPDATE chat_sessions s SET input_tokens = s.input_tokens + e.input_tokens, output_tokens = s.output_tokens + e.output_tokens
      FROM ended e WHERE s.uuid = e.session_uuid),
    used AS (
      INSERT INTO chat_usage AS u (profile_uuid, month, answers, input_tokens, output_tokens, tool_calls)
      SELECT profile_uuid, $2::date, count(*), sum(input_tokens), sum(output_tokens), sum(tool_calls)
      FROM ended GROUP BY profile_uuid ORDER BY profile_uuid
      ON CONFLICT (profile_uuid, month) DO UPDATE SET answers = u.answers + excluded.answers, tool_calls = u.tool_calls + excluded.tool_calls,
        input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens)
    SELECT session_uuid FROM ended`,
  values: [pinned, month, rows, lostAnswer, unknownOutcome],
});

/** Asks the worker of an answer to stop. */
export const requestAbort = (uuid: string, profileUuid: string, now: Date): Statement => ({
  name: 'chat_request_abort',
  text: `UPDATE chat_messages SET abort_requested_at = coalesce(abort_requested_at, $3)
    WHERE uuid = $1 AND profile_uuid = $2 AND status IN ('pending', 'streaming') RETURNING uuid`,
  values: [uuid, profileUuid, now],
});

export interface PartRow {
  readonly message_uuid: string;
  readonly ordinal: number;
  readonly status: string;
  readonly number: number | null;
  readonly kind: string | null;
  readonly text: string | null;
}

/** The content of a session after a part of an answer: further parts of it, then further answers. */
export const partsAfter = (
  sessionUuid: string,
  ordinal: number,
  number: number,
  onlyUuid: string | null,
  rows: number,
): Statement => ({
  name: 'chat_parts_after',
  text: `SELECT m.uuid AS message_uuid, m.ordinal, m.status, p.number, p.kind, p.text
    FROM chat_messages m LEFT JOIN chat_parts p ON p.message_uuid = m.uuid AND (m.ordinal > $2 OR p.number > $3)
    WHERE m.session_uuid = $1 AND m.ordinal >= $2 AND m.role = 'assistant' AND ($4::uuid IS NULL OR m.uuid = $4)
    ORDER BY m.ordinal, p.number LIMIT $5`,
  values: [sessionUuid, ordinal, number, onlyUuid, rows],
});

/** Removes the parts of answers that ended before an instant. */
export const purgeParts = (before: Date, rows: number): Statement => ({
  name: 'chat_purge_parts',
  text: `DELETE FROM chat_parts WHERE (message_uuid, number) IN (
      SELECT p.message_uuid, p.number FROM chat_parts p JOIN chat_messages m ON m.uuid = p.message_uuid
      WHERE m.finished_at < $1 LIMIT $2) RETURNING 1`,
  values: [before, rows],
});
