import type { MonthlyUsage } from '../../src/chat/index.ts';
import { builder } from '../builder.ts';
import { optional } from '../optional.ts';
import { query } from '../query.ts';

const Usage = builder.objectRef<MonthlyUsage>('ChatUsage').implement({
  description: 'Usage of the chat of a profile in a month of UTC.',
  fields: (t) => ({
    month: t.exposeString('month', { description: 'The month, such as `2026-03`.' }),
    answers: t.exposeInt('answers', { description: 'Number of answers that have ended.' }),
    toolCalls: t.exposeInt('toolCalls', { description: 'Number of tool calls that were sent to a server.' }),
    inputTokens: t.exposeFloat('inputTokens', { description: 'Input tokens.' }),
    outputTokens: t.exposeFloat('outputTokens', { description: 'Output tokens.' }),
    tokensMax: t.exposeFloat('tokensMax', optional('Tokens that may be used in the month; null without a limit.')),
  }),
});

query('chatUsage', {
  type: Usage,
  description: 'Usage of the chat of your profile in the current month.',
  extensions: { rateLimit: 'general' },
  resolve: (_root, _args, { caller, services }) => services.chat.usage.current(caller),
});
