import type { Clock, Instant } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Tx } from '../../database/database.ts';
import { chargeUsage, type Drives, findKeptExcess, releaseUsage } from '../../drives/drives.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import type { Actor, Entry, EntryWithPath } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import type { FilesAddedHooks } from '../entries/files-added-hooks.ts';
import { deleteMetadata } from '../metadata/queries.ts';
import {
  type Content,
  countVersionUses,
  deleteVersions,
  findOldestVersions,
  findVersionsBeyond,
  insertVersion,
  setContent,
} from './queries.ts';

/** The maximum number of versions of one file. The oldest is removed first. */
export const MAX_VERSIONS = 20;

/** Versions of one statement. */
const DELETE_BATCH = 500;

interface ContentReplacementParts {
  readonly drives: Drives;
  readonly blobs: Blobs;
  readonly entryEvents: EntryEvents;
  readonly filesAddedHooks: FilesAddedHooks;
  readonly clock: Clock;
}

/**
 * Replaces the content of a file, and keeps the current content as a version. The reference to its blob
 * passes from the entry to the version, so no count changes. The same applies when a version is restored.
 */
export class ContentReplacement {
  readonly #parts: ContentReplacementParts;

  constructor(parts: ContentReplacementParts) {
    this.#parts = parts;
  }

  /**
   * Makes stored bytes the content of a live file, like {@link replace}.
   * @param content by default it is modified now, and the content type stays as it is
   */
  async replaceWithBytes(
    tx: Tx,
    actor: Actor,
    file: EntryWithPath,
    content: {
      readonly bytes: StoredBytes;
      readonly modifiedAt: Instant | undefined;
      readonly contentType?: string;
    },
  ): Promise<EntryWithPath> {
    const { bytes, contentType, modifiedAt = this.#parts.clock.now() } = content;
    const blob = { ...bytes, contentType: contentType ?? file.entry.contentType };
    const blobId = await this.#parts.blobs.insert(tx, { ...blob, kind: 'FILE', createdBy: actor.ownerId });
    const type = contentType === undefined ? {} : { contentType };
    return this.replace(tx, actor, file, { blobId, size: bytes.size, modifiedAt, ...type });
  }

  /**
   * If a file has exactly these stored bytes already, leaves the stored ones to the next sweep and returns true.
   * Returns false if the digest of either is not known.
   */
  async skipSameBytes(tx: Tx, { ownerId, blobId, size }: Entry, bytes: StoredBytes): Promise<boolean> {
    if (bytes.sha256 === null || blobId === null || size !== bytes.size) return false;
    if ((await this.#parts.blobs.findSha256(tx, blobId)) !== bytes.sha256) return false;
    await this.#parts.blobs.insertUnused(tx, {
      ...bytes,
      contentType: null,
      kind: 'FILE',
      createdBy: ownerId,
    });
    return true;
  }

  /**
   * Replaces the content of a live file, in a transaction that has locked the drive. The quota is charged
   * with the difference. The metadata of the old content is deleted, and read again from the new content.
   *
   * @param content the entry takes over a reference to its blob
   * @throws Failure `over-limit`, also when the recycle bin leaves no room for the old content;
   *   `precondition` if the content is no longer that of `file`
   */
  async replace(tx: Tx, actor: Actor, file: EntryWithPath, content: Content): Promise<EntryWithPath> {
    const { entry: old, parentPath } = file;
    const bytes = content.size - old.size;
    const { ownerId } = actor;
    await chargeUsage(tx, ownerId, { bytes, files: 0, entries: 0, keptBytes: old.size });
    const now = this.#parts.clock.now();
    const entry = await setContent(tx, old, content, now);
    if (entry === undefined) throw outdated();
    const versionId = await insertVersion(tx, old, toContent(old), now);
    await this.deleteVersions(tx, ownerId, await findVersionsBeyond(tx, old.id, MAX_VERSIONS));
    if (old.size > 0) await this.#makeRoomFor(tx, ownerId, versionId);
    await deleteMetadata(tx, old.id);
    const replaced = { entry, parentPath };
    await this.#parts.filesAddedHooks.runForContent(tx, replaced, versionId);
    await this.#parts.entryEvents.recordUpdated(tx, actor, [replaced]);
    return replaced;
  }

  /** Deletes versions, in a transaction that has locked the drive of their owner. */
  async deleteVersions(tx: Tx, ownerId: number, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#parts.blobs.dropReferences(tx, countVersionUses(tx, ids));
    const keptBytes = await deleteVersions(tx, ids);
    await releaseUsage(tx, ownerId, { bytes: 0, files: 0, entries: 0, keptBytes });
  }

  /**
   * Deletes the oldest versions in a drive until they have had that many bytes, in a transaction that has
   * locked the drive. Returns the bytes of the deleted ones: fewer than wanted if there are no more.
   * @param except a version that stays
   */
  async deleteOldest(tx: Tx, ownerId: number, bytes: number, except = 0): Promise<number> {
    let deleted = 0;
    while (deleted < bytes) {
      const ids: number[] = [];
      for (const { id, size } of await findOldestVersions(tx, ownerId, { except, limit: DELETE_BATCH })) {
        if (deleted >= bytes) break;
        ids.push(id);
        deleted += size;
      }
      if (ids.length === 0) break;
      await this.deleteVersions(tx, ownerId, ids);
    }
    return deleted;
  }

  /** @throws Failure `over-limit` if the version does not fit beside the recycle bin */
  async #makeRoomFor(tx: Tx, ownerId: number, versionId: number): Promise<void> {
    const excess = await findKeptExcess(tx, ownerId);
    if (excess <= 0 || (await this.deleteOldest(tx, ownerId, excess, versionId)) >= excess) return;
    throw new Failure(
      'over-limit',
      'There is no room to keep the former content of the file. Empty the recycle bin, then try again.',
    );
  }
}

/** The failure for a file that no longer has the content whose tag the caller has compared. */
export function outdated(): Failure {
  return new Failure('precondition', 'The file has been changed in the meantime.');
}

function toContent({ id, blobId, size, modifiedAt }: Entry): Content {
  if (blobId === null) throw new Error(`The entry ${id} is a directory, which has no content.`);
  return { blobId, size, modifiedAt };
}
