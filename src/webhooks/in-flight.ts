import type { ClaimedRow, Outcome } from './statements.ts';

/** A webhook, and the profile whose share of the dispatcher its deliveries use. */
export interface WebhookRef {
  readonly uuid: string;
  readonly profileUuid: string;
}

/** Attempts of this process at a time. */
export const inFlightMax = 512;
/** Of these, those to receivers that fail: however many of them there are, the others have the rest. */
const failingInFlightMax = inFlightMax / 4;
/**
 * Attempts to one receiver at a time: the initial window, the largest, and the smallest while it fails. At most as many
 * as the egress opens connections to one host: an attempt that waits for a connection loses time for its response.
 */
const windowAtFirst = 8;
const windowMax = 128;
const windowOfFailing = 2;
/** Receivers that are remembered while nothing is under way to them. */
const receiversMax = 10_000;

/** The state of a receiver, as this process sees it. */
interface Receiver {
  /** Attempts that it may have under way: grows by one with each success, and shrinks with each failure. */
  window: number;
  inFlight: number;
  isFailing: boolean;
}

/** Attempts of one profile that are under way, and those of them to receivers that fail. */
interface Share {
  inFlight: number;
  failing: number;
}

/** The attempts of this process that are under way, and how many more may begin. */
export interface InFlight {
  count(): number;
  /** Counts an attempt. @returns Ends it, and learns from its outcome. */
  begin(row: ClaimedRow): (outcome: Outcome) => void;
  /**
   * How many attempts may begin, by webhook. Profiles take turns, with one of their webhooks in each.
   *
   * @param ready Webhooks by uuid, those first that have waited for longer.
   * @param most Attempts in all that may be under way, if that is less than 512.
   */
  rooms(ready: ReadonlyMap<string, WebhookRef>, most: number): [webhookUuid: string, room: number][];
}

/**
 * Each receiver has a window of attempts, as TCP has for each connection. A profile may have as many attempts under way as are left for
 * the others: one alone has at most half of all, two a third each, and a profile that comes later finds room at once.
 */
export function createInFlight(): InFlight {
  const receivers = new Map<string, Receiver>();
  const shares = new Map<string, Share>();
  const all: Share = { inFlight: 0, failing: 0 };

  function receiverOf(uuid: string): Receiver {
    const known = receivers.get(uuid);
    if (known) return known;
    if (receivers.size >= receiversMax)
      for (const [other, { inFlight: busy }] of receivers) if (busy === 0) receivers.delete(other);
    const receiver: Receiver = { window: windowAtFirst, inFlight: 0, isFailing: false };
    receivers.set(uuid, receiver);
    return receiver;
  }

  function begin(row: ClaimedRow): (outcome: Outcome) => void {
    const { webhook_uuid: uuid, profile_uuid: profileUuid } = row;
    const receiver = receiverOf(uuid);
    const share = shares.get(profileUuid) ?? { inFlight: 0, failing: 0 };
    shares.set(profileUuid, share);
    const failing = receiver.isFailing ? 1 : 0;
    const add = (count: 1 | -1) => {
      receiver.inFlight += count;
      for (const each of [share, all]) {
        each.inFlight += count;
        each.failing += count * failing;
      }
    };
    add(1);
    return ({ status }) => {
      add(-1);
      if (share.inFlight === 0) shares.delete(profileUuid);
      // An attempt that was not sent says nothing about the receiver.
      if (status === 'succeeded' || status === 'failed') learn(receiver, status);
    };
  }

  function learn(receiver: Receiver, status: 'succeeded' | 'failed'): void {
    receiver.isFailing = status === 'failed';
    receiver.window = receiver.isFailing
      ? Math.max(windowOfFailing, Math.floor(receiver.window / 2))
      : Math.min(windowMax, receiver.window + 1);
  }

  function rooms(ready: ReadonlyMap<string, WebhookRef>, most: number): [string, number][] {
    const free: Share = {
      inFlight: Math.min(inFlightMax, most) - all.inFlight,
      failing: failingInFlightMax - all.failing,
    };
    const queues = Map.groupBy(ready.values(), ({ profileUuid }) => profileUuid);
    const used = new Map([...queues.keys()].map((uuid) => [uuid, { inFlight: 0, failing: 0, ...shares.get(uuid) }]));
    const wanted: [string, number][] = [];
    for (let turn = 0; free.inFlight > 0 && queues.size > 0; turn++) {
      for (const [profileUuid, webhooks] of queues) {
        const uuid = webhooks[turn]?.uuid;
        if (uuid === undefined) {
          queues.delete(profileUuid);
          continue;
        }
        const mine = used.get(profileUuid) as Share;
        const { window, inFlight: busy, isFailing } = receiverOf(uuid);
        const share = roomOf(free.inFlight, mine.inFlight);
        const room = Math.min(window - busy, share, isFailing ? roomOf(free.failing, mine.failing) : share);
        // A claim costs a statement: it waits until a part of the window is free.
        if (room <= 0 || (busy > 0 && room < window / 4)) continue;
        for (const [each, sign] of [
          [free, -1],
          [mine, 1],
        ] as const) {
          each.inFlight += sign * room;
          if (isFailing) each.failing += sign * room;
        }
        wanted.push([uuid, room]);
      }
    }
    return wanted;
  }

  return { count: () => all.inFlight, begin, rooms };
}

/** What a profile may take so that it has no more than is left for the others. */
const roomOf = (free: number, mine: number): number => Math.ceil((free - mine) / 2);
