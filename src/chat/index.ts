export { type Chat, type ChatDependencies, createChat } from './chat.ts';
export { createEndpointModels } from './endpoint.ts';
export type { ChatStep } from './follow.ts';
export { chatJobs } from './jobs.ts';
export type { MessagePage } from './messages.ts';
export { type Models, noModels } from './models.ts';
export type { Excerpt, Passage, Retrieve } from './passage.ts';
export type { SessionPage } from './sessions.ts';
export { contentWords } from './words.ts';
