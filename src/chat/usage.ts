import { authorize, type Caller } from '../platform/caller.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { usageOf } from './statements.ts';

/** The chat usage of a profile in a month (UTC). */
export interface MonthlyUsage {
  /** `2026-03`. */
  readonly month: string;
  readonly answers: number;
  /** Calls of tools for which a server was asked. */
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null for any number. */
  readonly tokensMax: number | null;
}

export interface UsageDependencies extends Pick<Platform, 'database' | 'clock'> {
  /** Tokens that a profile may use in a month; 0 for any number. */
  readonly monthlyTokens: number;
}

/** The first day of the month of an instant. */
export const monthOf = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;

/** The costs of the chat. They are counted when an answer ends, whether or not it is complete. */
export function createUsage({ database, clock, monthlyTokens }: UsageDependencies) {
  /** The chat usage of the caller's profile in this month. */
  async function current(caller: Caller): Promise<MonthlyUsage> {
    const { profileUuid } = authorize(caller, 'chat:read');
    const month = monthOf(clock.now());
    const used = await of(database, profileUuid, month);
    return { month: month.slice(0, 7), ...used, tokensMax: monthlyTokens === 0 ? null : monthlyTokens };
  }

  /** @throws {ApiError} `RATE_LIMITED` when the tokens of the month are used up; it says when the next one begins. */
  async function check(tx: Pick<Database, 'query'>, profileUuid: string): Promise<void> {
    if (monthlyTokens === 0) return;
    const now = clock.now();
    const { inputTokens, outputTokens } = await of(tx, profileUuid, monthOf(now));
    if (inputTokens + outputTokens < monthlyTokens) return;
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    throw new ApiError('RATE_LIMITED', 'The chat tokens of this month are used up', {
      retryAfter: Math.ceil((next - now.getTime()) / 1_000),
    });
  }

  async function of(tx: Pick<Database, 'query'>, profileUuid: string, month: string) {
    const [row] = await tx.query<{ answers: number; tool_calls: number; input_tokens: string; output_tokens: string }>(
      usageOf(profileUuid, month),
    );
    const { answers = 0, tool_calls: toolCalls = 0, input_tokens: input = 0, output_tokens: output = 0 } = row ?? {};
    return { answers, toolCalls, inputTokens: Number(input), outputTokens: Number(output) };
  }

  return { current, check };
}
