import cluster, { type Worker } from 'node:cluster';
import type { Demo } from '../../sample-data/demo.ts';
import type { SampleDataState } from '../../sample-data/sample-data-state.ts';

/** The facts about the demo account in the banner. */
export type DemoFacts = Pick<Demo, 'keyFile' | 'passwordFile' | 'secret'> & {
  readonly username: string;
  readonly sampleData: SampleDataState;
};

/** The requests of a process to its supervisor, with their arguments and results. */
export interface SupervisorRequests {
  /** May I begin? Resolves once the database can be used. */
  begin: { sent: null; response: { databaseUrl: string; isFirst: boolean } };
  /** The database is migrated. Only the first process migrates. */
  prepared: { sent: null; response: null };
  /** I do my work from here on. */
  ready: { sent: DemoFacts | null; response: null };
  /** Give me no more connections. Resolves when the last one is on its way. */
  leave: { sent: null; response: null };
  /** The figures of all processes. */
  metrics: { sent: null; response: string };
}

type Name = keyof SupervisorRequests;

/** How a supervisor handles each request. */
export type Handlers = {
  [N in Name]?: (sent: SupervisorRequests[N]['sent'], worker: Worker) => Promise<SupervisorRequests[N]['response']>;
};

interface Message {
  readonly type: 'patchbay:request' | 'patchbay:response';
  readonly id: number;
  readonly name: Name;
  readonly value: unknown;
}

const isMessage = (message: unknown, type: Message['type']): message is Message =>
  (message as Partial<Message> | null)?.type === type;

/** In the supervisor: handles the requests of this process. A request whose handler fails gets no response. */
export function handleRequests(worker: Worker, handlers: Handlers, onError: (error: unknown) => void): void {
  worker.on('message', async (message: unknown) => {
    if (!isMessage(message, 'patchbay:request')) return;
    const { id, name } = message;
    const handle = handlers[name] as ((sent: unknown, worker: Worker) => Promise<unknown>) | undefined;
    try {
      const value = await handle?.(message.value, worker);
      if (worker.isConnected()) worker.send({ type: 'patchbay:response', id, name, value } satisfies Message);
    } catch (error) {
      onError(error);
    }
  });
}

const waiting = new Map<number, (value: unknown) => void>();
let asked = 0;

/** Whether this process has a supervisor. */
export const isSupervised = cluster.isWorker;

/** In a supervised process: sends a request to the supervisor. */
export function ask<N extends Name>(
  name: N,
  value: SupervisorRequests[N]['sent'] = null,
): Promise<SupervisorRequests[N]['response']> {
  if (asked === 0)
    process.on('message', (message: unknown) => {
      if (!isMessage(message, 'patchbay:response')) return;
      waiting.get(message.id)?.(message.value);
      waiting.delete(message.id);
    });
  const id = ++asked;
  return new Promise((resolve) => {
    waiting.set(id, resolve as (response: unknown) => void);
    process.send?.({ type: 'patchbay:request', id, name, value } satisfies Message);
  });
}
