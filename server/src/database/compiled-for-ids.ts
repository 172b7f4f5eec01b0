import type { CompiledQuery, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { CompiledOnce, type ParameterOf } from './compiled-once.ts';
import type { Db } from './database.ts';

/** Builds and compiles the statement. `ids` is the list for `in (…)`. */
type Compile<Values, Row> = (
  db: Db,
  value: ParameterOf<Values>,
  ids: RawBuilder<unknown>,
) => CompiledQuery<Row>;

/** The ids of a list, by their positions. */
type IdValues = Readonly<Record<`${number}`, number>>;

/**
 * A {@link CompiledOnce} with a list of ids. The list is filled up with its last id to a power of two, so that
 * few statements are compiled, whatever the lengths of the lists are.
 */
export class CompiledForIds<Values extends object, Row> {
  readonly #compile: Compile<Values, Row>;
  readonly #byLength = new Map<number, CompiledOnce<Values & IdValues, Row>>();

  constructor(compile: Compile<Values, Row>) {
    this.#compile = compile;
  }

  /** @param ids returns no rows if there are none */
  async findAll(db: Db, values: Values, ids: readonly number[]): Promise<readonly Row[]> {
    const last = ids.at(-1);
    if (last === undefined) return [];
    const length = 2 ** Math.ceil(Math.log2(ids.length));
    const filled = [...ids, ...new Array<number>(length - ids.length).fill(last)];
    const { rows } = await this.#of(length).run(db, { ...values, ...(filled as unknown as IdValues) });
    return rows;
  }

  #of(length: number): CompiledOnce<Values & IdValues, Row> {
    let statement = this.#byLength.get(length);
    if (statement === undefined) {
      statement = new CompiledOnce((db, value) => {
        const slots = Array.from({ length }, (_, at) => value(`${at}` as never));
        return this.#compile(db, value, sql.join(slots));
      });
      this.#byLength.set(length, statement);
    }
    return statement;
  }
}
