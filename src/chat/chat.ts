import { inBatches } from '../platform/database/batches.ts';
import { type AnsweringDependencies, createAnswering } from './answering.ts';
import { channelOf, createFollow } from './follow.ts';
import { extractiveModel } from './input.ts';
import { createMessages } from './messages.ts';
import { createSessions } from './sessions.ts';
import { createStaleness, type StalenessDependencies } from './staleness.ts';
import { endLost, purgeParts } from './statements.ts';
import { createUsage, monthOf, type UsageDependencies } from './usage.ts';

export type ChatDependencies = AnsweringDependencies & StalenessDependencies & UsageDependencies;

export type Chat = ReturnType<typeof createChat>;

/** Minutes that the parts of an answer are kept after its end, for those who follow it. */
const partsKeptMinutes = 15;

/** Conversations about the documents of a profile. Source: docs/specification/chat.md. */
export function createChat(deps: ChatDependencies) {
  const { database, clock, events } = deps;
  const models = [...deps.models.names, extractiveModel];
  const answering = createAnswering(deps);
  const usage = createUsage(deps);

  /** Ends answers whose process gives no sign of life, as failed, and counts what they have used. @returns How many. */
  async function endLostAnswers(): Promise<number> {
    return inBatches<{ session_uuid: string }>(
      database,
      100,
      (rows) => endLost(clock.pinned(), monthOf(clock.now()), rows),
      (ended) => {
        for (const row of ended) events.publish(channelOf(row.session_uuid), null);
      },
    );
  }

  /** Removes the parts of answers that have ended 15 minutes ago. @returns How many. */
  async function purge(): Promise<number> {
    const before = new Date(clock.now().getTime() - partsKeptMinutes * 60_000);
    return inBatches(database, 1_000, (rows) => purgeParts(before, rows));
  }

  const sessions = createSessions({ ...deps, models, contextTokens: deps.models.contextTokens });
  return {
    models,
    sessions,
    messages: createMessages({ ...deps, answering, checkUsage: usage.check }),
    usage: { current: usage.current },
    staleness: createStaleness(deps),
    follow: createFollow(deps),
    removeContents: sessions.removeContents,
    endLostAnswers,
    purge,
    close: answering.close,
  };
}
