import type { Database } from '../database/database.ts';
import { findCreators, type LinkCreator } from './creator-queries.ts';

/** The part of a record that is empty for a link in the viewer's personal drive. */
export interface LinkOrigin {
  readonly createdBy?: LinkCreator | null;
}

/** Finds who created the links of shared drives. */
export class LinkCreators {
  readonly #database: Database;
  readonly #table: 'folder_link' | 'share';

  constructor(database: Database, table: 'folder_link' | 'share') {
    this.#database = database;
    this.#table = table;
  }

  /**
   * Returns what the record of each link says. Links in the viewer's personal drive take no query.
   * @param viewer who may use the drives of the links, and the viewer's personal drive
   */
  async find(
    viewer: { readonly driveId: number },
    links: readonly { readonly id: number; readonly driveId: number }[],
  ): Promise<(link: { readonly id: number; readonly driveId: number }) => LinkOrigin> {
    const ids = links.filter(({ driveId }) => driveId !== viewer.driveId).map(({ id }) => id);
    if (ids.length === 0) return () => ({});
    const found = await findCreators(this.#database.db, this.#table, ids);
    return ({ id, driveId }) => (driveId === viewer.driveId ? {} : { createdBy: found.get(id) ?? null });
  }
}
