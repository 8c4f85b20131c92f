import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReportFailure } from '../platform/database/outages.ts';
import { isApiError } from '../platform/errors.ts';
import type { Attempt } from './attempt.ts';
import { createInFlight, inFlightMax, type WebhookRef } from './in-flight.ts';
import { claimSeconds } from './schedule.ts';
import type { ClaimedRow, Outcome } from './statements.ts';

/** The dispatcher's interface to the stored deliveries. */
export interface DeliveryStore {
  /** The webhooks that have something due, and whether deliveries are due that are sent apart from the others. */
  due(): Promise<{ webhooks: readonly WebhookRef[]; isAnyApart: boolean }>;
  /** Takes due deliveries, of each webhook at most as many as there is room for. */
  claim(claim: string, rooms: readonly (readonly [webhookUuid: string, room: number])[]): Promise<ClaimedRow[]>;
  /** Takes one of those that are sent apart from the others, if any is due. */
  claimApart(claim: string): Promise<ClaimedRow[]>;
  /** Records how attempts went. */
  record(outcomes: readonly Outcome[]): Promise<void>;
}

export interface Dispatcher {
  /**
   * Checks for due deliveries about every second, and sends them. @returns A function that stops it and waits for
   * running work.
   */
  start(): () => Promise<void>;
  /** Signals that these webhooks may have due deliveries. No effect before the start. */
  wake(webhooks: readonly WebhookRef[]): void;
  /** Sends everything that is due now, to the last. */
  drain(): Promise<void>;
}

const everyMs = 1_000;
/** A look costs what the webhooks cost that wait for something: pauses are so many times as long, up to a most. */
const lookShare = 10;
const everyMsMax = 10_000;
/** Attempts that were taken and are not written down yet: when writing is slow, taking waits for it. */
const takenMax = 2 * inFlightMax;
/** Data that is signed and written in one turn of the event loop, in characters. */
const charactersAtOnce = 500_000;
/** Outcomes of one statement. */
const recordedMax = 500;
/** While the database is away outcomes wait this long between tries; after the claims have ended it is of no use. */
const recordRetryMs = 500;
const recordPatienceMs = claimSeconds * 1_000;
/** An outcome that fails by itself while the database is there holds up the others no longer than so many tries. */
const recordTriesOfOne = 3;
/** While a caller waits for the end of this dispatcher. */
const recordPatienceOfStopMs = 5_000;

/**
 * Sends due deliveries. The stored deliveries are the queue; a claim keeps two processes from sending the same attempt.
 * A healthy receiver gets deliveries as fast as it responds, and a dead one, however long its queue, delays no other
 * (in-flight.ts).
 */
export function createDispatcher(deps: { store: DeliveryStore; attempt: Attempt; report: ReportFailure }): Dispatcher {
  const { store, attempt, report } = deps;
  const inFlight = createInFlight();
  /** The webhooks that may have more due than has been taken, by uuid. */
  const ready = new Map<string, WebhookRef>();
  const outcomes: Outcome[] = [];
  /** Attempts that were taken so far. */
  let taken = 0;
  let isRunning = false;
  let claiming: Promise<void> | null = null;
  let claimingApart: Promise<void> | null = null;
  let recording: Promise<void> | null = null;
  let isPumpScheduled = false;
  const idle = new Set<() => void>();

  async function claimAll(): Promise<void> {
    for (;;) {
      if (!isRunning) return;
      const wanted = inFlight.rooms(ready, takenMax - outcomes.length);
      if (wanted.length === 0) return;
      const asked = wanted.map(([uuid, room]) => ({ webhook: ready.get(uuid) as WebhookRef, room }));
      for (const [uuid] of wanted) ready.delete(uuid);
      const token = randomUUID();
      const rows = await store.claim(token, wanted);
      taken += rows.length;
      await begin(rows, token);
      const counts = new Map<string, number>();
      for (const { webhook_uuid: uuid } of rows) counts.set(uuid, (counts.get(uuid) ?? 0) + 1);
      // One that had as much as there was room for may have more.
      for (const { webhook, room } of asked) if (counts.get(webhook.uuid) === room) ready.set(webhook.uuid, webhook);
    }
  }

  /** Begins attempts, the smallest first: the small ones of one profile do not wait until the large ones of another are signed. */
  async function begin(rows: readonly ClaimedRow[], token: string): Promise<void> {
    let characters = 0;
    for (const row of rows.toSorted((a, b) => a.data.length - b.data.length)) {
      void send(row, token);
      characters += row.data.length;
      if (characters < charactersAtOnce) continue;
      characters = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Sends the deliveries that are sent apart from the others, one after the other. */
  async function sendApart(): Promise<void> {
    while (isRunning) {
      const token = randomUUID();
      const [row] = await store.claimApart(token);
      if (!row) return;
      taken += 1;
      await send(row, token);
    }
  }

  function pumpApart(): void {
    if (!isRunning) return;
    claimingApart ??= sendApart()
      .catch((error: unknown) => report(error, 'webhook deliveries could not be taken'))
      .finally(() => {
        claimingApart = null;
        signalIdle();
      });
  }

  function pump(): void {
    if (claiming || !isRunning) return;
    claiming = claimAll()
      .catch((error: unknown) => report(error, 'webhook deliveries could not be taken'))
      .finally(() => {
        claiming = null;
        signalIdle();
      });
  }

  /** All attempts that end in one turn of the event loop trigger one claim. */
  function pumpSoon(): void {
    if (isPumpScheduled) return;
    isPumpScheduled = true;
    setImmediate(() => {
      isPumpScheduled = false;
      pump();
      signalIdle();
    });
  }

  async function send(row: ClaimedRow, token: string): Promise<void> {
    const end = inFlight.begin(row);
    const outcome = await attempt(row, token);
    end(outcome);
    outcomes.push(outcome);
    recording ??= recordAll();
    if (ready.size > 0) pumpSoon();
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
        const isAway = isApiError(error);
        const patienceMs = isRunning ? recordPatienceMs : recordPatienceOfStopMs;
        // A caller that waits for the end waits once.
        if (failingSince === null || !isRunning) late = outcomes.length;
        failingSince ??= performance.now();
        tries += 1;
        report(error, 'outcomes of webhook deliveries could not be recorded', { outcomes: outcomes.length });
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
    // In the same turn as the last look: a delivery that ends a moment later finds no recorder, and starts one.
    recording = null;
    signalIdle();
  }

  const isIdle = () => inFlight.count() === 0 && !claiming && !claimingApart && !recording && !isPumpScheduled;

  function signalIdle(): void {
    if (!isIdle()) return;
    for (const resolve of idle) resolve();
    idle.clear();
  }

  async function becomesIdle(): Promise<void> {
    while (!isIdle()) await new Promise<void>((resolve) => idle.add(resolve));
  }

  function wake(webhooks: readonly WebhookRef[]): void {
    if (!isRunning) return;
    for (const webhook of webhooks) if (!ready.has(webhook.uuid)) ready.set(webhook.uuid, webhook);
    if (webhooks.length > 0) pumpSoon();
  }

  async function look(): Promise<void> {
    const { webhooks, isAnyApart } = await store.due();
    wake(webhooks);
    if (isAnyApart) pumpApart();
  }

  async function drain(): Promise<void> {
    const wasRunning = isRunning;
    isRunning = true;
    // Another process may have claimed the due deliveries: a round that takes none is the last.
    for (let before = -1; taken !== before; ) {
      before = taken;
      await look();
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
        await look().catch((error: unknown) => report(error, 'due webhook deliveries could not be queried'));
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
