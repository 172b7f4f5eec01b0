import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { PageRequest } from '../../base/page.ts';
import { NAME_SCORE, toOftenTerm } from '../../content-search/content-search.ts';
import type { Db } from '../../database/database.ts';
import type { NameIndex } from '../../database/name-index.ts';
import type { IndexTerm, TextIndex } from '../../database/text-index.ts';
import { type EntryOrder, toEntryOrder } from '../entries/entry-order-queries.ts';
import { ENTRY_COLUMNS, type EntryRow, toEntry } from '../entries/entry-queries.ts';
import { type Criteria, isIn, matching, type SearchResult } from './queries.ts';
import type { SearchWord } from './words.ts';

/** The conditions that matches meet, in addition to the words. */
export interface TextCriteria {
  /** Without words. */
  readonly filters: Criteria;
  /** At least one. */
  readonly words: readonly SearchWord[];
  /** Whether words may be in the name instead of in the text. */
  readonly includesNames: boolean;
  /** Undefined for the order of relevance. */
  readonly order: EntryOrder | undefined;
}

export interface TextSearchOptions {
  readonly nameIndex: NameIndex;
  readonly textIndex: TextIndex;
  /**
   * The maximum number of matches by text, and of matches by name. Of more texts, the newest are found. So an
   * answer takes about the same time for any word.
   */
  readonly maxMatches: number;
  /** The maximum number of entries that are looked up one by one; at most `maxMatches`. */
  readonly maxFewEntries: number;
  /** How many hits of the index are read in the time in which a text is looked up. */
  readonly hitsPerLookup: number;
}

/** More words hardly change the order. */
const MAX_RANKED_WORDS = 4;

/** The maximum number of candidates for each word, from the index of names, that are read. */
const MAX_FEW_NAMES = 5_000;

/** How matches are found. Every plan finds the same. */
interface TextPlan {
  /**
   * Whether each entry of the searched drives is looked up in the index of texts. So texts of others cost a
   * caller with few files less, but a look-up still takes longer for a frequent word. Otherwise the index is
   * read first, which is faster while the service has few texts.
   */
  readonly isByEntry: boolean;
  /** Whether the index of names has few candidates. Otherwise all names of the searched drives are read. */
  readonly hasFewNames: boolean;
}

/** Chooses a plan by counts, which end at a limit. */
export async function planTextSearch(
  db: Db,
  { nameIndex, maxFewEntries, hitsPerLookup }: TextSearchOptions,
  { filters: { driveIds }, words, includesNames }: TextCriteria,
): Promise<TextPlan> {
  const { rows } = await sql<{ entries: number; max_hits: number }>`
    select cast(coalesce(sum(entry_count), 0) as bigint) as entries,
      coalesce((select max(blob_id) from text_queue), 0) as max_hits
    from drive where id in (${sql.join(driveIds)})`.execute(db);
  const { entries = 0, max_hits: maxHits = 0 } = rows[0] ?? {};
  const isByEntry = entries <= maxFewEntries && entries * hitsPerLookup <= maxHits;
  const names = isByEntry || !includesNames ? [] : listNames(words);
  const candidates = names.map((name) => nameIndex.findCandidates([name], MAX_FEW_NAMES + 1));
  if (candidates.length === 0 || candidates.includes(undefined)) return { isByEntry, hasFewNames: false };
  const fewEach = candidates.map(
    (ids) => sql`(select count(*) from (${ids}) as candidate) <= ${MAX_FEW_NAMES}`,
  );
  const { rows: few } = await sql`select 1 as few where ${sql.join(fewEach, sql` and `)}`.execute(db);
  return { isByEntry, hasFewNames: few.length > 0 };
}

/**
 * Finds one page of matches, and their number. Texts of other drives are neither ranked nor counted.
 * @param range the matches to return
 */
