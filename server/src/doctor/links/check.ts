import type { Database, Db } from '../../database/database.ts';
import type { Check, CheckProgress, Fault } from '../check.ts';
import {
  findBrokenLinks,
  findForeignFolderLinks,
  findForeignShares,
  findTransferFilesWithoutBytes,
  type KeyPage,
  LINKS,
} from './queries.ts';

const PAGE_KEYS = 500;

interface LinkRule {
  readonly rule: string;
  readonly table: string;
  readonly findKeys: (db: Db, page: KeyPage) => Promise<readonly string[]>;
  readonly describe: (key: string) => string;
}

const RULES: readonly LinkRule[] = [
  ...LINKS.map((link) => ({
    rule: `${link.table}-${link.column}`.replaceAll('_', '-'),
    table: link.table,
    findKeys: (db: Db, page: KeyPage) => findBrokenLinks(db, link, page),
    describe: (key: string) =>
      `The ${link.column} of ${link.table} ${key} refers to a row of ${link.target} that does not exist.`,
  })),
  {
    rule: 'share-owner',
    table: 'share',
    findKeys: findForeignShares,
    describe: (key) => `Share ${key} shows an entry that its owner does not own.`,
  },
  {
    rule: 'folder-link-directory',
    table: 'folder_link',
    findKeys: findForeignFolderLinks,
    describe: (key) => `Folder link ${key} does not show a directory of its owner.`,
  },
  {
    rule: 'transfer-file-bytes',
    table: 'transfer_file',
    findKeys: findTransferFilesWithoutBytes,
    describe: (key) => `The transfer file ${key} is offered for download, but its bytes were never stored.`,
  },
];

/**
 * Checks that rows refer to rows that exist. Foreign keys ensure that, so a fault means that the database was
 * changed while its foreign keys were switched off.
 */
export class LinkCheck implements Check {
  readonly label = 'links';
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async *findFaults(signal: AbortSignal): AsyncGenerator<CheckProgress> {
    for (const rule of RULES) {
      let after = '';
      for (let hasMore = true; hasMore; ) {
        signal.throwIfAborted();
        const keys = await rule.findKeys(this.#database.db, { after, limit: PAGE_KEYS });
        // The unit of the progress is a rule, which counts with its first page.
        yield { checked: after === '' ? 1 : 0, faults: keys.map((key) => toFault(rule, key)) };
        after = keys.at(-1) ?? after;
        hasMore = keys.length === PAGE_KEYS;
      }
    }
  }

  async recheck(fault: Fault): Promise<Fault | undefined> {
    const rule = RULES.find((each) => each.rule === fault.rule && each.table === fault.subject);
    const key = String(fault.id);
    const [current] = (await rule?.findKeys(this.#database.db, { only: key })) ?? [];
    return current === undefined ? undefined : fault;
  }
}

function toFault({ rule, table, describe }: LinkRule, key: string): Fault {
  return { rule, subject: table, id: key, sentence: describe(key) };
}
