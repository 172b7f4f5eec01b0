import type { RawBuilder, SqlBool } from 'kysely';

/** How an engine finds the rows of `entry` whose folded name contains a text. */
export interface Names {
  /** A condition on a row of `entry`. The text is folded; nothing in it has a meaning of its own. */
  contains(text: string): RawBuilder<SqlBool>;
  /**
   * A query for the ids of at most so many entries, among them all that contain the text, unless there are more. It may
   * give others too, in any drive or in the bin. Undefined where the index cannot tell, or where the engine
   * makes use of its index by itself.
   */
  findCandidates(text: string, most: number): RawBuilder<unknown> | undefined;
  /** Whether the index knows the entries that there are; undefined where the engine sees to that. */
  readonly upkeep: NamesUpkeep | undefined;
}

export interface NamesUpkeep {
  /** A query for the ids, of those behind `after` up to `through`, that are entries and not in the index, or the reverse. */
  findStrays(after: number, through: number): RawBuilder<{ id: number }>;
  /** Statements after which one such id is as it has to be. */
  mend(id: number): readonly RawBuilder<unknown>[];
}
