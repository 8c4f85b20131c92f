/** Work that comes round again: once a tick for all processes together (src/platform/messaging/queue.ts). */
export interface Job {
  readonly name: string;
  /** Minute, hour, day of the month, month, day of the week; in UTC. */
  readonly cron: string;
  /** @returns How many things it dealt with, for the log. */
  run(): Promise<number>;
}
