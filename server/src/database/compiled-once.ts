import type { CompiledQuery, QueryResult } from 'kysely';
import type { Db } from './database.ts';

/** Stands for a value that is not known yet when a statement is compiled. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Returns the parameter with that name. */
export type ParameterOf<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

/** Builds and compiles the statement, without running it. */
type Compile<Values, Row> = (db: Db, value: ParameterOf<Values>) => CompiledQuery<Row>;

/**
 * The names of compiled statements, by SQL text. Their number is bounded: the code has a fixed set of such
 * statements for each dialect.
 */
const NAMES = new Map<string, string>();

/**
 * The name for the SQL text of a {@link CompiledOnce}, fixed while the process runs; undefined for other
 * texts.
 */
export function nameOfCompiled(text: string): string | undefined {
  return NAMES.get(text);
}

/**
 * A statement that is compiled once, because it runs for nearly every request; only its values change.
 * Building and compiling it takes longer than SQLite takes to run it
 * (docs/decisions/0003-hot-statements-are-written-out.md).
 */
export class CompiledOnce<Values extends object, Row = unknown> {
  readonly #compile: Compile<Values, Row>;
  /** One compiled statement for each database handle, because dialects differ. Slots stand for the values. */
  readonly #compiled = new WeakMap<object, CompiledQuery<Row>>();

  constructor(compile: Compile<Values, Row>) {
    this.#compile = compile;
  }

  run(db: Db, values: Values): Promise<QueryResult<Row>> {
    const { adapter } = db.getExecutor();
    let query = this.#compiled.get(adapter);
    if (query === undefined) {
      // The query builder only puts the slot into the list of parameters. There, it is replaced below.
      query = this.#compile(db, (name) => new Slot(name) as never);
      this.#compiled.set(adapter, query);
      if (!NAMES.has(query.sql)) NAMES.set(query.sql, `holdall_${NAMES.size + 1}`);
    }
    const byName = values as Readonly<Record<string, unknown>>;
    const parameters = query.parameters.map((one) => (one instanceof Slot ? byName[one.name] : one));
    return db.executeQuery({ ...query, parameters });
  }

  /** The first row, if there is one. */
  async findFirst(db: Db, values: Values): Promise<Row | undefined> {
    const { rows } = await this.run(db, values);
    return rows[0];
  }
}
