import cluster, { type Worker } from 'node:cluster';
import type { Demo } from '../../sample-data/demo.ts';
import type { SampleDataState } from '../../sample-data/sample-data-state.ts';

/** The facts about the demo account in the banner. */
export type DemoFacts = Pick<Demo, 'keyFile' | 'passwordFile' | 'secret'> & { readonly sampleData: SampleDataState };

/** The requests of a process to its supervisor, with their arguments and results. */
export interface Questions {
  /** May I begin? Answered once the database can be used. */
  begin: { sent: null; answer: { databaseUrl: string; isFirst: boolean } };
  /** The database is migrated. Only the first process migrates. */
  prepared: { sent: null; answer: null };
  /** I do my work from here on. */
  ready: { sent: DemoFacts | null; answer: null };
  /** Give me no more connections. Answered when the last one is on its way. */
  leave: { sent: null; answer: null };
  /** The figures of all processes. */
  metrics: { sent: null; answer: string };
}

type Name = keyof Questions;

/** How a supervisor answers each question. */
export type Answers = { [N in Name]?: (sent: Questions[N]['sent'], worker: Worker) => Promise<Questions[N]['answer']> };

interface Message {
  readonly type: 'patchbay:question' | 'patchbay:answer';
  readonly id: number;
  readonly name: Name;
  readonly value: unknown;
}

const isMessage = (message: unknown, type: Message['type']): message is Message =>
  (message as Partial<Message> | null)?.type === type;

/** In the supervisor: answers what this process asks. A question whose answer fails stays without one. */
export function answerQuestions(worker: Worker, answers: Answers, onError: (error: unknown) => void): void {
  worker.on('message', async (message: unknown) => {
    if (!isMessage(message, 'patchbay:question')) return;
    const { id, name } = message;
    const answer = answers[name] as ((sent: unknown, worker: Worker) => Promise<unknown>) | undefined;
    try {
      const value = await answer?.(message.value, worker);
      if (worker.isConnected()) worker.send({ type: 'patchbay:answer', id, name, value } satisfies Message);
    } catch (error) {
      onError(error);
    }
  });
}

const waiting = new Map<number, (value: unknown) => void>();
let asked = 0;

/** Whether this process has a supervisor. */
export const isSupervised = cluster.isWorker;

/** In a supervised process: asks the supervisor. */
export function ask<N extends Name>(name: N, value: Questions[N]['sent'] = null): Promise<Questions[N]['answer']> {
  if (asked === 0)
    process.on('message', (message: unknown) => {
      if (!isMessage(message, 'patchbay:answer')) return;
      waiting.get(message.id)?.(message.value);
      waiting.delete(message.id);
    });
  const id = ++asked;
  return new Promise((resolve) => {
    waiting.set(id, resolve as (answer: unknown) => void);
    process.send?.({ type: 'patchbay:question', id, name, value } satisfies Message);
  });
}
