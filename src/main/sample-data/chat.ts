import type { Story } from './story.ts';

/** A session to begin with: the documents are read in the background after the start, so nothing was asked yet. */
export function tellChat({ at }: Story): void {
  at(1.6, ({ services, as }) => services.chat.sessions.create(as('owner'), { title: 'Questions about the library' }));
}
