import { randomUUID } from 'node:crypto';
import type { Logger } from '../platform/logger.ts';
import type { Attempt } from './attempt.ts';
import type { ClaimedRow, Outcome } from './statements.ts';

/** What the dispatcher needs of the stored deliveries. */
export interface DeliveryStore {
  /** The webhooks that have something due. */
  due(): Promise<string[]>;
  /** Takes due deliveries, of each webhook at most as many as there is room for. */
  claim(claim: string, rooms: readonly (readonly [webhookUuid: string, room: number])[]): Promise<ClaimedRow[]>;
  /** Writes down how attempts went. */
  record(outcomes: readonly Outcome[]): Promise<void>;
}

export interface Dispatcher {
  /** Looks for what is due every second, and sends it. @returns Takes nothing more, and waits for what is under way. */
  start(): () => Promise<void>;
  /** Says that these webhooks may have something due now. Without effect unless it was started. */
  wake(webhookUuids: readonly string[]): void;
  /** Sends everything that is due now, to the last. */
  drain(): Promise<void>;
}

const everyMs = 1_000;
/** Attempts of this process at a time. */
const inFlightMax = 512;
/** Of these, those to receivers that fail: however many of them there are, the others have the rest. */
const failingInFlightMax = inFlightMax / 4;
/** Attempts to one receiver at a time: what it begins with, the most, and what is left of it while it fails. */
const windowAtFirst = 8;
const windowMax = 128;
const windowOfFailing = 2;
/** Outcomes of one statement. */
const recordedMax = 500;
/** While the database is away outcomes wait this long between tries, so often; then the claims have ended anyway. */
const recordRetryMs = 500;
const recordTriesMax = 30;
/** Receivers that are remembered while nothing is under way to them. */
const receiversMax = 10_000;

/** How a receiver is doing, as far as this process knows. */
interface Receiver {
  /** Attempts that it may have under way: grows by one with each success, and shrinks with each failure. */
  window: number;
  inFlight: number;
  isFailing: boolean;
}

/**
 * Sends what is due. The stored deliveries are the queue; a claim keeps two processes from sending the same attempt at once.
 * Each receiver has a window of attempts, as TCP has for each connection: a healthy one is sent to as fast as it answers, and
 * a dead one, however long its queue, holds up nobody else.
 */
