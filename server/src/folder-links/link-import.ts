import type { Clock } from '../base/clock.ts';
import { toClosestFileName } from '../base/text/names/file-name.ts';
import { type LogicalPath, ROOT_PATH } from '../base/text/names/logical-path.ts';
import type { Tx } from '../database/database.ts';
import type { Actor, Drive, EntryWithPath, ImportTarget } from '../drive/drive.ts';
import { checkStillAllowed, type FolderLink, noSuchLink } from './folder-link.ts';
import { findFolderLinkById } from './queries.ts';

interface LinkImportParts {
  readonly drive: Drive;
  readonly clock: Clock;
}

/** Copies content of folder links into other users' drives. No bytes are copied. */
export class LinkImport {
  readonly #parts: LinkImportParts;

  constructor(parts: LinkImportParts) {
    this.#parts = parts;
  }

  /**
   * Copies a file, or a directory with everything below it. A copy of the link's whole directory is named
   * after the link's title.
   * @param path the path below the link
   * @throws Failure `not-found`, `expired`, `forbidden`; as for any copy: `conflict`, `over-limit`,
   *   `invalid`, `rejected`
   */
  async import(
    actor: Actor,
    link: FolderLink,
    path: LogicalPath,
    target: ImportTarget,
  ): Promise<EntryWithPath> {
    const { subtrees, fileImport } = this.#parts.drive;
    const { entry } = await subtrees.find(link.directory, path);
    const source = {
      driveId: link.driveId,
      entryId: entry.id,
      ...(path === ROOT_PATH && { name: toClosestFileName(link.title) }),
    };
    return await fileImport.importEntry(actor, source, target, (tx) =>
      this.#checkAgain(tx, link, path, entry.id),
    );
  }

  /**
   * Checks again in the transaction: the link may have changed, or the entry may have been moved out of its
   * directory.
   */
  async #checkAgain(tx: Tx, opened: FolderLink, path: LogicalPath, entryId: number): Promise<void> {
    const link = await findFolderLinkById(tx, opened.id);
    if (link === undefined) throw noSuchLink();
    checkStillAllowed(opened, link, 'view', this.#parts.clock.now());
    const { entry } = await this.#parts.drive.subtrees.get(tx, link.directory, path);
    if (entry.id !== entryId) throw noSuchLink();
  }
}
