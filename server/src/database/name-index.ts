import type { RawBuilder, SqlBool } from 'kysely';

/** How an engine finds the entries whose folded name contains a text. */
export interface NameIndex {
  /**
   * A condition on a row of `entry`: its folded name contains the (folded) text. No character is a wildcard.
   */
  contains(text: string): RawBuilder<SqlBool>;
  /** The same for a text without accents: the folded name contains it, or the name without accents does. */
  containsPlain(text: string): RawBuilder<SqlBool>;
  /**
   * A query for the ids of at most `limit` entries. If it returns fewer, they include every entry whose name
   * contains all of the texts, in one of its stored forms. It may also return others: from any drive, in the
   * recycle bin, or without the texts. Undefined if the index cannot help with these texts, or if the
   * engine's planner uses its index automatically.
   */
  findCandidates(texts: readonly string[], limit: number): RawBuilder<unknown> | undefined;
  /** Undefined when the engine itself keeps its index consistent with the table. */
  readonly consistency: NameIndexConsistency | undefined;
}

/** Finds and repairs differences between the table `entry` and its name index. */
export interface NameIndexConsistency {
  /** A query for the ids in (after, through] that are in the table but not in the index, or the reverse. */
  findInconsistentIds(after: number, through: number): RawBuilder<{ id: number }>;
  /** The statements that correct the index for one id. */
  repairId(id: number): readonly RawBuilder<unknown>[];
}