export function createDispatcher(deps: { store: DeliveryStore; attempt: Attempt; log: Logger }): Dispatcher {
  const { store, attempt, log } = deps;
  const receivers = new Map<string, Receiver>();
  /** The webhooks that may have more due than has been taken. */
  const ready = new Set<string>();
  const outcomes: Outcome[] = [];
  let inFlight = 0;
  /** Attempts that were taken so far. */
  let taken = 0;
  let failingInFlight = 0;
  let isRunning = false;
  let claiming: Promise<void> | null = null;
  let recording: Promise<void> | null = null;
  let isPumpScheduled = false;
  const idle = new Set<() => void>();

  function receiverOf(uuid: string): Receiver {
    const known = receivers.get(uuid);
    if (known) return known;
    if (receivers.size >= receiversMax)
      for (const [other, { inFlight: busy }] of receivers) if (busy === 0) receivers.delete(other);
    const receiver: Receiver = { window: windowAtFirst, inFlight: 0, isFailing: false };
    receivers.set(uuid, receiver);
    return receiver;
  }

  function rooms(): [string, number][] {
    let room = inFlightMax - inFlight;
    let failingRoom = failingInFlightMax - failingInFlight;
    const wanted: [string, number][] = [];
    for (const uuid of ready) {
      if (room <= 0) break;
      const { window, inFlight: busy, isFailing } = receiverOf(uuid);
      const free = Math.min(window - busy, room, isFailing ? failingRoom : room);
      // A claim costs a statement: it waits until a part of the window is free.
      if (free <= 0 || (busy > 0 && free < window / 4)) continue;
      room -= free;
      if (isFailing) failingRoom -= free;
      wanted.push([uuid, free]);
    }
    return wanted;
  }

  async function claimAll(): Promise<void> {
    for (;;) {
      if (!isRunning) return;
      const wanted = rooms();
      if (wanted.length === 0) return;
      for (const [uuid] of wanted) ready.delete(uuid);
      const token = randomUUID();
      const rows = await store.claim(token, wanted);
      taken += rows.length;
      const counts = new Map<string, number>();
      for (const row of rows) {
        counts.set(row.webhook_uuid, (counts.get(row.webhook_uuid) ?? 0) + 1);
        void send(row, token);
      }
      // Who had as much as there was room for may have more.
      for (const [uuid, room] of wanted) if (counts.get(uuid) === room) ready.add(uuid);
    }
  }

  function pump(): void {
    if (claiming || !isRunning) return;
    claiming = claimAll()
      .catch((error: unknown) => log.warn({ error }, 'webhook deliveries could not be taken'))
      .finally(() => {
        claiming = null;
        tellIdle();
      });
  }

  /** What ends in one turn of the event loop makes room for one claim. */
  function pumpSoon(): void {
    if (isPumpScheduled) return;
    isPumpScheduled = true;
    setImmediate(() => {
      isPumpScheduled = false;
      pump();
      tellIdle();
    });
  }

  async function send(row: ClaimedRow, token: string): Promise<void> {
    const receiver = receiverOf(row.webhook_uuid);
    const countsAsFailing = receiver.isFailing;
    inFlight += 1;
    receiver.inFlight += 1;
    if (countsAsFailing) failingInFlight += 1;
    const outcome = await attempt(row, token);
    inFlight -= 1;
    receiver.inFlight -= 1;
    if (countsAsFailing) failingInFlight -= 1;
    receiver.isFailing = outcome.status === 'failed' && !row.was_lost;
    receiver.window = receiver.isFailing
      ? Math.max(windowOfFailing, Math.floor(receiver.window / 2))
      : Math.min(windowMax, receiver.window + 1);
    outcomes.push(outcome);
    recording ??= recordAll().finally(() => {
      recording = null;
      tellIdle();
    });
    if (ready.size > 0) pumpSoon();
  }

  async function recordAll(): Promise<void> {
    // Lets what ends in the same turn come along.
    await new Promise((resolve) => setImmediate(resolve));
    for (let tries = 0; outcomes.length > 0; ) {
      const batch = outcomes.slice(0, recordedMax);
      try {
        await store.record(batch);
        outcomes.splice(0, batch.length);
        tries = 0;
      } catch (error) {
        tries += 1;
        log.warn({ error, outcomes: outcomes.length }, 'outcomes of webhook deliveries could not be written');
        if (tries >= recordTriesMax || !isRunning) {
          // Their claims end, and they are sent again.
          outcomes.splice(0, batch.length);
          tries = 0;
        } else await new Promise((resolve) => setTimeout(resolve, recordRetryMs));
      }
    }
  }

  const isIdle = () => inFlight === 0 && !claiming && !recording && !isPumpScheduled;

  function tellIdle(): void {
    if (!isIdle()) return;
    for (const resolve of idle) resolve();
    idle.clear();
  }

  async function becomesIdle(): Promise<void> {
    while (!isIdle()) await new Promise<void>((resolve) => idle.add(resolve));
  }

  function wake(webhookUuids: readonly string[]): void {
    if (!isRunning) return;
    for (const uuid of webhookUuids) ready.add(uuid);
    if (webhookUuids.length > 0) pumpSoon();
  }

  async function drain(): Promise<void> {
    const wasRunning = isRunning;
    isRunning = true;
    // What is due may be in the hands of another process: a round that takes nothing is the last.
    for (let before = -1; taken !== before; ) {
      before = taken;
      wake(await store.due());
      await becomesIdle();
    }
    isRunning = wasRunning;
  }

  function start(): () => Promise<void> {
    isRunning = true;
    let looking: Promise<void> | null = null;
    const timer = setInterval(() => {
      looking ??= store
        .due()
        .then(wake)
        .catch((error: unknown) => log.warn({ error }, 'due webhook deliveries could not be looked for'))
        .finally(() => {
          looking = null;
        });
    }, everyMs).unref();
    return async () => {
      isRunning = false;
      clearInterval(timer);
      await looking;
      await becomesIdle();
    };
  }

  return { start, wake, drain };
}
