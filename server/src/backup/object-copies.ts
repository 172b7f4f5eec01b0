import { createHash } from 'node:crypto';
import { isMissingRecorded } from '../base/bytes/recorded-object.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Database } from '../database/database.ts';
import type { ObjectLocation } from '../policies/policies.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { copyListed, type ListedObject, writeVerified } from './object-list.ts';
import { findObjectOfBlob, type ObjectToCopy } from './queries.ts';
import { type FileDigest, RowFileWriter } from './row-file.ts';

interface CopiedObjects {
  /** The digest of the list of objects. */
  readonly digest: FileDigest;
  /** The number of objects that were not in the directory before. */
  readonly copied: number;
  readonly bytes: number;
  readonly missing: readonly string[];
}

interface ObjectCopiesParts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly target: ObjectStore;
  readonly signal: AbortSignal;
  readonly onProgress: (sentence: string) => void;
}

/** Copies listed objects from the drive's stores, and writes the list of objects that the backup then has. */
export class ObjectCopies {
  readonly #parts: ObjectCopiesParts;
  readonly #missing: string[] = [];
  #copied = 0;
  #bytes = 0;

  constructor(parts: ObjectCopiesParts) {
    this.#parts = parts;
  }

  async copyAll(objectFile: string, listFile: string): Promise<CopiedObjects> {
    const list = await RowFileWriter.create(listFile);
    try {
      let done = 0;
      for await (const listed of copyListed(objectFile, (object: ObjectToCopy) =>
        this.#reuseOrCopy(object),
      )) {
        await list.write(listed.filter((object) => object !== undefined));
        done += listed.length;
        this.#parts.onProgress(
          `Objects: ${done}, of which ${this.#copied} were copied (${this.#bytes} bytes in all).`,
        );
      }
      const digest = await list.finish();
      return { digest, copied: this.#copied, bytes: this.#bytes, missing: this.#missing };
    } finally {
      await list.close();
    }
  }

  /** Returns undefined when the bytes are not available. */
  async #reuseOrCopy(object: ObjectToCopy): Promise<ListedObject | undefined> {
    this.#parts.signal.throwIfAborted();
    const { objectKey: key, size } = object;
    const sha256 = (await this.#findReusable(object)) ?? (await this.#copy(object));
    if (sha256 === undefined) return undefined;
    this.#bytes += size;
    return { key, size, sha256 };
  }

  /** Finds the object of an earlier backup. Objects never change, so it equals the one in the store. */
  async #findReusable({ objectKey, size, sha256 }: ObjectToCopy): Promise<string | undefined> {
    const existing = await this.#parts.target.find(objectKey);
    if (existing?.size !== size) return undefined;
    return sha256 ?? (await hashObject(this.#parts.target, objectKey));
  }

  async #copy(object: ObjectToCopy): Promise<string | undefined> {
    const first = await this.#tryCopy(object, object);
    if (first.sha256 !== undefined) return first.sha256;
    // Since the rows were read, the blob may have been migrated to another policy, or removed.
    const current = await findObjectOfBlob(this.#parts.database.db, object.blobId);
    const second = current === undefined ? first : await this.#tryCopy(object, current);
    if (second.sha256 !== undefined) return second.sha256;
    if (object.isNeeded) this.#missing.push(second.fault);
    return undefined;
  }

  async #tryCopy(
    { blobId, objectKey: key, size, sha256 }: ObjectToCopy,
    { policyId, objectKey }: ObjectLocation,
  ): Promise<{ sha256: string; fault?: undefined } | { sha256?: undefined; fault: string }> {
    try {
      const bytes = await this.#parts.blobs.open({ policyId, objectKey });
      const written = await writeVerified(
        this.#parts.target,
        { key, size, sha256 },
        bytes,
        this.#parts.signal,
      );
      if (written === undefined) {
        return {
          fault: `The bytes of the object ${key} of blob ${blobId} differ from those that were stored.`,
        };
      }
      this.#copied += 1;
      return { sha256: written };
    } catch (error) {
      if (!isMissingRecorded(error)) throw error;
      return { fault: `The bytes of blob ${blobId} (${size}) are missing: ${key}.` };
    }
  }
}

async function hashObject(store: ObjectStore, key: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await store.open(key)) hash.update(chunk);
  return hash.digest('hex');
}
