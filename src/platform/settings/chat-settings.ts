import { z } from 'zod';

const whole = (expected: string, min: number, max: number) =>
  z.coerce.number({ error: expected }).int(expected).min(min, expected).max(max, expected);

/** Of the allow-list: a session shows them all. */
const modelsMax = 50;
const modelName = /^[\x21-\x7e]{1,200}$/;

/** The settings of the chat, a part of src/platform/config.ts. */
export const chatSettings = {
  CHAT_BASE_URL: z
    .string()
    .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
      error: 'a URL like https://api.example.com/v1',
    })
    .transform((text) => (text.endsWith('/') ? text.slice(0, -1) : text))
    .optional()
    .describe(
      'An endpoint that speaks the chat protocol of OpenAI; it may be on a private network. Left out: answers are quoted from the documents, without a language model.',
    ),
  CHAT_API_KEY: z.string().min(1).optional().describe('The key of that endpoint.'),
  CHAT_MODEL: z
    .string()
    .transform((text, context): readonly string[] => {
      const models = text.split(',').map((name) => name.trim());
      if (models.length <= modelsMax && models.every((name) => modelName.test(name))) return [...new Set(models)];
      context.addIssue(`a comma list of at most ${modelsMax} names of models`);
      return z.NEVER;
    })
    .optional()
    .describe('The models of that endpoint that chat sessions can use: a comma list; the first is the default.'),
  CHAT_CONTEXT_TOKENS: whole('a number of tokens from 1024 to 2000000', 1_024, 2_000_000)
    .default(16_384)
    .describe('Context size of each of these models in tokens, including the answer.'),
  CHAT_MONTHLY_TOKENS: whole('a number of tokens', 0, 1_000_000_000_000)
    .default(0)
    .describe('Tokens that the chat of a profile can use in a month (UTC); 0 for no limit.'),
} as const;
