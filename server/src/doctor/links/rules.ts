import type { Db } from '../../database/database.ts';
import type { KeyRule } from '../key-check.ts';
import type { KeyPage } from '../queries.ts';
import {
  findBrokenLinks,
  findForeignFolderLinks,
  findForeignShares,
  findTransferFilesWithoutBytes,
  LINKS,
} from './queries.ts';

/**
 * Rows must refer to rows that exist. Foreign keys ensure that, so a fault means that someone changed the
 * database while foreign keys were switched off.
 */
export const linkRules: readonly KeyRule[] = [
  ...LINKS.map((link) => ({
    rule: `${link.table}-${link.column}`.replaceAll('_', '-'),
    table: link.table,
    findKeys: (db: Db, page: KeyPage) => findBrokenLinks(db, link, page),
    describe: (key: string) =>
      `The ${link.column} of ${link.table} ${key} refers to a row of ${link.target} that does not exist.`,
  })),
  {
    rule: 'share-drive',
    table: 'share',
    findKeys: findForeignShares,
    describe: (key) => `Share ${key} shows an entry of another drive.`,
  },
  {
    rule: 'folder-link-directory',
    table: 'folder_link',
    findKeys: findForeignFolderLinks,
    describe: (key) => `Folder link ${key} does not show a directory of its drive.`,
  },
  {
    rule: 'transfer-file-bytes',
    table: 'transfer_file',
    findKeys: findTransferFilesWithoutBytes,
    describe: (key) => `The transfer file ${key} is offered for download, but its bytes were never stored.`,
  },
];
