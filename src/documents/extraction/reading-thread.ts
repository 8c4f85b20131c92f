/** The thread that reads one file after the other, for reading-process.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { ExtractionFailure, type ExtractionLimits, placeOf } from './extracted.ts';
import { readWholeFile } from './read-file.ts';
import type { ReadingResponse, ReadingTask } from './reader.ts';

const limits = workerData as ExtractionLimits;

parentPort?.on('message', async ({ path, fileName }: ReadingTask) => {
  parentPort?.postMessage(await responseTo(path, fileName));
});

parentPort?.postMessage('loaded');

async function responseTo(path: string, fileName: string): Promise<ReadingResponse> {
  try {
    return { kind: 'extracted', extracted: await readWholeFile(path, fileName, limits), isSpent: false };
  } catch (error) {
    if (!(error instanceof ExtractionFailure)) return { kind: 'error', message: String(error) };
    const { code, reason, cause } = error;
    return { kind: 'failure', code, reason, ...(cause instanceof Error && { cause: placeOf(cause) }) };
  }
}
