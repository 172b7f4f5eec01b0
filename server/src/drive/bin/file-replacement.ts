import type { Blobs } from '../../blobs/blobs.ts';
import type { Tx } from '../../database/database.ts';
import type { ContentChanges } from '../content/content-changes.ts';
import type { Actor, EntryWithPath } from '../entries/entry.ts';
import { hasWrittenVersion } from '../versions/queries.ts';
import type { RecycleBin } from './recycle-bin.ts';
import type { Recycling } from './recycling.ts';

interface FileReplacementParts {
  readonly blobs: Blobs;
  readonly bin: RecycleBin;
  readonly recycling: Recycling;
  readonly contentChanges: ContentChanges;
}

/**
 * Gives a file the content of another file in its drive. Many programs save this way: they write a temporary
 * file and move it onto the document. So the document keeps its id, shares, star and versions, and its former
 * content becomes a version. Its content type stays, because the temporary file's type says nothing about the
 * document. All methods need a transaction that has locked the drive.
 */
export class FileReplacement {
  readonly #parts: FileReplacementParts;

  constructor(parts: FileReplacementParts) {
    this.#parts = parts;
  }

  /** The source stays unchanged. It may be in another drive. @throws Failure `over-limit` */
  async copyOnto(tx: Tx, actor: Actor, source: EntryWithPath, target: EntryWithPath): Promise<void> {
    await this.#parts.contentChanges.replace(tx, actor, target, await this.#takeContent(tx, source));
  }

  /**
   * The source leaves the tree. A temporary file is purged, since saving must not fill the recycle bin. A
   * source that has links, a star or earlier content moves to the bin instead, so that they are not lost.
   * @param isShared whether the source has links, which end when it leaves the tree
   * @throws Failure `over-limit` if the former content has no room as a version
   */
  async moveOnto(
    tx: Tx,
    actor: Actor,
    { source, target, isShared }: { source: EntryWithPath; target: EntryWithPath; isShared: boolean },
  ): Promise<void> {
    const { entry } = source;
    const content = await this.#takeContent(tx, source);
    // The bytes of the source are released before those of the target are charged, so this never exceeds a
    // quota.
    const isKept = isShared || entry.isStarred || (await hasWrittenVersion(tx, entry.id));
    if (isKept) await this.#parts.recycling.recycle(tx, actor, source);
    else await this.#parts.bin.purgeInTransaction(tx, actor, source);
    await this.#parts.contentChanges.replace(tx, actor, target, content);
  }

  /** The content of a file, with a new reference to its blob for the file that takes it over. */
  async #takeContent(tx: Tx, { entry: { blobId, size, modifiedAt } }: EntryWithPath) {
    if (blobId === null) throw new Error('A directory has no content that could replace another one.');
    await this.#parts.blobs.addReference(tx, blobId);
    return { blobId, size, modifiedAt };
  }
}
