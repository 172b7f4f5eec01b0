import type { Db } from '../../database/database.ts';
import { toDriveNameColumns } from '../../drives/drives.ts';
import type { Fault } from '../check.ts';
import type { KeyRule } from '../key-check.ts';
import type { IdRange, RowRules } from '../row-check.ts';
import {
  findAccountsWithoutOneDrive,
  findDriveSums,
  findPersonalDrivesWithMembers,
  lockDrive,
  recountEntries,
  recountFiles,
  recountKeptBytes,
  recountUsage,
  refoldName,
} from './queries.ts';

/**
 * The usage of a drive is the sum of the full sizes of its live files, its file count is their number, and
 * its entry count is the number of its files and directories, live or recycled. Its kept bytes are those of
 * its recycle bin and of former versions. It has exactly one root. A live shared drive has a manager.
 */
export const driveRules: RowRules = {
  label: 'drives',
  table: 'drive',
  findFaults,
  lock: lockDrive,
  repairs: {
    usage: recountUsage,
    'file-count': recountFiles,
    'entry-count': recountEntries,
    'kept-bytes': recountKeptBytes,
    'drive-name': refoldName,
  },
};

/** Who drives belong to. No repair is safe: it would give someone a drive, or take one away. */
export const ownershipRules: readonly KeyRule[] = [
  {
    rule: 'personal-drive',
    table: 'account',
    findKeys: findAccountsWithoutOneDrive,
    describe: (key) => `Account ${key} does not have exactly one personal drive.`,
  },
  {
    rule: 'personal-drive-members',
    table: 'drive',
    findKeys: findPersonalDrivesWithMembers,
    describe: (key) => `Drive ${key} is personal, but has members.`,
  },
];

async function findFaults(db: Db, range: IdRange): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const drive of await findDriveSums(db, range)) {
    const { id, usedBytes, recordedBytes, files, recordedFiles, roots } = drive;
    const { entries, recordedEntries, keptBytes, recordedKeptBytes } = drive;
    const label = drive.name === null ? `The drive of ${drive.username}` : `The drive "${drive.name}"`;
    const add = (rule: string, sentence: string) => faults.push({ rule, subject: 'drive', id, sentence });
    if (usedBytes !== recordedBytes)
      add('usage', `${label} uses ${usedBytes} bytes, but the recorded usage is ${recordedBytes}.`);
    if (files !== recordedFiles)
      add('file-count', `${label} has ${files} files, but the recorded count is ${recordedFiles}.`);
    if (entries !== recordedEntries)
      add('entry-count', `${label} has ${entries} entries, but the recorded count is ${recordedEntries}.`);
    if (keptBytes !== recordedKeptBytes)
      add(
        'kept-bytes',
        `${label} keeps ${keptBytes} bytes, but the recorded number is ${recordedKeptBytes}.`,
      );
    if (roots !== 1) add('drive-root', `${label} has ${roots} roots instead of one.`);
    if (drive.lacksManager === 1) add('drive-manager', `${label} has no manager.`);
    if (drive.foldedName !== (drive.name === null ? null : toDriveNameColumns(drive.name).folded_name))
      add('drive-name', `${label} is stored with a folded name that does not match its name.`);
  }
  return faults;
}
