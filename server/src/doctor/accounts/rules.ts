import type { Db } from '../../database/database.ts';
import type { Fault } from '../check.ts';
import type { IdRange, RowRules } from '../row-check.ts';
import {
  findAccountSums,
  lockAccount,
  recountEntries,
  recountFiles,
  recountKeptBytes,
  recountUsage,
} from './queries.ts';

/**
 * The usage of an account is the sum of the full sizes of its live files, its file count is their number, and
 * its entry count is the number of its files and directories, live or recycled. Its kept bytes are those of
 * its recycle bin and of former versions. It has exactly one drive.
 */
export const accountRules: RowRules = {
  label: 'accounts',
  table: 'account',
  findFaults,
  lock: lockAccount,
  repairs: {
    usage: recountUsage,
    'file-count': recountFiles,
    'entry-count': recountEntries,
    'kept-bytes': recountKeptBytes,
  },
};

async function findFaults(db: Db, range: IdRange): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const account of await findAccountSums(db, range)) {
    const { id, username, usedBytes, recordedBytes, files, recordedFiles, roots } = account;
    const { entries, recordedEntries, keptBytes, recordedKeptBytes } = account;
    const add = (rule: string, sentence: string) => faults.push({ rule, subject: 'account', id, sentence });
    if (usedBytes !== recordedBytes)
      add('usage', `${username} uses ${usedBytes} bytes, but the recorded usage is ${recordedBytes}.`);
    if (files !== recordedFiles)
      add('file-count', `${username} has ${files} files, but the recorded count is ${recordedFiles}.`);
    if (entries !== recordedEntries)
      add('entry-count', `${username} has ${entries} entries, but the recorded count is ${recordedEntries}.`);
    if (keptBytes !== recordedKeptBytes)
      add(
        'kept-bytes',
        `${username} keeps ${keptBytes} bytes, but the recorded number is ${recordedKeptBytes}.`,
      );
    if (roots !== 1) add('drive-root', `${username} has ${roots} drives instead of one.`);
  }
  return faults;
}
