import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isRefusal } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Attempt } from './attempt.ts';
import { claimSeconds } from './schedule.ts';
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
  /** Looks for what is due every second or so, and sends it. @returns Takes nothing more, and waits for what is under way. */
  start(): () => Promise<void>;
  /** Says that these webhooks may have something due now. Without effect unless it was started. */
  wake(webhookUuids: readonly string[]): void;
  /** Sends everything that is due now, to the last. */
  drain(): Promise<void>;
}

const everyMs = 1_000;
/** A look costs what the webhooks cost that wait for something: pauses are so many times as long, up to a most. */
const lookShare = 10;
const everyMsMax = 10_000;
/** Attempts of this process at a time. */
const inFlightMax = 512;
/** Of these, those to receivers that fail: however many of them there are, the others have the rest. */
const failingInFlightMax = inFlightMax / 4;
/**
 * Attempts to one receiver at a time: what it begins with, the most, and what is left of it while it fails. Over as many
 * connections as the egress makes to one place: what waits for one loses time to be answered in.
 */
const windowAtFirst = 8;
const windowMax = 128;
const windowOfFailing = 2;
/** Attempts that were taken and are not written down yet: when writing is slow, taking waits for it. */
const takenMax = 2 * inFlightMax;
/** Outcomes of one statement. */
const recordedMax = 500;
/** While the database is away outcomes wait this long between tries; after the claims have ended it is of no use. */
const recordRetryMs = 500;
const recordPatienceMs = claimSeconds * 1_000;
/** An outcome that fails by itself while the database is there holds up the others no longer than so many tries. */
const recordTriesOfOne = 3;
/** While somebody waits for our end. */
const recordPatienceOfStopMs = 5_000;
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
    let room = Math.min(inFlightMax, takenMax - outcomes.length) - inFlight;
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
    // What was not sent says nothing of the receiver.
    if (!row.was_lost && outcome.status !== 'postponed') learn(receiver, outcome);
    outcomes.push(outcome);
    recording ??= recordAll();
    if (ready.size > 0) pumpSoon();
  }

  function learn(receiver: Receiver, { status }: Outcome): void {
    receiver.isFailing = status === 'failed';
    receiver.window = receiver.isFailing
      ? Math.max(windowOfFailing, Math.floor(receiver.window / 2))
      : Math.min(windowMax, receiver.window + 1);
  }

  async function recordAll(): Promise<void> {
    // Lets what ends in the same turn come along.
    await new Promise((resolve) => setImmediate(resolve));
    let size = recordedMax;
    /** How many were there when the trouble began: these have run out of time together. */
    let late = 0;
    for (let failingSince: number | null = null, tries = 0; outcomes.length > 0; ) {
      const batch = outcomes.slice(0, size);
      try {
        await store.record(batch);
        outcomes.splice(0, batch.length);
        if (ready.size > 0) pumpSoon();
        failingSince = null;
        tries = 0;
        size = Math.min(recordedMax, size * 2);
      } catch (error) {
        const isAway = isRefusal(error);
        const patienceMs = isRunning ? recordPatienceMs : recordPatienceOfStopMs;
        // Somebody who waits for our end waits once.
        if (failingSince === null || !isRunning) late = outcomes.length;
        failingSince ??= performance.now();
        tries += 1;
        log.warn({ error, outcomes: outcomes.length }, 'outcomes of webhook deliveries could not be written');
        const isHopeless = batch.length === 1 && !isAway && tries >= recordTriesOfOne;
        const isTooLate = performance.now() - failingSince >= patienceMs;
        if (isHopeless || isTooLate) {
          // Their claims end, and they are sent again.
          outcomes.splice(0, isTooLate ? late : batch.length);
          failingSince = null;
        } else if (isAway || batch.length === 1) await delay(recordRetryMs);
        // One that cannot be written must not hold up those beside it, nor too many at once each other.
        if (batch.length > 1) tries = 0;
        size = Math.ceil(batch.length / 2);
      }
    }
    // In the same turn as the last look: what ends a moment later finds nobody recording, and begins.
    recording = null;
    tellIdle();
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
    const stopping = new AbortController();
    const { signal } = stopping;
    const looking = (async () => {
      while (!signal.aborted) {
        const begun = performance.now();
        await store.due().then(wake, (error: unknown) => {
          log.warn({ error }, 'due webhook deliveries could not be looked for');
        });
        const pauseMs = Math.max(everyMs, Math.min(everyMsMax, lookShare * (performance.now() - begun)));
        await delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    })();
    return async () => {
      isRunning = false;
      stopping.abort();
      await looking;
      await becomesIdle();
    };
  }

  return { start, wake, drain };
}
