import type { FileKind } from '../../base/domain/file-kinds.ts';
import { offsetOf, type Page, type PageRequest } from '../../base/page.ts';
import { foldName, MAX_NAME_LENGTH } from '../../base/text/names/file-name.ts';
import type { LogicalPath } from '../../base/text/names/logical-path.ts';
import type { Database, Db } from '../../database/database.ts';
import type { Entry, EntryWithPath } from '../entries/entry.ts';
import { resolvePaths } from '../entries/live-entries.ts';
import { isLargeDatabase } from '../entries/long-work.ts';
import { findDirectoryIds } from './directory-ids.ts';
import {
  type Criteria,
  countMatches,
  findFewMatches,
  findPart,
  findRareMatches,
  type Range,
  type SearchOptions,
  type SearchResult,
} from './queries.ts';
import { toWords } from './words.ts';

/**
 * Reading and sorting this many matches takes as long as scanning the names of a drive with 50,000 entries.
 */
const MAX_FEW = 5_000;

/** The search conditions of a request. An undefined member sets no condition. */
export interface SearchConditions {
  /** A part of the name; case is ignored. */
  readonly name: string | undefined;
  /** Words in any order, each anywhere in the name; case and accents are ignored. */
  readonly words: string | undefined;
  readonly isDirectory: boolean | undefined;
  readonly kind: FileKind | undefined;
  readonly size: Range;
  readonly created: Range;
  readonly updated: Range;
  readonly modified: Range;
  /** Restricts the search to entries below all of these directories, at any depth. */
  readonly paths: readonly LogicalPath[];
}

/**
 * Finds live entries by name, kind, size and dates. The number of queries is the same for any drive and any
 * result.
 */
export class Search {
  readonly #database: Database;
  readonly #options: SearchOptions;

  /** @param maxFew the largest number of matches that counts as few; tests can lower it */
  constructor(database: Database, maxFew = MAX_FEW) {
    this.#database = database;
    this.#options = { nameIndex: database.engine.nameIndex, maxFew };
  }

  /**
   * @param driveIds at least one; only one if the conditions name directories
   * @param signal cancels a search that still waits for its turn
   * @throws Failure `not-found` if a directory to search does not exist; `invalid` for too many words; the
   *   reason of the signal
   */
  async find(
    driveIds: readonly number[],
    conditions: SearchConditions,
    page: PageRequest,
    signal?: AbortSignal,
  ): Promise<Page<EntryWithPath>> {
    const { name = '', words: text = '', paths, ...rest } = conditions;
    const words = toWords(text);
    const belowIds = await findDirectoryIds(this.#database.db, driveIds, paths);
    const found =
      mayBeInName(name) && words !== undefined
        ? await this.#database.readBySize(
            isLargeDatabase,
            (db) => this.#findMatches(db, { ...rest, driveIds, name: toFolded(name), words, belowIds }, page),
            signal,
          )
        : { total: 0, entries: [] };
    const items = await resolvePaths(this.#database.db, found.entries);
    return { items, total: found.total, page: page.page, size: page.size };
  }

  async #findMatches(db: Db, criteria: Criteria, page: PageRequest): Promise<SearchResult> {
    return (
      (await findRareMatches(db, this.#options, criteria, page)) ??
      (await findFewMatches(db, this.#options, criteria, page)) ??
      (await this.#findAmongMany(db, criteria, page))
    );
  }

  async #findAmongMany(db: Db, criteria: Criteria, page: PageRequest): Promise<SearchResult> {
    const { total, first } = await countMatches(db, this.#options, criteria);
    const offset = offsetOf(page);
    const entries: Entry[] = [];
    if (offset < first) {
      // This limit ends the scan at the last of these matches.
      const part = { isFirst: true, offset, size: Math.min(page.size, first - offset) };
      entries.push(...(await findPart(db, this.#options, criteria, part)));
    }
    if (entries.length < page.size && offset + entries.length < total) {
      const part = {
        isFirst: false,
        offset: Math.max(0, offset - first),
        size: page.size - entries.length,
      };
      entries.push(...(await findPart(db, this.#options, criteria, part)));
    }
    return { total, entries };
  }
}

/** A name cannot contain a text that is longer than any name. */
export function mayBeInName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH;
}

export function toFolded(text: string): string | undefined {
  return text === '' ? undefined : foldName(text);
}
