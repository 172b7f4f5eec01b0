import { Semaphore } from '../base/concurrency/semaphore.ts';
import type { Database, Db } from '../database/database.ts';
import { hasRuns } from './analysis/runs.ts';
import { MAX_SNIPPET_LENGTH, makeSnippet } from './analysis/snippet.ts';
import type { WordQuery } from './analysis/text-query.ts';
import { findTexts } from './queries.ts';
import { expandText } from './text-codec.ts';

/** Texts that are read from the database together. */
const TEXTS_AT_ONCE = 8;

/** So much text is compared with the phrases of one search. */
const MAX_COMPARED_BYTES = 16 * 1_024 ** 2;
/** So much text is looked at for the snippets of one page, in code units. */
const MAX_SNIPPET_UNITS = 16 * 1_024 ** 2;

/** Searches that read texts at the same time. Each of them takes turns with everything else. */
const READERS = 2;
const MAX_WAITING_READERS = 100;

/** Runs that the text of a blob should contain. */
interface WantedRuns {
  readonly blobId: number;
  readonly runs: readonly string[];
}

/** A text of which a page shows a passage. */
interface WantedSnippet {
  readonly blobId: number;
  /** Whether the text is known to have something of the search. */
  readonly hasHit: boolean;
}

interface TextReaderParts {
  readonly database: Database;
  readonly onFault: (error: unknown, doing: string) => void;
  /** Tests can lower them. */
  readonly maxComparedBytes?: number;
  readonly maxSnippetUnits?: number;
}

/** Reads stored texts for searches: a limited amount for each of them, and for a few of them at a time. */
export class TextReader {
  readonly #parts: TextReaderParts;
  readonly #readers = new Semaphore(READERS, MAX_WAITING_READERS);

  constructor(parts: TextReaderParts) {
    this.#parts = parts;
  }

  /**
   * A snippet for each blob whose text has something of the search. Of texts that are very long together,
   * only the beginning is searched. It is shown if the text has a hit elsewhere.
   *
   * @throws Failure `unavailable` while too many searches read texts; the reason of the signal
   */
  async findSnippets(
    wanted: readonly WantedSnippet[],
    queries: readonly WordQuery[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<number, string>> {
    const { maxSnippetUnits = MAX_SNIPPET_UNITS } = this.#parts;
    const byBlob = new Map<number, boolean>();
    for (const { blobId, hasHit } of wanted) byBlob.set(blobId, hasHit || byBlob.get(blobId) === true);
    const snippets = new Map<number, string>();
    let [units, texts] = [maxSnippetUnits, byBlob.size];
    await this.#forEachText([...byBlob.keys()], signal, async (blobId, text) => {
      // What short texts leave is for the longer ones after them.
      const start = toStart(text, Math.floor(units / texts));
      units -= start.length;
      texts -= 1;
      const found = await makeSnippet(start, queries, signal);
      const snippet = found ?? (byBlob.get(blobId) ? toBeginning(text) : null);
      if (snippet !== null) snippets.set(blobId, snippet);
    });
    return snippets;
  }

  /**
   * Whether the texts contain their runs. Of texts that are very long together, only the first are read, and
   * the others count as containing them. So does a text that can't be read.
   *
   * @throws Failure `unavailable` while too many searches read texts; the reason of the signal
   */
  async haveRuns(wanted: readonly WantedRuns[], signal?: AbortSignal): Promise<readonly boolean[]> {
    const without = new Set<WantedRuns>();
    const byBlob = Map.groupBy(wanted, ({ blobId }) => blobId);
    await this.#forEachText(await this.#listCompared([...byBlob.keys()]), signal, async (blobId, text) => {
      for (const each of byBlob.get(blobId) ?? []) {
        if (!(await hasRuns(text, each.runs, signal))) without.add(each);
      }
    });
    return wanted.map((each) => !without.has(each));
  }

  /** The first of the blobs whose texts are short enough together. */
  async #listCompared(blobIds: readonly number[]): Promise<readonly number[]> {
    const { database, maxComparedBytes = MAX_COMPARED_BYTES } = this.#parts;
    if (blobIds.length === 0) return [];
    const sizes = await findTextBytes(database.db, blobIds);
    let bytes = 0;
    return blobIds.filter((blobId) => {
      bytes += sizes.get(blobId) ?? 0;
      return bytes <= maxComparedBytes;
    });
  }

  /** Texts that can't be read are left out, because a damaged one must not make other texts unfindable. */
  async #forEachText(
    blobIds: readonly number[],
    signal: AbortSignal | undefined,
    act: (blobId: number, text: string) => Promise<void>,
  ): Promise<void> {
    if (blobIds.length === 0) return;
    await this.#readers.run(async () => {
      for (let at = 0; at < blobIds.length; at += TEXTS_AT_ONCE) {
        const page = blobIds.slice(at, at + TEXTS_AT_ONCE);
        const texts = await findTexts(this.#parts.database.db, page);
        for (const blobId of page) {
          signal?.throwIfAborted();
          const compressed = texts.get(blobId);
          const text = compressed === undefined ? undefined : await this.#expand(blobId, compressed);
          if (text !== undefined) await act(blobId, text);
        }
      }
    }, signal);
  }

  async #expand(blobId: number, compressed: Uint8Array): Promise<string | undefined> {
    try {
      return await expandText(compressed);
    } catch (error) {
      this.#parts.onFault(error, `read the text of blob ${blobId}`);
      return undefined;
    }
  }
}

/** The lengths of texts in UTF-8, by blob. */
async function findTextBytes(db: Db, blobIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('blob_text')
    .select(['blob_id', 'text_bytes'])
    .where('blob_id', 'in', blobIds)
    .execute();
  return new Map(rows.map((row) => [row.blob_id, row.text_bytes]));
}

function toBeginning(text: string): string {
  return toStart(text, MAX_SNIPPET_LENGTH).replaceAll(/\s/g, ' ').trim();
}

/** The beginning of a text, without half a surrogate pair at its end. */
function toStart(text: string, units: number): string {
  if (text.length <= units) return text;
  return text.slice(0, /[\ud800-\udbff]/.test(text[units - 1] ?? '') ? units - 1 : units);
}
