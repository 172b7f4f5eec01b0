import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Tx } from '../database/database.ts';
import { newObjectKey } from './object-key.ts';
import {
  addReferences,
  dropReference,
  dropReferences,
  insertBlob,
  type NewBlob,
  type ReferenceCounts,
} from './queries.ts';

export type { ReferenceCounts };

/**
 * Stored objects and how many rows refer to each. The order of an upload: take a key, write the bytes under it, and
 * only then refer to them in a transaction; what no transaction ever took, the sweeper takes.
 */
export class Blobs {
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor(clock: Clock, ids: Ids) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** A key that no object has. */
  newKey(): string {
    return newObjectKey(this.#ids, this.#clock.now());
  }

  /** Records written bytes, with the one reference that the caller's transaction makes. Gives the blob's id. */
  insert(tx: Tx, blob: Omit<NewBlob, 'createdAt'>): Promise<number> {
    return insertBlob(tx, { ...blob, createdAt: this.#clock.now() });
  }

  /** The caller's transaction makes more references to blobs that it knows to be referred to. */
  addReferences(tx: Tx, counts: ReferenceCounts): Promise<void> {
    return addReferences(tx, counts);
  }

  /** The caller's transaction ends references. At 0 the bytes stay for the grace time, then the sweeper takes them. */
  dropReferences(tx: Tx, counts: ReferenceCounts): Promise<void> {
    return dropReferences(tx, counts, this.#clock.now());
  }

  dropReference(tx: Tx, blobId: number): Promise<void> {
    return dropReference(tx, blobId, this.#clock.now());
  }
}
