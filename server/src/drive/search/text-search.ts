import { offsetOf, type Page, type PageRequest } from '../../base/page.ts';
import { withoutAccents } from '../../base/text/names/accents.ts';
import { foldName } from '../../base/text/names/file-name.ts';
import { type ContentSearch, listUncertainRuns } from '../../content-search/content-search.ts';
import type { Database, Db } from '../../database/database.ts';
import type { Entry, EntryWithPath } from '../entries/entry.ts';
import type { EntryOrder } from '../entries/entry-order-queries.ts';
import { findHighestEntryId } from '../entries/entry-queries.ts';
import { resolvePaths } from '../entries/live-entries.ts';
import { findDirectoryIds } from './directory-ids.ts';
import type { SearchResult } from './queries.ts';
import { mayBeInName, type SearchConditions, toFolded } from './search.ts';
import {
  findTextMatches,
  planTextSearch,
  type TextCriteria,
  type TextSearchOptions,
} from './text-queries.ts';
import { type SearchWord, toSearchWords } from './words.ts';

/** Each entry of a page may need its text, which has up to 1 MiB. */
export const MAX_TEXT_PAGE_SIZE = 100;

const MAX_MATCHES = 10_000;

/** A match takes several microseconds, more than the name of an entry. */
const MAX_SHORT_SEARCH = 2_000;

/** So many of the first matches are compared with their texts. The others count as matches. */
const MAX_COMPARED = 500;

interface TextSearchParts {
  readonly database: Database;
  readonly contentSearch: ContentSearch;
  /** Tests can lower it. */
  readonly maxMatches?: number;
  readonly maxFewEntries?: number;
  readonly hitsPerLookup?: number;
  readonly maxCompared?: number;
}

interface TextSearchRequest {
  readonly driveIds: readonly number[];
  /** With words. */
  readonly conditions: SearchConditions;
  /** Whether words may be in the name instead of in the text. */
  readonly includesNames: boolean;
  /** Undefined for the order of relevance. */
  readonly order: EntryOrder | undefined;
}

/** A page of matches, with the passages of those that have one, by the id of the entry. */
interface TextPage extends Page<EntryWithPath> {
  readonly snippets: ReadonlyMap<number, string>;
}

/** Finds live files by the words in their texts, or in their texts and names. */
export class TextSearch {
  readonly #database: Database;
  readonly #contentSearch: ContentSearch;
  readonly #options: TextSearchOptions;
  readonly #maxCompared: number;

  constructor(parts: TextSearchParts) {
    const { database, contentSearch, maxMatches = MAX_MATCHES, maxCompared = MAX_COMPARED } = parts;
    const { nameIndex, textIndex } = database.engine;
    const { hitsPerLookup = textIndex.lookUps.hitsPerLookup } = parts;
    const maxFewEntries = Math.min(parts.maxFewEntries ?? textIndex.lookUps.most, maxMatches);
    this.#database = database;
    this.#contentSearch = contentSearch;
    this.#options = { nameIndex, textIndex, maxMatches, maxFewEntries, hitsPerLookup };
    this.#maxCompared = maxCompared;
  }

  /**
   * @param request.driveIds at least one; only one if the conditions name directories
   * @param page larger sizes than `MAX_TEXT_PAGE_SIZE` are reduced to it
   * @param signal cancels the search
   * @throws Failure `not-found` if a directory to search does not exist; `invalid` for too many words;
   *   `unavailable` while too many others search; the reason of the signal
   */
  async find(
    request: TextSearchRequest,
    { page, size }: PageRequest,
    signal: AbortSignal,
  ): Promise<TextPage> {
    const { driveIds, conditions, includesNames, order } = request;
    const { name = '', words: text = '', paths, ...rest } = conditions;
    const wanted = { page, size: Math.min(size, MAX_TEXT_PAGE_SIZE) };
    const words = toSearchWords(text);
    const belowIds = await findDirectoryIds(this.#database.db, driveIds, paths);
    const filters = { ...rest, driveIds, words: [], belowIds };
    const found =
      mayBeInName(name) && words.length > 0
        ? await this.#findMatches(
            { filters: { ...filters, name: toFolded(name) }, words, includesNames, order },
            wanted,
            signal,
          )
        : { total: 0, entries: [] };
    return {
      ...{ ...wanted, total: found.total },
      items: await resolvePaths(this.#database.db, found.entries),
      snippets: await this.#findSnippets(found.entries, { words, includesNames }, signal),
    };
  }

  async #findMatches(criteria: TextCriteria, page: PageRequest, signal: AbortSignal): Promise<SearchResult> {
    const find = (range: { offset: number; size: number }) =>
      this.#database.readBySize(
        isLongSearch,
        async (db: Db) => {
          const plan = await planTextSearch(db, this.#options, criteria);
          return findTextMatches(db, this.#options, plan, criteria, range);
        },
        signal,
      );
    const [offset, { size }] = [offsetOf(page), page];
    const runs = listUncertainRuns(criteria.words.map(({ inText }) => inText));
    if (runs.length === 0) return find({ offset, size });
    const first = await find({ offset: 0, size: this.#maxCompared });
    const certain = await this.#compare(first.entries, criteria, signal);
    const entries = certain.slice(offset, offset + size);
    const total = first.total - (first.entries.length - certain.length);
    if (entries.length < size && first.entries.length < first.total) {
      // The page reaches into the matches that are not compared.
      const after = this.#maxCompared + Math.max(0, offset - certain.length);
      const others = await find({ offset: after, size: size - entries.length });
      entries.push(...others.entries);
    }
    return { total, entries };
  }

  /** The entries whose texts have all runs as they were written, and not only their pairs of characters. */
  async #compare(
    entries: readonly Entry[],
    { words, includesNames }: TextCriteria,
    signal: AbortSignal,
  ): Promise<readonly Entry[]> {
    const wanted = entries.map((entry) => {
      const inText = words.filter((word) => !(includesNames && isInName(word, entry)));
      return { blobId: entry.blobId ?? 0, runs: listUncertainRuns(inText.map((word) => word.inText)) };
    });
    const compared = wanted.filter(({ runs }) => runs.length > 0);
    const results = await this.#contentSearch.texts.haveRuns(compared, signal);
    const without = new Set(compared.filter((_, index) => results[index] === false));
    return entries.filter((_, index) => {
      const each = wanted[index];
      return each === undefined || !without.has(each);
    });
  }

  async #findSnippets(
    entries: readonly Entry[],
    { words, includesNames }: Pick<TextCriteria, 'words' | 'includesNames'>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, string>> {
    const wanted = entries.flatMap((entry) => {
      if (entry.blobId === null) return [];
      const hasHit = !includesNames || words.some((word) => !isInName(word, entry));
      return [{ blobId: entry.blobId, hasHit }];
    });
    const queries = words.map(({ inText }) => inText);
    const byBlob = await this.#contentSearch.texts.findSnippets(wanted, queries, signal);
    return new Map(
      entries.flatMap(({ id, blobId }): [number, string][] => {
        const snippet = blobId === null ? undefined : byBlob.get(blobId);
        return snippet === undefined ? [] : [[id, snippet]];
      }),
    );
  }
}

/** For `Database.readBySize`. */
async function isLongSearch(db: Db): Promise<boolean> {
  return (await findHighestEntryId(db)) > MAX_SHORT_SEARCH;
}

/** As the engines compare: with the name, and with the name without accents. */
function isInName({ inName }: SearchWord, { name }: Entry): boolean {
  if (inName === undefined) return false;
  const folded = foldName(name);
  return folded.includes(inName) || withoutAccents(folded).includes(inName);
}
