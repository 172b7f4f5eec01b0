import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import { FILE_KINDS, type FileKind } from '../../base/domain/file-kinds.ts';
import { offsetOf, type PageRequest } from '../../base/page.ts';
import { toSortPrefix } from '../../base/text/names/sort-name.ts';
import type { Db } from '../../database/database.ts';
import type { NameIndex } from '../../database/name-index.ts';
import type { Entry } from '../entries/entry.ts';
import { ENTRY_COLUMNS, type EntryRow, toEntry } from '../entries/entry-queries.ts';
import { findPrefixEnd } from './prefix-range.ts';

/** A range that includes both ends; undefined means no limit. */
export interface Range {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** The conditions that matching entries meet. */
export interface Criteria {
  /** At least one. */
  readonly driveIds: readonly number[];
  /** A part of the folded name; undefined for any name. */
  readonly name: string | undefined;
  /** Parts of the plain name, in any order. */
  readonly words: readonly string[];
  readonly isDirectory: boolean | undefined;
  /** Undefined for files of any kind, and directories. */
  readonly kind: FileKind | undefined;
  readonly size: Range;
  readonly created: Range;
  readonly updated: Range;
  readonly modified: Range;
  /** Directories that all contain the matches, at any depth; empty for the whole drive. */
  readonly belowIds: readonly number[];
}

/** The parameters of the queries, in addition to the criteria. */
export interface SearchOptions {
  readonly nameIndex: NameIndex;
  /** The maximum number of matches, or of candidates, that is read and sorted at once. */
  readonly maxFew: number;
}

/*
 * The order of matches has two parts: first names that begin with the text, or with the first word, then all
 * others. Each part is ordered by sort name, then by id, which is the order of the index `entry__search`.
 *
 * A scan of that index covers all of the drive's names, so there are two ways to search:
 * - A few matches, or a few candidates for them, are read, counted and sorted in one statement.
 * - Many matches are counted by a scan of the index that reads no rows. Since they are many, a page of them
 *   is found close to the beginning of its part.
 */

/** The total number of matches, and one page of them. */
export interface SearchResult {
  readonly total: number;
  /** The page. */
  readonly entries: readonly Entry[];
}

/**
 * Finds matches with the trigram index of names. Returns undefined if the index cannot answer (the text is
 * too short, or the engine has no such index) or if there are many candidates.
 */
export async function findRareMatches(
  db: Db,
  options: SearchOptions,
  criteria: Criteria,
  page: PageRequest,
): Promise<SearchResult | undefined> {
  const texts = criteria.name === undefined ? criteria.words : [criteria.name, ...criteria.words];
  const candidates = options.nameIndex.findCandidates(texts, options.maxFew + 1);
  if (candidates === undefined) return undefined;
  return findAmongFew(db, options, criteria, page, {
    tables: sql`candidate (id) as materialized (${candidates}),`,
    source: sql`candidate cross join entry`,
    condition: sql`entry.id = candidate.id and (select count(*) from candidate) <= ${options.maxFew}
      and ${matching(options, criteria)}`,
    count: sql`(select count(*) from candidate)`,
  });
}

/** Finds matches with a scan of the drive's names. Returns undefined if there are many. */
export async function findFewMatches(
  db: Db,
  options: SearchOptions,
  criteria: Criteria,
  page: PageRequest,
): Promise<SearchResult | undefined> {
  return findAmongFew(db, options, criteria, page, {
    tables: sql``,
    source: sql`entry`,
    condition: sql`${matching(options, criteria)} limit ${options.maxFew + 1}`,
    count: sql`(select count(*) from found)`,
  });
}

interface CandidateSource {
  readonly tables: RawBuilder<unknown>;
  readonly source: RawBuilder<unknown>;
  readonly condition: RawBuilder<unknown>;
  /** The number of candidates, which is compared with the limit. */
  readonly count: RawBuilder<unknown>;
}

async function findAmongFew(
  db: Db,
  { maxFew }: SearchOptions,
  criteria: Criteria,
  page: PageRequest,
  { tables, source, condition, count }: CandidateSource,
): Promise<SearchResult | undefined> {
  const { rows } = await sql<{ looked_at: number; total: number } & EntryRow>`
    with
      ${tables}
      found (id, sort_name, is_first) as materialized (
        select entry.id, entry.sort_name, case when ${beginning(criteria)} then 1 else 0 end
        from ${source} where ${condition}
      ),
      page (id, sort_name, is_first) as (
        select id, sort_name, is_first from found
        where ${count} <= ${maxFew}
        order by is_first desc, sort_name, id limit ${page.size} offset ${offsetOf(page)}
      )
    select ${count} as looked_at, (select count(*) from found) as total, ${COLUMNS}
    from (select 1 as one) as always
      left join page on 1 = 1
      left join entry on entry.id = page.id
    order by page.is_first desc, page.sort_name, page.id`.execute(db);
  const [first] = rows;
  if (first === undefined || first.looked_at > maxFew) return undefined;
  // An empty page is one row that has the counts but no entry.
  return { total: first.total, entries: rows.filter((row) => row.id !== null).map(toEntry) };
}

/** Counts all matches, and those whose names begin with the text. */
export async function countMatches(
  db: Db,
  options: SearchOptions,
  criteria: Criteria,
): Promise<{ total: number; first: number }> {
  const { rows } = await sql<{ total: number; first: number }>`
    select count(*) as total, count(case when ${beginning(criteria)} then 1 end) as first
    from entry where ${matching(options, criteria)}`.execute(db);
  return rows[0] ?? { total: 0, first: 0 };
}

/** A page of one part of the order: of the names that begin with the text (`isFirst`), or of the others. */
export async function findPart(
  db: Db,
  options: SearchOptions,
  criteria: Criteria,
  part: { readonly isFirst: boolean; readonly offset: number; readonly size: number },
): Promise<readonly Entry[]> {
  const isInPart = part.isFirst ? beginning(criteria) : sql<SqlBool>`not (${beginning(criteria)})`;
  const { rows } = await sql<EntryRow>`
    with piece (id, sort_name) as materialized (
      select entry.id, entry.sort_name from entry
      where ${matching(options, criteria)} and ${isInPart}
      order by entry.sort_name, entry.id limit ${part.size} offset ${part.offset}
    )
    select ${COLUMNS} from piece cross join entry
    where entry.id = piece.id
    order by piece.sort_name, piece.id`.execute(db);
  return rows.map(toEntry);
}

const COLUMNS = sql.raw(ENTRY_COLUMNS.join(', '));

/** Repeats the condition of the partial index `entry__search`, and uses only columns that it includes. */
export function matching(
  { nameIndex }: Pick<SearchOptions, 'nameIndex'>,
  criteria: Criteria,
): RawBuilder<SqlBool> {
  const { name, words, isDirectory, kind, belowIds } = criteria;
  const conditions = [
    sql`${isIn(criteria.driveIds)} and entry.deleted_at is null and entry.parent_id is not null`,
    ...(name === undefined ? [] : [nameIndex.contains(name)]),
    ...words.map((word) => nameIndex.containsPlain(word)),
    ...(isDirectory === undefined ? [] : [sql`entry.is_directory = ${sql.lit(isDirectory ? 1 : 0)}`]),
    ...(kind === undefined ? [] : [sql`entry.kind = ${sql.lit(FILE_KINDS.indexOf(kind))}`]),
    ...within(sql`entry.size`, criteria.size),
    ...within(sql`entry.created_at`, criteria.created),
    ...within(sql`entry.updated_at`, criteria.updated),
    ...within(sql`entry.modified_at`, criteria.modified),
    ...belowIds.map((id) => sql`entry.parent_id in (${directoriesFrom(id)})`),
  ];
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** The condition that an entry is in one of the drives. */
export function isIn(driveIds: readonly number[]): RawBuilder<SqlBool> {
  const [driveId, ...others] = driveIds;
  return others.length === 0
    ? sql`entry.drive_id = ${driveId}`
    : sql`entry.drive_id in (${sql.join(driveIds)})`;
}

function within(column: RawBuilder<unknown>, range: { from: Instant | undefined; to: Instant | undefined }) {
  return [
    ...(range.from === undefined ? [] : [sql`${column} >= ${range.from}`]),
    ...(range.to === undefined ? [] : [sql`${column} <= ${range.to}`]),
  ];
}

/** A directory and all directories below it. */
function directoriesFrom(id: number): RawBuilder<unknown> {
  return sql`
    with recursive directory (id) as (
      select cast(${id} as bigint)
      union all
      select child.id from directory join entry as child on child.parent_id = directory.id
      where child.is_directory = 1
    )
    select id from directory`;
}

/**
 * The condition that a name begins with the text. Without a text, it is false for all names. The range of
 * sort names comes first, so that the scan of the index is short.
 */
function beginning({ name, words: [firstWord] }: Criteria): RawBuilder<SqlBool> {
  if (name !== undefined)
    return sql`${beginsWith('sort_name', toSortPrefix(name))} and ${beginsWith('folded_name', name)}`;
  if (firstWord === undefined) return sql<SqlBool>`1 = 0`;
  // `case` prevents a plan that searches the index twice and has to sort the results.
  return sql`${beginsWith('sort_name', toSortPrefix(firstWord))}
    and case when ${beginsWith('folded_name', firstWord)} or ${beginsWith('plain_name', firstWord)}
      then 1 else 0 end = 1`;
}

/** A range, which an index can answer. */
function beginsWith(column: 'folded_name' | 'plain_name' | 'sort_name', text: string): RawBuilder<SqlBool> {
  const end = findPrefixEnd(text);
  const reference = sql.ref(`entry.${column}`);
  const fromText = sql<SqlBool>`${reference} >= ${text}`;
  return end === undefined ? fromText : sql<SqlBool>`(${fromText} and ${reference} < ${end})`;
}
