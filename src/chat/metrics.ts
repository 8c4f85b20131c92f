import type { Counter, Histogram, Registry } from 'prom-client';
import { familiesIn } from '../platform/metric-families.ts';

export interface ChatMetrics {
  readonly toolCalls: Counter<'status'>;
  readonly toolCallSeconds: Histogram;
}

/** Metrics of the chat. Servers, tools and profiles are not labels, because their number is unbounded. */
export function createChatMetrics(registry: Registry): ChatMetrics {
  const { counter, histogram } = familiesIn(registry);
  return {
    toolCalls: counter(
      'patchbay_chat_tool_calls_total',
      'Calls of tools by answers of the chat, by status: succeeded, failed or refused.',
      ['status'],
    ),
    toolCallSeconds: histogram(
      'patchbay_chat_tool_call_seconds',
      'Duration of a call of a tool by an answer of the chat.',
      [0.1, 0.5, 2, 5, 10],
    ),
  };
}
