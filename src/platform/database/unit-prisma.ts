import type { PrismaClient } from '../../../prisma/generated/client/client.ts';
import type { UnitOfWork } from './unit.ts';

type Method = (...given: unknown[]) => unknown;
type Members = Record<PropertyKey, Method>;

/**
 * Prisma's client. What a unit of work asks of it becomes part of the unit's transaction.
 *
 * @param client Gives the client, the same each time; it is called when something is asked.
 */
export function prismaOfUnits(client: () => PrismaClient, currentUnit: () => UnitOfWork | null): PrismaClient {
  return new Proxy({} as PrismaClient, {
    // Pothos looks for a model before it asks for it.
    has: (_, name) => Reflect.has(client(), name),
    get(_, name) {
      const prisma = client();
      const member = Reflect.get(prisma, name) as unknown;
      const unit = currentUnit();
      if (typeof member === 'function')
        return unit ? deferred(unit, (inner) => inner as unknown as Members, name) : member.bind(prisma);
      // The models are the objects; the rest is Prisma's own.
      if (unit === null || typeof name === 'symbol' || /^[$_]/.test(name) || !(member instanceof Object)) return member;
      return new Proxy(member, {
        get: (model, method) =>
          typeof Reflect.get(model, method) === 'function'
            ? deferred(unit, (inner) => Reflect.get(inner, name) as Members, method)
            : Reflect.get(model, method),
      });
    },
  });
}

const deferred =
  (unit: UnitOfWork, ownerIn: (inner: PrismaClient) => Members, method: PropertyKey): Method =>
  (...given) =>
    new UnitPromise(unit, (inner) => {
      // The list for `$transaction`. Prisma takes its own promises only, of the same client.
      const [first] = given;
      const own =
        Array.isArray(first) && first[0] instanceof UnitPromise
          ? [first.map((each: UnitPromise) => each.on(inner)), ...given.slice(1)]
          : given;
      return ownerIn(inner)[method]?.(...own);
    });

/** As Prisma's own promises, it runs nothing before it is awaited: it may be given to `$transaction` instead. */
class UnitPromise implements PromiseLike<unknown> {
  readonly #unit: UnitOfWork;
  readonly #ask: (inner: PrismaClient) => unknown;
  #result: Promise<unknown> | null = null;

  constructor(unit: UnitOfWork, ask: (inner: PrismaClient) => unknown) {
    this.#unit = unit;
    this.#ask = ask;
  }

  on(inner: PrismaClient): unknown {
    return this.#ask(inner);
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then: Promise<unknown>['then'] = (resolved, rejected) => this.#asked().then(resolved, rejected);
  catch: Promise<unknown>['catch'] = (rejected) => this.#asked().catch(rejected);
  finally: Promise<unknown>['finally'] = (ended) => this.#asked().finally(ended);

  #asked(): Promise<unknown> {
    this.#result ??= this.#unit.transaction().then(({ prisma }) => this.#ask(prisma));
    return this.#result;
  }
}
