import type { RawBuilder, SqlBool } from 'kysely';

/** A term of texts, without spaces and quotation marks. */
export type IndexTerm = string;

/** The rows of texts that have certain terms, as parts of a statement. */
interface TextHits {
  /** What follows `from`. */
  readonly table: RawBuilder<unknown>;
  /** The id of the blob whose text a row is about. */
  readonly blobId: RawBuilder<number>;
  readonly condition: RawBuilder<SqlBool>;
}

/** A text as it is stored. */
export interface StoredText {
  readonly blobId: number;
  /** Its length in UTF-8, at least 1. */
  readonly bytes: number;
  readonly compressed: Uint8Array;
  readonly onceScore: number;
  readonly oftenScore: number;
}

/** How an engine stores the texts of blobs (`blob_text`), and finds those that have certain terms. */
export interface TextIndex {
  /** When it is cheaper to look up texts one by one than to read the index. */
  readonly lookUps: {
    /** The maximum number of texts that are looked up. */
    readonly most: number;
    /** How many hits of the index are read in the time in which a text is looked up. */
    readonly hitsPerLookup: number;
  };
  /** The texts that have all of the terms, of which there is at least one. */
  findHits(terms: readonly IndexTerm[]): TextHits;
  /** The condition that the text of a blob has all of the terms. @param blobId may be null */
  hasTerms(blobId: RawBuilder<unknown>, terms: readonly IndexTerm[]): RawBuilder<SqlBool>;
  /**
   * The same condition, where it is asked for each of possibly many blobs.
   * @param among.table has all of them in its column `blob_id`
   * @param among.hitsPerLookup how many rows of the index are read in the time in which a text is looked up
   */
  hasTermsAmong(
    blobId: RawBuilder<unknown>,
    terms: readonly IndexTerm[],
    among: { readonly table: RawBuilder<unknown>; readonly hitsPerLookup: number },
  ): RawBuilder<SqlBool>;
  /** The statements that store a text with exactly these terms, in place of an older one. */
  put(text: StoredText, terms: readonly string[]): readonly RawBuilder<unknown>[];
  /** The statements that remove a blob's text and its record in the index. Either may be missing. */
  remove(blobId: number): readonly RawBuilder<unknown>[];
  /**
   * A query for the ids in (after, through] of blobs with a text that is not in the index, or the reverse.
   */
  findInconsistentIds(after: number, through: number): RawBuilder<{ id: number }>;
}
