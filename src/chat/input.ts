import { z } from 'zod';
import {
  afterCursor,
  firstRows,
  integerBetween,
  label,
  listOf,
  pageRequest,
  shownLabel,
  storableText,
  trueOrFalse,
  upTo,
} from '../platform/input/input.ts';

/** Source: docs/specification/chat.md. */
const temperatureMax = 2;
const maxTokensMax = 32_000;
const messageMax = 4_000;
const maxTokensDefault = 1_024;
const temperatureDefault = 0.2;

/** The model that quotes passages, which is there without any configuration. */
export const extractiveModel = 'extractive';

/** States of an answer. */
export const messageStatuses = ['pending', 'streaming', 'complete', 'aborted', 'failed'] as const;

/** States of a call of a tool. After `running` it keeps its state. */
export const toolCallStatuses = ['running', 'succeeded', 'failed', 'refused', 'unknown'] as const;

const Uuid = (field: string) => label(field, 64);

const Temperature = z
  .number({ error: `temperature must be a number from 0 to ${temperatureMax}` })
  .min(0, `temperature must be a number from 0 to ${temperatureMax}`)
  .max(temperatureMax, `temperature must be a number from 0 to ${temperatureMax}`);

const Title = shownLabel('title', 200);

/** Tools of a session. */
const toolsMax = 20;

/** The service checks that the servers and tools exist. */
const Tools = listOf(
  'tools',
  z.object(
    {
      serverId: z.string({ error: 'serverId must be a string' }).describe('UUID of one of your MCP servers.'),
      name: storableText('name')
        .min(1, 'name must not be empty')
        .max(512, 'name must be at most 512 characters')
        .describe('Name of the tool, as the server lists it.'),
    },
    { error: 'each of tools must be an object' },
  ),
  { of: 'objects', max: toolsMax },
);

/** The input of POST /api/embedded-chat/sessions. The service checks the model. */
export const NewSession = z.object({
  profileUuid: Uuid('profileUuid').nullish().describe('UUID of your own profile, which is the default.'),
  model: label('model', 200).nullish().describe('A configured model; the default model if left out.'),
  temperature: Temperature.nullish()
    .transform((temperature) => temperature ?? temperatureDefault)
    .describe(`0 to 2, ${temperatureDefault} by default.`),
  maxTokens: integerBetween('maxTokens', 1, maxTokensMax)
    .nullish()
    .transform((tokens) => tokens ?? maxTokensDefault)
    .describe(`Tokens of an answer: 1 to ${maxTokensMax}, ${maxTokensDefault} by default.`),
  title: Title.nullish().describe('The beginning of the first message by default.'),
  tools: Tools.nullish().describe(
    `Tools of your MCP servers that the answers may call: at most ${toolsMax}, none by default. They need a language model.`,
  ),
});

/** The input of PATCH /api/embedded-chat/sessions/{id}. */
export const SessionChange = z
  .object({
    title: Title.nullish().describe('The new title; unchanged if left out.'),
    tools: Tools.nullish().describe(
      `The tools that the answers may call from now on, at most ${toolsMax}; unchanged if left out.`,
    ),
  })
  .refine(({ title, tools }) => (title ?? tools ?? null) !== null, 'title or tools is required');

/** The input of POST /api/embedded-chat/messages. */
export const NewMessage = z.object({
  sessionId: Uuid('sessionId').describe('UUID of the session.'),
  message: storableText('message')
    .min(1, 'message must not be empty')
    .max(messageMax, `message must be at most ${messageMax} characters`)
    .refine(
      upTo(messageMax, (text) => text === '' || text.trim() !== ''),
      'message must not be blank',
    )
    .describe('1 to 4000 characters.'),
  includeContext: trueOrFalse('includeContext')
    .nullish()
    .transform((include) => include ?? true)
    .describe('Whether the answer is based on your documents; true by default.'),
});

/** A page by offset, for REST. */
export const PageRequest = pageRequest(100, 20);

/** A page of messages after a cursor, for the graph: a cursor is the place of a message in its session. */
export const ConnectionRequest = z.object({
  first: firstRows(),
  after: afterCursor(placeOf).transform((ordinal) => ordinal ?? 0),
});

function placeOf(cursor: string): number | null {
  const [, ordinal] = /^message:(\d{1,9})$/.exec(Buffer.from(cursor.slice(0, 100), 'base64url').toString()) ?? [];
  return ordinal === undefined ? null : Number(ordinal);
}

export const cursorOf = ({ ordinal }: { readonly ordinal: number }): string =>
  Buffer.from(`message:${ordinal}`).toString('base64url');
