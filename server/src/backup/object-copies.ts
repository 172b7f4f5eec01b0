import { createHash } from 'node:crypto';
import { mapConcurrently } from '../base/concurrency/map-concurrently.ts';
import { Failure } from '../base/failure.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Database } from '../database/database.ts';
import type { ObjectLocation } from '../policies/policies.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { ListedObject } from './object-list.ts';
import { findObjectOfBlob, type WantedObject } from './queries.ts';
import { type FileDigest, RowFileWriter, readRowFile } from './row-file.ts';

const AT_ONCE = 4;
const WINDOW = 256;

export interface CopiedObjects {
  readonly digest: FileDigest;
  /** How many were not in the directory before. */
  readonly copied: number;
  readonly bytes: number;
  readonly missing: readonly string[];
}

/** Copies the objects of a list out of the drive's stores, and writes the list of those that are there then. */
export class ObjectCopies {
  readonly #database: Database;
  readonly #blobs: Blobs;
  readonly #target: ObjectStore;
  readonly #signal: AbortSignal;
  readonly #onProgress: (sentence: string) => void;
  readonly #missing: string[] = [];
  #copied = 0;
  #bytes = 0;

  constructor(parts: {
    database: Database;
    blobs: Blobs;
    target: ObjectStore;
    signal: AbortSignal;
    onProgress: (sentence: string) => void;
  }) {
    this.#database = parts.database;
    this.#blobs = parts.blobs;
    this.#target = parts.target;
    this.#signal = parts.signal;
    this.#onProgress = parts.onProgress;
  }

  async copyAll(wantedFile: string, listFile: string): Promise<CopiedObjects> {
    const list = await RowFileWriter.create(listFile);
    try {
      let done = 0;
      for await (const wanted of inWindows(wantedFile)) {
        const listed = await mapConcurrently(wanted, AT_ONCE, (object) => this.#keepOrCopy(object));
        await list.write(listed.filter((object) => object !== undefined));
        done += wanted.length;
        this.#onProgress(
          `Objects: ${done}, of which ${this.#copied} were copied (${this.#bytes} bytes in all).`,
        );
      }
      const digest = await list.finish();
      return { digest, copied: this.#copied, bytes: this.#bytes, missing: this.#missing };
    } finally {
      await list.close();
    }
  }

  async #keepOrCopy(wanted: WantedObject): Promise<ListedObject | undefined> {
    this.#signal.throwIfAborted();
    const { objectKey: key, size } = wanted;
    const sha256 = (await this.#findKept(wanted)) ?? (await this.#copy(wanted));
    if (sha256 === undefined) return undefined;
    this.#bytes += size;
    return { key, size, sha256 };
  }

  /** An object never changes, so one of an earlier backup is as good as the one in the store. */
  async #findKept({ objectKey, size, sha256 }: WantedObject): Promise<string | undefined> {
    const kept = await this.#target.find(objectKey);
    if (kept?.size !== size) return undefined;
    return sha256 ?? (await hashObject(this.#target, objectKey));
  }

  async #copy(wanted: WantedObject): Promise<string | undefined> {
    const first = await this.#tryCopy(wanted, wanted);
    if (first.sha256 !== undefined) return first.sha256;
    // It may have moved to another place, or be gone for good, since the rows were read.
    const now = await findObjectOfBlob(this.#database.db, wanted.blobId);
    const second = now === undefined ? first : await this.#tryCopy(wanted, now);
    if (second.sha256 !== undefined) return second.sha256;
    if (wanted.isNeeded) this.#missing.push(second.fault);
    return undefined;
  }

  async #tryCopy(
    { blobId, objectKey: key, size, sha256 }: WantedObject,
    from: ObjectLocation,
  ): Promise<{ sha256: string; fault?: undefined } | { sha256?: undefined; fault: string }> {
    try {
      const bytes = await this.#blobs.open({ policyId: from.policyId, objectKey: from.objectKey });
      const found = await this.#target.write(key, bytes, { signal: this.#signal });
      if (found.size === size && (sha256 ?? found.sha256) === found.sha256) {
        this.#copied += 1;
        return { sha256: found.sha256 };
      }
      await this.#target.remove([key]);
      return { fault: `The object ${key} of blob ${blobId} has other bytes than were stored.` };
    } catch (error) {
      if (!isMissing(error)) throw error;
      return { fault: `The bytes of blob ${blobId} (${size}) are missing: ${key}.` };
    }
  }
}

/** What `Blobs.open` says of an object that a record names and that is not there. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Failure && error.cause.kind === 'not-found';
}

async function* inWindows(file: string): AsyncGenerator<readonly WantedObject[]> {
  for await (const some of readRowFile(file)) {
    // Just written.
    for (let at = 0; at < some.length; at += WINDOW) yield some.slice(at, at + WINDOW) as WantedObject[];
  }
}

async function hashObject(store: ObjectStore, key: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await store.open(key)) hash.update(chunk);
  return hash.digest('hex');
}
