import { Client, types } from 'pg';
import { instantOf } from './instants.ts';

/*
 * pg has no types for its queries. These are the parts that are used here (pg/lib/query.js, result.js and connection.js).
 */

interface PgResult {
  fields: readonly { readonly dataTypeID: number; readonly format: string }[];
  _parsers: ((text: string) => unknown)[] | undefined;
  _prebuiltEmptyResultObject: object | null;
  readonly rows: unknown[];
  parseRow(values: readonly (string | null)[]): unknown;
}

interface PgConnection {
  [described]?: Described;
}

interface PgQuery {
  name?: string;
  _result: PgResult;
  _accumulateRows: boolean;
  _canceledDueToError: unknown;
  prepare(connection: PgConnection): void;
  handleRowDescription(message: unknown): void;
  handleCommandComplete(message: unknown, connection: PgConnection): void;
}

const { Query } = Client as unknown as { Query: new (text: string, values: unknown[] | undefined) => PgQuery };

/** How the rows of a statement are read. */
type Shape = Pick<PgResult, 'fields' | '_parsers' | '_prebuiltEmptyResultObject'>;

/** What a connection knows of its prepared statements. */
interface Described {
  readonly shapes: Map<string, Shape>;
  /** The connection, but that it asks for no description. */
  readonly silent: PgConnection;
}

const described = Symbol('described statements');

/**
 * A prepared statement. The server describes its columns once for each connection: they cannot change while the statement is
 * prepared (the server refuses it then: "cached plan must not change result type"). pg asks for them with each run, which takes
 * as long as reading a row.
 */
export class NamedQuery extends Query {
  constructor(name: string, text: string, values: unknown[] | undefined) {
    super(text, values);
    this.name = name;
  }

  override prepare(connection: PgConnection): void {
    const known = connection[described];
    const shape = known?.shapes.get(this.name as string);
    if (shape) Object.assign(this._result, shape);
    super.prepare(known && shape ? known.silent : connection);
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message);
    const { fields, _parsers: parsers = [] } = this._result;
    for (const [place, { dataTypeID, format }] of fields.entries())
      if (dataTypeID === types.builtins.TIMESTAMPTZ && format === 'text') parsers[place] = instantOf;
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this._canceledDueToError) return;
    try {
      this._result.rows.push(this._result.parseRow(fields));
    } catch (error) {
      this._canceledDueToError = error;
    }
  }

  override handleCommandComplete(message: unknown, connection: PgConnection): void {
    super.handleCommandComplete(message, connection);
    connection[described] ??= { shapes: new Map(), silent: silentOf(connection) };
    const { shapes } = connection[described];
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    if (!shapes.has(this.name as string))
      shapes.set(this.name as string, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}

const silentOf = (connection: PgConnection): PgConnection =>
  Object.create(connection, { describe: { value: () => {} } });
