import type { Database, Tx } from '../database/database.ts';
import { Indexing, type IndexingParts } from './indexing/indexing.ts';
import { addToQueue } from './indexing/queue-queries.ts';
import {
  findTextFigures,
  hasManyTexts,
  queueNextAgain,
  queueNextGivenUp,
  scanFromStart,
  type TextFigures,
} from './queries.ts';
import { TextReader } from './text-reader.ts';

export { MAX_SNIPPET_LENGTH } from './analysis/snippet.ts';
export { NAME_SCORE, toOftenTerm } from './analysis/terms.ts';
export { listUncertainRuns, toWordQuery, type WordQuery } from './analysis/text-query.ts';
export { MachinePressure, type Pressure } from './indexing/pressure.ts';
export { HAS_TEXT, queueAgain } from './indexing/queue-queries.ts';

const REBUILD_BATCH = 500;

interface ContentSearchParts extends IndexingParts {
  readonly isOn: boolean;
}

/** The texts of stored files: how they are taken, and what is read from them for a search. */
export class ContentSearch {
  readonly isOn: boolean;
  readonly indexing: Indexing;
  readonly texts: TextReader;
  readonly #parts: ContentSearchParts;

  constructor(parts: ContentSearchParts) {
    this.isOn = parts.isOn;
    this.#parts = parts;
    this.indexing = new Indexing(parts);
    this.texts = new TextReader(parts);
  }

  get #database(): Database {
    return this.#parts.database;
  }

  /**
   * Queues a blob that becomes the content of a file, but was stored as something else. Also while this is
   * off, because later scans may have passed its id.
   */
  add(tx: Tx, blobId: number): Promise<void> {
    return addToQueue(tx, blobId, this.#parts.clock.now());
  }

  describe(): Promise<TextFigures> {
    return this.#database.readBySize(hasManyTexts, findTextFigures);
  }

  /** Whether no texts are taken because the disk is nearly full. */
  async isPaused(): Promise<boolean> {
    return this.isOn && (await this.#parts.pressure.isDiskFull());
  }

  /** Makes the service try the files again whose text was given up. @returns their number */
  async retryGivenUp(): Promise<number> {
    const page = { limit: REBUILD_BATCH, now: this.#parts.clock.now() };
    for (let count = 0; ; ) {
      const queued = await this.#database.transact((tx) => queueNextGivenUp(tx, page));
      count += queued;
      if (queued < page.limit) return count;
    }
  }

  /**
   * Makes the service take all texts again, also those of files that were stored while this was off. Searches
   * find the old texts until then.
   * @returns the number of known texts
   */
  async rebuild(signal: AbortSignal): Promise<number> {
    let [after, count] = [0, 0];
    for (;;) {
      signal.throwIfAborted();
      const page = { after, limit: REBUILD_BATCH, now: this.#parts.clock.now() };
      const done = await this.#database.transact((tx) => queueNextAgain(tx, page));
      if (done === undefined) break;
      after = done.lastId;
      count += done.queued;
    }
    await this.#database.transact(scanFromStart);
    return count;
  }
}