export async function findTextMatches(
  db: Db,
  options: TextSearchOptions,
  plan: TextPlan,
  criteria: TextCriteria,
  range: { readonly offset: number; readonly size: PageRequest['size'] },
): Promise<SearchResult> {
  const candidates = toCandidates(options, plan, criteria);
  if (candidates === undefined) return { total: 0, entries: [] };
  const order = toOrder(criteria.order);
  const { rows } = await sql<{ total: number } & EntryRow>`
    with
      candidate (id) as materialized (${candidates}),
      found (id, blob_id) as materialized (
        select entry.id, entry.blob_id from candidate cross join entry where entry.id = candidate.id
      ),
      scored (id, score) as materialized (
        select entry.id, ${toScore(options, criteria)}
        from found cross join entry left join blob_text on blob_text.blob_id = entry.blob_id
        where entry.id = found.id
      ),
      page (id, score) as (
        select scored.id, scored.score from scored cross join entry where entry.id = scored.id
        order by ${order} limit ${range.size} offset ${range.offset}
      )
    select (select count(*) from found) as total, ${COLUMNS}
    from (select 1 as one) as always
      left join page on 1 = 1
      left join entry on entry.id = page.id
    order by ${order}`.execute(db);
  // An empty page is one row that has the total but no entry.
  return { total: rows[0]?.total ?? 0, entries: rows.filter((row) => row.id !== null).map(toEntry) };
}

const COLUMNS = sql.raw(ENTRY_COLUMNS.join(', '));

/** Selects the ids of all matches. Undefined if nothing can match. */
function toCandidates(
  options: TextSearchOptions,
  plan: TextPlan,
  criteria: TextCriteria,
): RawBuilder<unknown> | undefined {
  const { filters, words, includesNames } = criteria;
  const hasTerms = words.every(({ inText }) => inText.terms.length > 0);
  if (!includesNames) {
    if (!hasTerms) return undefined;
    return plan.isByEntry ? byEntry(options, criteria) : byText(options, filters, words);
  }
  if (plan.isByEntry) return byEntry(options, criteria);
  const byNames = byName(options, plan, criteria);
  if (!hasTerms) return byNames;
  const byTexts = byText(options, filters, words);
  return byNames === undefined
    ? byTexts
    : sql`select id from (${byTexts}) as by_text union select id from (${byNames}) as by_name`;
}

/** Looks at each entry of the searched drives. */
function byEntry(
  { nameIndex, textIndex }: TextSearchOptions,
  { filters, words, includesNames }: TextCriteria,
): RawBuilder<unknown> {
  const isInText = (terms: readonly IndexTerm[]) => textIndex.hasTerms(sql`entry.blob_id`, terms);
  const conditions = includesNames
    ? words.map(({ inName, inText }) =>
        anyOf([
          ...(inName === undefined ? [] : [nameIndex.containsPlain(inName)]),
          ...(inText.terms.length === 0 ? [] : [isInText(inText.terms)]),
        ]),
      )
    : [isInText(listTerms(words))];
  return sql`
    select entry.id from entry where ${matching({ nameIndex }, filters)} and ${sql.join(conditions, sql` and `)}`;
}

/** Entries whose text has all of the words. */
function byText(
  { nameIndex, textIndex, maxMatches }: TextSearchOptions,
  filters: Criteria,
  words: readonly SearchWord[],
): RawBuilder<unknown> {
  const { table, blobId, condition } = textIndex.findHits(listTerms(words));
  const filtered = matching({ nameIndex }, filters);
  // The ids of blobs grow with time. SQLite reads its index in this order, and stops at the limit. It could
  // not do so with a second key for copies, so the copies of the last text are read again, in their order.
  return sql`
    with
      hit_entry (id, blob_id) as materialized (
        select entry.id, ${blobId} from ${table} cross join entry
        where ${condition} and entry.blob_id = ${blobId} and ${filtered}
        order by ${blobId} desc limit ${maxMatches}
      ),
      last_hit (blob_id) as materialized (select min(blob_id) from hit_entry)
    select id from hit_entry where blob_id > (select blob_id from last_hit)
    union all
    select id from (
      select entry.id from entry
      where entry.blob_id = (select blob_id from last_hit) and ${filtered}
      order by entry.id desc
      limit ${maxMatches}
        - (select count(*) from hit_entry where blob_id > (select blob_id from last_hit))
    ) as last_copy`;
}

/**
 * Entries whose name has at least one of the words, and whose name or text has each of them. Undefined if no
 * name can have any.
 */
