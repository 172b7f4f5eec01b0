import type { Db } from '../database/database.ts';
import { findAccountSums, holdAccount, putFileCount, putUsage } from './account-queries.ts';
import type { Fault } from './check.ts';
import type { IdRange, RowRules } from './row-check.ts';

/** Usage is the sum of the sizes of the owner's live files, each in full; and those are counted. Everybody has one drive. */
export const accountRules: RowRules = {
  looksAt: 'accounts',
  table: 'account',
  look,
  hold: holdAccount,
  mends: { usage: putUsage, 'file-count': putFileCount },
};

async function look(db: Db, range: IdRange): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const { id, username, charged, used, counted, files, roots } of await findAccountSums(db, range)) {
    const tell = (rule: string, sentence: string) => faults.push({ rule, subject: 'account', id, sentence });
    if (charged !== used) tell('usage', `${username} uses ${used} bytes and is charged ${charged}.`);
    if (counted !== files) tell('file-count', `${username} has ${files} files and counts ${counted}.`);
    if (roots !== 1) tell('drive-root', `${username} has ${roots} drives instead of one.`);
  }
  return faults;
}
