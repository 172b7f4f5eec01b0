import type { CompiledQuery, QueryResult } from 'kysely';
import type { Db } from './database.ts';

/** Stands for a value that is not known yet when a statement is compiled. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

interface Compiled<Row> {
  readonly query: CompiledQuery<Row>;
  /** The slots among the parameters, and constants of the statement. */
  readonly parameters: readonly unknown[];
}

/**
 * A statement that is compiled once, because it runs for nearly every request; only its values change. Building
 * and compiling it takes longer than SQLite takes to run it (docs/decisions/0003-hot-statements-are-written-out.md).
 */
export class CompiledOnce<Values extends object, Row = unknown> {
  readonly #compile: (
    db: Db,
    value: <Name extends keyof Values & string>(name: Name) => Values[Name],
  ) => CompiledQuery<Row>;
  /** One for each handle on a database, since their dialects differ. */
  readonly #compiled = new WeakMap<object, Compiled<Row>>();

  /** @param compile gets a function that gives the parameter with that name; no statement is run */
  constructor(
    compile: (
      db: Db,
      value: <Name extends keyof Values & string>(name: Name) => Values[Name],
    ) => CompiledQuery<Row>,
  ) {
    this.#compile = compile;
  }

  run(db: Db, values: Values): Promise<QueryResult<Row>> {
    const { adapter } = db.getExecutor();
    let compiled = this.#compiled.get(adapter);
    if (compiled === undefined) {
      // The builder only passes the slot on to the list of parameters, where `run` replaces it.
      const query = this.#compile(db, (name) => new Slot(name) as never);
      compiled = { query, parameters: query.parameters };
      this.#compiled.set(adapter, compiled);
    }
    const byName = values as Readonly<Record<string, unknown>>;
    const parameters = compiled.parameters.map((one) => (one instanceof Slot ? byName[one.name] : one));
    return db.executeQuery({ ...compiled.query, parameters });
  }

  /** The first row, if there is one. */
  async findFirst(db: Db, values: Values): Promise<Row | undefined> {
    const { rows } = await this.run(db, values);
    return rows[0];
  }
}