function byName(
  options: TextSearchOptions,
  plan: TextPlan,
  { filters, words }: TextCriteria,
): RawBuilder<unknown> | undefined {
  const { nameIndex, maxMatches } = options;
  const names = listNames(words);
  if (names.length === 0) return undefined;
  // A single word is in the name. Otherwise, a set for each word, because a look-up for each name takes long.
  const sets = words.map(({ inText }, index) =>
    words.length === 1 || inText.terms.length === 0
      ? undefined
      : { name: sql.raw(`with_word_${index}`), ids: withTerms(options, filters, inText.terms) },
  );
  const used = sets.filter((set) => set !== undefined);
  const each = words.map(({ inName }, index) => {
    const set = sets[index];
    return anyOf([
      ...(inName === undefined ? [] : [nameIndex.containsPlain(inName)]),
      ...(set === undefined ? [] : [sql<SqlBool>`${set.name}.id is not null`]),
    ]);
  });
  const [tables, source, isSource] = plan.hasFewNames
    ? [
        [sql`named (id) as materialized (${listCandidates(nameIndex, names)})`],
        sql`named cross join entry`,
        sql`entry.id = named.id and`,
      ]
    : [[], sql`entry`, sql``];
  const all = [...tables, ...used.map(({ name, ids }) => sql`${name} (id) as materialized (${ids})`)];
  // The names come first: they are in the index that the scan reads.
  return sql`
    ${all.length === 0 ? sql`` : sql`with ${sql.join(all)}`}
    select entry.id
    from ${source} ${sql.join(
      used.map(({ name }) => sql`left join ${name} on ${name}.id = entry.id`),
      sql` `,
    )}
    where ${isSource} ${matching(options, filters)}
      and ${anyOf(names.map((name) => nameIndex.containsPlain(name)))} and ${sql.join(each, sql` and `)}
    order by entry.sort_name, entry.id limit ${maxMatches}`;
}

/** All entries of the searched drives whose text has the terms. Reads only indexes. */
function withTerms(
  { textIndex }: TextSearchOptions,
  { driveIds }: Criteria,
  terms: readonly IndexTerm[],
): RawBuilder<unknown> {
  const { table, blobId, condition } = textIndex.findHits(terms);
  return sql`
    select entry.id from ${table} cross join entry
    where ${condition} and entry.blob_id = ${blobId} and ${isIn(driveIds)} and entry.deleted_at is null`;
}

function listCandidates(nameIndex: NameIndex, names: readonly string[]): RawBuilder<unknown> {
  const each = names.flatMap((name) => nameIndex.findCandidates([name], MAX_FEW_NAMES) ?? []);
  return sql.join(
    each.map((ids) => sql`select id from (${ids}) as candidate`),
    sql` union `,
  );
}

/** The words that names may contain. */
function listNames(words: readonly SearchWord[]): readonly string[] {
  return words.flatMap(({ inName }) => inName ?? []);
}

/** The different terms of the words. */
function listTerms(words: readonly SearchWord[]): readonly IndexTerm[] {
  return [...new Set(words.flatMap(({ inText }) => inText.terms))];
}

function anyOf(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return conditions.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

/** The sum over the words. A word in the name counts for more than one in the text. */
function toScore(options: TextSearchOptions, { words, includesNames }: TextCriteria): RawBuilder<unknown> {
  const scores = words.slice(0, MAX_RANKED_WORDS).map(({ inName, inText }) => {
    const [term] = inText.terms;
    const cases = [
      ...(includesNames && inName !== undefined
        ? [sql`when ${options.nameIndex.containsPlain(inName)} then ${sql.lit(NAME_SCORE)}`]
        : []),
      ...(term === undefined ? [] : [sql`when ${isOften(options, term)} then blob_text.often_score`]),
    ];
    const once = sql`coalesce(blob_text.once_score, 0)`;
    return cases.length === 0 ? once : sql`case ${sql.join(cases, sql` `)} else ${once} end`;
  });
  return sql.join(scores, sql` + `);
}

/**
 * The condition that the text of an entry in `found` has the term often. It depends on no other text, so
 * files of others do not change the rank.
 */
function isOften({ textIndex, hitsPerLookup }: TextSearchOptions, term: IndexTerm): RawBuilder<SqlBool> {
  const among = { table: sql`found`, hitsPerLookup };
  return textIndex.hasTermsAmong(sql`entry.blob_id`, [toOftenTerm(term)], among);
}

function toOrder(order: EntryOrder | undefined): RawBuilder<unknown> {
  return order === undefined ? sql`score desc, entry.modified_at desc, entry.id desc` : toEntryOrder(order);
}
