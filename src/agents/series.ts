import type { Database } from '../platform/database/database.ts';
import { invalid } from '../platform/input/input.ts';
import type { Platform } from '../platform/platform.ts';
import * as statements from './series-statements.ts';

/** Seconds of a bucket, by resolution. */
const secondsOf = { minute: 60, hour: 3_600 } as const;
export type Resolution = keyof typeof secondsOf;

/** A day of minutes, or two months of hours. */
const bucketsMax = 1_500;
/** Notes of new reports that one transaction deals with. */
const batchTouches = 1_000;

/** The metric reports of an agent in a minute or an hour. One without reports has no bucket. */
export interface MetricBucket {
  /** Start of the bucket, in whole minutes or hours of UTC. */
  readonly at: Date;
  readonly samples: number;
  readonly cpuPercentAverage: number;
  readonly cpuPercentMax: number;
  readonly memoryMbAverage: number;
  readonly memoryMbMax: number;
  /** Requests that were handled in the bucket: how much the agent's total has grown since the report before it. */
  readonly requestsHandled: number;
}

/** Metric reports added up, for charts of long times. */
export function createSeries({ database }: Pick<Platform, 'database'>) {
  /**
   * Aggregates new reports. Each batch is one transaction, so that a failure leaves a batch wholly aggregated or not at
   * all, and reports that commit late count too. Any number of processes may call it; one at a time works. Its cost
   * grows with the number of new reports.
   *
   * @returns The number of processed notes.
   */
  async function addUp(): Promise<number> {
    for (let total = 0; ; ) {
      const taken = await database.transaction(addUpBatch);
      total += taken;
      if (taken < batchTouches) return total;
    }
  }

  async function addUpBatch(tx: Database): Promise<number> {
    const [lock] = await tx.query<{ taken: boolean }>(statements.alone());
    if (!lock?.taken) return 0;
    const touches = await tx.query<statements.TouchRow>(statements.takeTouches(batchTouches));
    if (touches.length === 0) return 0;
    const minutes = await tx.query<statements.TouchRow>(statements.addUpMinutes(touches));
    if (minutes.length > 0) await tx.query(statements.addUpHours(minutes));
    return touches.length;
  }

  /**
   * The series of an agent, the oldest bucket first. The agent is taken to be the caller's. A new report is in it within two minutes.
   *
   * @param from The first instant.
   * @param to The instant before which it ends; at most 1 500 buckets after `from`.
   * @throws {ApiError} `VALIDATION_ERROR` for more buckets, and where `to` is not after `from`.
   */
  async function buckets(agentUuid: string, resolution: Resolution, from: Date, to: Date): Promise<MetricBucket[]> {
    const seconds = secondsOf[resolution];
    if (to <= from) throw invalid({ to: 'to must be after from' });
    if (to.getTime() - from.getTime() > bucketsMax * seconds * 1_000)
      throw invalid({ from: `from and to must be at most ${bucketsMax} ${resolution}s apart` });
    const rows = await database.read<statements.BucketRow>(
      statements.buckets(agentUuid, seconds, from, to, bucketsMax),
    );
    return rows.map((row) => ({
      at: row.at,
      samples: row.samples,
      cpuPercentAverage: row.cpu_percent_average,
      cpuPercentMax: row.cpu_percent_max,
      memoryMbAverage: row.memory_mb_average,
      memoryMbMax: row.memory_mb_max,
      requestsHandled: Number(row.requests_handled),
    }));
  }

  return { addUp, buckets };
}
