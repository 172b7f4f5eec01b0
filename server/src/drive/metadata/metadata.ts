import { Failure } from '../../base/failure.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { ObjectLocation } from '../../policies/policies.ts';
import type { Actor, Entry } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { findEntryWithObject } from '../entries/entry-object-queries.ts';
import { getLiveEntry, resolvePaths } from '../entries/live-entries.ts';
import { findUndescribed, putMetadata } from './queries.ts';

/** Copies of one file that are described together. */
const MOST_AT_ONCE = 1_000;

/** A live file whose bytes can be looked at. */
export interface ReadableFile {
  readonly entry: Entry;
  /** Gives just so many bytes. */
  read(start: number, length: number): Promise<Uint8Array>;
}

/** What is written about files because of what is in them. It goes with the bytes: copies have it too. */
export class Metadata {
  readonly #database: Database;
  readonly #blobs: Blobs;
  readonly #entryEvents: EntryEvents;

  constructor(parts: { database: Database; blobs: Blobs; entryEvents: EntryEvents }) {
    this.#database = parts.database;
    this.#blobs = parts.blobs;
    this.#entryEvents = parts.entryEvents;
  }

  /** @throws Failure `not-found`, also for a directory */
  async open(ownerId: number, id: number): Promise<ReadableFile> {
    const found = await findEntryWithObject(this.#database.db, ownerId, id);
    const place: ObjectLocation | null | undefined = found?.place;
    if (found === undefined || !place) throw new Failure('not-found', 'There is no such file.');
    return {
      entry: found.entry,
      read: (start, length) => this.#blobs.read(place, { start, end: start + length - 1 }),
    };
  }

  /**
   * Replaces the values below a prefix, in a transaction that holds the drive. Copies of the same bytes in the same drive
   * about which nothing is written yet get them too: they were made before anything was known.
   *
   * @param prefix such as `media:`
   * @throws Failure `not-found` when the file is not there any more, or has other bytes by now
   */
  async replace(
    tx: Tx,
    actor: Actor,
    file: Entry,
    { prefix, values }: { readonly prefix: string; readonly values: ReadonlyMap<string, string> },
  ): Promise<void> {
    const { blobId, ownerId } = await getLiveEntry(tx, actor.ownerId, file.id);
    if (blobId === null || blobId !== file.blobId) throw new Failure('not-found', 'There is no such file.');
    const described = await findUndescribed(tx, { ownerId, blobId, id: file.id }, MOST_AT_ONCE);
    await putMetadata(
      tx,
      described.map(({ entry }) => entry.id),
      prefix,
      values,
    );
    const live = described.filter(({ isLive }) => isLive).map(({ entry }) => entry);
    await this.#entryEvents.recordUpdated(tx, actor, await resolvePaths(tx, live));
  }
}
