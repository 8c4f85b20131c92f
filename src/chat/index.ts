export { type Chat, createChat } from './chat.ts';
export { createEndpointModels } from './endpoint.ts';
export type { ChatStep } from './follow.ts';
export { chatJobs, chatReaders } from './jobs.ts';
export { type ChatMetrics, createChatMetrics } from './metrics.ts';
export { type Models, noModels } from './models.ts';
export type { StaleAnswer } from './staleness.ts';
export type { SessionTool } from './tool-statements.ts';
export type { MonthlyUsage } from './usage.ts';
