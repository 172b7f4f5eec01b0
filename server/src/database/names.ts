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
}
