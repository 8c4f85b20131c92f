import { Counter, Histogram, type Registry } from 'prom-client';

export interface ChatMetrics {
  readonly toolCalls: Counter<'status'>;
  readonly toolCallSeconds: Histogram;
}

/** What an operator sees of the chat. Which server, tool or profile it is, is no label: they have no bound. */
export function createChatMetrics(registry: Registry): ChatMetrics {
  const registers = [registry];
  return {
    toolCalls: new Counter({
      name: 'patchbay_chat_tool_calls_total',
      help: 'Calls of tools by answers of the chat, by status: succeeded, failed or refused.',
      labelNames: ['status'],
      registers,
    }),
    toolCallSeconds: new Histogram({
      name: 'patchbay_chat_tool_call_seconds',
      help: 'Duration of a call of a tool by an answer of the chat.',
      buckets: [0.1, 0.5, 2, 5, 10],
      registers,
    }),
  };
}
