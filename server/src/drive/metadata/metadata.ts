import { Failure } from '../../base/failure.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { ObjectLocation } from '../../policies/policies.ts';
import type { Actor, Entry } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { findEntryWithObject } from '../entries/entry-object-queries.ts';
import { getLiveEntry, resolvePaths } from '../entries/live-entries.ts';
import {
  findFilesToDescribe,
  hasManyFiles,
  insertMetadata,
  putMetadata,
  setTakenAt,
  type TimeTaken,
} from './queries.ts';
import { findShapes, type MediaShape, UNKNOWN_SHAPE } from './shape-queries.ts';

/** The maximum number of copies of one file that get its metadata at the same time. */
const MAX_COPIES = 1_000;

/**
 * With more copies, the work counts as long: it reads and sorts all files with the same bytes, including
 * those in other drives.
 */
const MAX_SHORT_COPIES = 100;

function isPictured(contentType: string | null): boolean {
  return contentType?.startsWith('image/') === true || contentType?.startsWith('video/') === true;
}

/** A live file whose bytes can be read. */
interface ReadableFile {
  readonly entry: Entry;
  /** Returns exactly `length` bytes. */
  read(start: number, length: number): Promise<Uint8Array>;
}

/** Metadata that was found in the bytes of a file. */
interface FoundMetadata {
  /** The prefix of the names of all values, such as `media:`. */
  readonly prefix: string;
  readonly values: ReadonlyMap<string, string>;
  readonly taken: TimeTaken;
}

/** How a file came into a drive through a folder link. */
interface Origin {
  readonly title: string;
  /** The name that the visitor gave. */
  readonly sender: string | null;
}

interface MetadataParts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly entryEvents: EntryEvents;
}

/** Metadata that is derived from the bytes of files. Copies of a file have the same metadata. */
export class Metadata {
  readonly #parts: MetadataParts;

  constructor(parts: MetadataParts) {
    this.#parts = parts;
  }

  /** @throws Failure `not-found`, also for a directory */
  async open(driveId: number, id: number): Promise<ReadableFile> {
    const found = await findEntryWithObject(this.#parts.database.db, driveId, id);
    const location: ObjectLocation | null | undefined = found?.location;
    if (found === undefined || !location) throw new Failure('not-found', 'There is no such file.');
    return {
      entry: found.entry,
      read: (start, length) => this.#parts.blobs.read(location, { start, end: start + length - 1 }),
    };
  }

  /** How pictures and videos appear. Takes one query if there are any. */
  async findShapes(entries: readonly Entry[]): Promise<(entry: Entry) => MediaShape> {
    const ids = entries.filter(({ contentType }) => isPictured(contentType)).map(({ id }) => id);
    const shapes = await findShapes(this.#parts.database.db, ids);
    return ({ id }) => shapes.get(id) ?? UNKNOWN_SHAPE;
  }

  /** Tells `Database.transactBySize` whether {@link replace} takes long. */
  hasManyCopies({ blobId }: Entry): (tx: Tx) => Promise<boolean> {
    return async (tx) => blobId !== null && (await hasManyFiles(tx, blobId, MAX_SHORT_COPIES));
  }

  /**
   * Replaces the values whose names begin with the prefix, in a transaction that has locked the drive. The
   * values are also given to other files of the drive with the same bytes and no metadata: they were copied
   * before the metadata was known.
   *
   * @throws Failure `not-found` if the file is gone or has other bytes now
   */
  async replace(tx: Tx, actor: Actor, file: Entry, { prefix, values, taken }: FoundMetadata): Promise<void> {
    const { blobId, driveId } = await getLiveEntry(tx, actor.driveId, file.id);
    if (blobId === null || blobId !== file.blobId) throw new Failure('not-found', 'There is no such file.');
    const described = await findFilesToDescribe(tx, { driveId, blobId, id: file.id }, MAX_COPIES);
    const ids = described.map(({ entry }) => entry.id);
    await putMetadata(tx, ids, prefix, values);
    await setTakenAt(tx, ids, taken);
    const live = described.filter(({ isLive }) => isLive).map(({ entry }) => entry);
    await this.#parts.entryEvents.recordUpdated(tx, actor, await resolvePaths(tx, live));
  }

  /** Records through which folder link a new file came and who sent it, in the transaction that adds it. */
  async setOrigin(tx: Tx, file: Entry, { title, sender }: Origin): Promise<void> {
    const values = new Map([['link:title', title]]);
    if (sender !== null) values.set('link:sender', sender);
    await insertMetadata(tx, [file.id], values);
  }
}
