import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import { offsetOf, type PageRequest } from '../../base/page.ts';
import type { Db } from '../../database/database.ts';

import type { NameIndex } from '../../database/name-index.ts';
import type { Entry } from '../entries/entry.ts';
import { ENTRY_COLUMNS, type EntryRow, toEntry } from '../entries/entry-queries.ts';

import { endOfNamesWith } from './name-range.ts';

/** Both ends belong to it; undefined is no end. */
export interface Range {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** What is looked for among the live entries of a drive. */
export interface Criteria {
  readonly ownerId: number;
  /** Folded; undefined for any name. */
  readonly name: string | undefined;
  readonly isDirectory: boolean | undefined;
  readonly size: Range;
  readonly created: Range;
  readonly updated: Range;
  /** The directory that it lies below; undefined for the whole drive. */
  readonly belowId: number | undefined;
}

/** How to go about it. */
export interface Means {
  readonly nameIndex: NameIndex;
  /** So many matches, or candidates for them, are few. */
  readonly mostFew: number;
}

/*
 * The order: names that begin with the text, the name itself before all others, then the rest; each by the folded name,
 * then by id. Both parts are walks along `entry__search`.
 *
 * That index is complete but long, so there are two ways. Few matches, or few candidates for them, are read, counted and
 * sorted: one statement, however rare they are. Many are counted by a walk through the names that visits no row, and then
 * a page of them is near where its part of the index begins.
 */
export interface Found {
  readonly total: number;
  /** Of the page. */
  readonly entries: readonly Entry[];
}

/** The matches by the index of what names contain. Undefined where it cannot tell, or there are many candidates. */
export async function findRareMatches(
  db: Db,
  means: Means,
  criteria: Criteria,
  page: PageRequest,
): Promise<Found | undefined> {
  const candidates =
    criteria.name === undefined
      ? undefined
      : means.nameIndex.findCandidates(criteria.name, means.mostFew + 1);
  if (candidates === undefined) return undefined;
  return findAmongFew(db, means, criteria, page, {
    tables: sql`candidate (id) as materialized (${candidates}),`,
    source: sql`candidate cross join entry`,
    condition: sql`entry.id = candidate.id and (select count(*) from candidate) <= ${means.mostFew}
      and ${matching(means, criteria)}`,
    count: sql`(select count(*) from candidate)`,
  });
}

/** The matches, unless they are many. */
export async function findFewMatches(
  db: Db,
  means: Means,
  criteria: Criteria,
  page: PageRequest,
): Promise<Found | undefined> {
  return findAmongFew(db, means, criteria, page, {
    tables: sql``,
    source: sql`entry`,
    condition: sql`${matching(means, criteria)} limit ${means.mostFew + 1}`,
    count: sql`(select count(*) from found)`,
  });
}

interface Few {
  readonly tables: RawBuilder<unknown>;
  readonly source: RawBuilder<unknown>;
  readonly condition: RawBuilder<unknown>;
  /** How many were looked at, which are too many or not. */
  readonly count: RawBuilder<unknown>;
}

async function findAmongFew(
  db: Db,
  { mostFew }: Means,
  criteria: Criteria,
  page: PageRequest,
  { tables, source, condition, count }: Few,
): Promise<Found | undefined> {
  const { rows } = await sql<{ looked_at: number; total: number } & EntryRow>`
    with
      ${tables}
      found (id, folded_name, is_first) as materialized (
        select entry.id, entry.folded_name, case when ${beginning(criteria)} then 1 else 0 end
        from ${source} where ${condition}
      ),
      page (id, folded_name, is_first) as (
        select id, folded_name, is_first from found
        where ${count} <= ${mostFew}
        order by is_first desc, folded_name, id limit ${page.size} offset ${offsetOf(page)}
      )
    select ${count} as looked_at, (select count(*) from found) as total, ${COLUMNS}
    from (select 1 as one) as always
      left join page on 1 = 1
      left join entry on entry.id = page.id
    order by page.is_first desc, page.folded_name, page.id`.execute(db);
  const [first] = rows;
  if (first === undefined || first.looked_at > mostFew) return undefined;
  // An empty page is one row, which has the counts and nothing of an entry.
  return { total: first.total, entries: rows.filter((row) => row.id !== null).map(toEntry) };
}

/** All matches, and those whose names begin with the text. */
export async function countMatches(
  db: Db,
  means: Means,
  criteria: Criteria,
): Promise<{ total: number; first: number }> {
  const { rows } = await sql<{ total: number; first: number }>`
    select count(*) as total, count(case when ${beginning(criteria)} then 1 end) as first
    from entry where ${matching(means, criteria)}`.execute(db);
  return rows[0] ?? { total: 0, first: 0 };
}

/** A piece of one of the two parts, in order: of the names that begin with the text, or of the others. */
export async function findPart(
  db: Db,
  means: Means,
  criteria: Criteria,
  part: { readonly isFirst: boolean; readonly offset: number; readonly size: number },
): Promise<readonly Entry[]> {
  const isInPart = part.isFirst ? beginning(criteria) : sql<SqlBool>`not (${beginning(criteria)})`;
  const { rows } = await sql<EntryRow>`
    with piece (id, folded_name) as materialized (
      select entry.id, entry.folded_name from entry
      where ${matching(means, criteria)} and ${isInPart}
      order by entry.folded_name, entry.id limit ${part.size} offset ${part.offset}
    )
    select ${COLUMNS} from piece cross join entry
    where entry.id = piece.id
    order by piece.folded_name, piece.id`.execute(db);
  return rows.map(toEntry);
}

const COLUMNS = sql.raw(ENTRY_COLUMNS.join(', '));

/** The same words as in the condition of `entry__search`, and nothing that it does not have. */
function matching({ nameIndex }: Means, criteria: Criteria): RawBuilder<SqlBool> {
  const { name, isDirectory, belowId } = criteria;
  const conditions = [
    sql`entry.owner_id = ${criteria.ownerId} and entry.deleted_at is null and entry.parent_id is not null`,
    ...(name === undefined ? [] : [nameIndex.contains(name)]),
    ...(isDirectory === undefined ? [] : [sql`entry.is_directory = ${sql.lit(isDirectory ? 1 : 0)}`]),
    ...within(sql`entry.size`, criteria.size),
    ...within(sql`entry.created_at`, criteria.created),
    ...within(sql`entry.updated_at`, criteria.updated),
    ...(belowId === undefined ? [] : [sql`entry.parent_id in (${directoriesFrom(belowId)})`]),
  ];
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
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

/** Whether a name begins with the text; without a text all are alike. */
function beginning({ name }: Criteria): RawBuilder<SqlBool> {
  if (name === undefined) return sql<SqlBool>`1 = 0`;
  const end = endOfNamesWith(name);
  const fromText = sql<SqlBool>`entry.folded_name >= ${name}`;
  return end === undefined ? fromText : sql<SqlBool>`${fromText} and entry.folded_name < ${end}`;
}
