import type { CompiledQuery, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { getOrCreate } from '../base/get-or-create.ts';
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
 * A {@link CompiledOnce} with a list of ids. To keep the number of compiled statements small, the length of the
 * list is rounded up to a power of two by repeating its last id.
 */
export class CompiledForIds<Values extends object, Row> {
  readonly #compile: Compile<Values, Row>;
  readonly #byLength = new Map<number, CompiledOnce<Values & IdValues, Row>>();

  constructor(compile: Compile<Values, Row>) {
    this.#compile = compile;
  }

  /** Without ids, returns no rows and runs no statement. */
  async findAll(db: Db, values: Values, ids: readonly number[]): Promise<readonly Row[]> {
    const last = ids.at(-1);
    if (last === undefined) return [];
    const length = 2 ** Math.ceil(Math.log2(ids.length));
    const filled = [...ids, ...new Array<number>(length - ids.length).fill(last)];
    const { rows } = await this.#of(length).run(db, { ...values, ...(filled as unknown as IdValues) });
    return rows;
  }

  #of(length: number): CompiledOnce<Values & IdValues, Row> {
    return getOrCreate(
      this.#byLength,
      length,
      () =>
        new CompiledOnce((db, value) => {
          const slots = Array.from({ length }, (_, at) => value(`${at}` as never));
          return this.#compile(db, value, sql.join(slots));
        }),
    );
  }
}
