import type { Database, Db } from '../database/database.ts';
import type { Check, Fault, Progress } from './check.ts';
import {
  findBrokenLinks,
  findEmptyTransfers,
  findForeignShares,
  type KeyPage,
  LINKS,
} from './link-queries.ts';

const PAGE = 500;

interface LinkRule {
  readonly rule: string;
  readonly table: string;
  readonly find: (db: Db, page: KeyPage) => Promise<readonly string[]>;
  readonly describe: (key: string) => string;
}

const RULES: readonly LinkRule[] = [
  ...LINKS.map((link) => ({
    rule: `${link.table}-${link.column}`.replaceAll('_', '-'),
    table: link.table,
    find: (db: Db, page: KeyPage) => findBrokenLinks(db, link, page),
    describe: (key: string) => `The ${link.column} of ${link.table} ${key} names no ${link.target}.`,
  })),
  {
    rule: 'share-owner',
    table: 'share',
    find: findForeignShares,
    describe: (key) => `Share ${key} is by somebody who does not own what it shows.`,
  },
  {
    rule: 'transfer-file-bytes',
    table: 'transfer_file',
    find: findEmptyTransfers,
    describe: (key) => `The transfer file ${key} is offered, and its bytes never came.`,
  },
];

/** Rows that point nowhere: what a foreign key would not let happen, in a database whose keys were switched off. */
export class LinkCheck implements Check {
  readonly looksAt = 'links';
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async *find(signal: AbortSignal): AsyncGenerator<Progress> {
    for (const rule of RULES) {
      let after = '';
      for (let isMore = true; isMore; ) {
        signal.throwIfAborted();
        const keys = await rule.find(this.#database.db, { after, most: PAGE });
        yield { looked: after === '' ? 1 : 0, faults: keys.map((key) => toFault(rule, key)) };
        after = keys.at(-1) ?? after;
        isMore = keys.length === PAGE;
      }
    }
  }

  async lookAgain(fault: Fault): Promise<Fault | undefined> {
    const rule = RULES.find((each) => each.rule === fault.rule && each.table === fault.subject);
    const key = String(fault.id);
    const [standing] = (await rule?.find(this.#database.db, { only: key })) ?? [];
    return standing === undefined ? undefined : fault;
  }

  isMendable(): boolean {
    return false;
  }

  async mend(): Promise<boolean> {
    return false;
  }
}

function toFault({ rule, table, describe }: LinkRule, key: string): Fault {
  return { rule, subject: table, id: key, sentence: describe(key) };
}
