import { AsyncLocalStorage } from 'node:async_hooks';
import type { Slots } from '../limits/slots.ts';
import type { OpenTransaction } from './transaction.ts';
import { apiErrorOf } from './unavailable.ts';

/** One call whose statements are one transaction, wherever they are run from. */
export interface Unit {
  /** Whether the transaction has begun. From then on the call holds a connection, so it must not wait for a network. */
  readonly isInTransaction: boolean;
  /** Calls `then` after the commit; never, if the unit is rolled back. */
  afterCommit(then: () => void): void;
}

/** The units of work of one database. The unit of a call is found by its asynchronous context. */
export class Units {
  readonly #begin: () => Promise<OpenTransaction>;
  readonly #slots: Slots;
  readonly #storage = new AsyncLocalStorage<UnitOfWork>();

  constructor(begin: () => Promise<OpenTransaction>, slots: Slots) {
    this.#begin = begin;
    this.#slots = slots;
  }

  /** The unit that runs here. Null also after its end, for what a unit has started and left running. */
  current(): UnitOfWork | null {
    const unit = this.#storage.getStore();
    return unit?.isOpen ? unit : null;
  }

  /** Runs work outside of the unit that runs here, if any. */
  outside<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#storage.exit(work);
  }

  async run<Result>(caller: string, work: () => Promise<Result>): Promise<Result> {
    if (this.current()) throw new Error('Units of work cannot be nested');
    const unit = new UnitOfWork(this.#begin, () => this.#slots.take(caller));
    let result: Result;
    try {
      result = await this.#storage.run(unit, work);
      await unit.commit();
    } catch (error) {
      await unit.rollback();
      throw apiErrorOf(error);
    }
    for (const then of unit.committed) then();
    return result;
  }
}

export class UnitOfWork implements Unit {
  /** False once the end has begun. */
  isOpen = true;
  /** Functions to run after the commit. */
  readonly committed: (() => void)[] = [];
  readonly #beginTransaction: () => Promise<OpenTransaction>;
  readonly #takeSlot: () => Promise<() => void>;
  #transaction: Promise<OpenTransaction> | null = null;
  #leaveSlot = () => {};

  constructor(beginTransaction: () => Promise<OpenTransaction>, takeSlot: () => Promise<() => void>) {
    this.#beginTransaction = beginTransaction;
    this.#takeSlot = takeSlot;
  }

  get isInTransaction(): boolean {
    return this.#transaction !== null;
  }

  afterCommit(then: () => void): void {
    this.committed.push(then);
  }

  /** The transaction, which begins with the first call. */
  transaction(): Promise<OpenTransaction> {
    this.#transaction ??= this.#begin();
    return this.#transaction;
  }

  async #begin(): Promise<OpenTransaction> {
    const leave = await this.#takeSlot();
    try {
      const transaction = await this.#beginTransaction();
      this.#leaveSlot = leave;
      return transaction;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async commit(): Promise<void> {
    this.isOpen = false;
    await (await this.#transaction)?.commit();
    this.#leaveSlot();
  }

  async rollback(): Promise<void> {
    this.isOpen = false;
    // A unit that could not begin has nothing to undo.
    const transaction = await this.#transaction?.catch(() => null);
    await transaction?.rollback();
    this.#leaveSlot();
  }
}
