import { foldName } from '../base/text/file-name.ts';
import type { Db } from '../database/database.ts';
import type { Fault } from './check.ts';
import {
  clearCopyMark,
  type EntryLook,
  findEntryLooks,
  findLoops,
  holdDriveOf,
  putChildCount,
  putFoldedName,
} from './entry-queries.ts';
import type { IdRange, RowRules } from './row-check.ts';

/** What is true of every entry, with those above and below it. Together with `loopRules`: that they are trees. */
export const entryRules: RowRules = {
  looksAt: 'files and directories',
  table: 'entry',
  look: async (db, range) => (await findEntryLooks(db, range)).flatMap(listFaults),
  hold: holdDriveOf,
  mends: { 'child-count': putChildCount, 'folded-name': putFoldedName, 'copy-mark': clearCopyMark },
};

export const loopRules: RowRules = { looksAt: 'ways up', table: 'entry', look: lookForLoops };

type Complaint = readonly [rule: string, sentence: string];

function listFaults(entry: EntryLook): readonly Fault[] {
  const complaints = [...aboutItself(entry), ...aboutItsBlob(entry), ...aboutItsPlace(entry)];
  return complaints.map(([rule, sentence]) => ({ rule, subject: 'entry', id: entry.id, sentence }));
}

function* aboutItself(entry: EntryLook): Generator<Complaint> {
  const who = nameOf(entry);
  const { children, child_count } = entry;
  if (children !== child_count)
    yield ['child-count', `${who} has ${children} entries and counts ${child_count}.`];
  if (entry.folded_name !== foldName(entry.name)) yield ['folded-name', `${who} is folded wrongly.`];
  if (entry.copied_from !== null) yield ['copy-mark', `${who} is marked by a copy that has ended.`];
  if (entry.namesakes > 1) yield ['name-twice', `${who} has the name of another in the same directory.`];
}

function* aboutItsBlob({ blob_id, stored_id, stored_size, ...entry }: EntryLook): Generator<Complaint> {
  const who = nameOf(entry);
  if (blob_id === null) {
    if (entry.size !== 0) yield ['entry-size', `The directory ${who} says ${entry.size} bytes.`];
  } else if (stored_id === null) {
    yield ['entry-blob', `${who} has the bytes of blob ${blob_id}, which does not exist.`];
  } else if (stored_size !== entry.size) {
    yield ['entry-size', `${who} says ${entry.size} bytes, its blob ${stored_size}.`];
  }
}

function* aboutItsPlace(entry: EntryLook): Generator<Complaint> {
  const who = nameOf(entry);
  if (entry.parent_id === null) {
    yield* aboutTheTop(entry);
    return;
  }
  if (entry.bin_parent_path !== null) yield ['bin-place', `${who} lies in two places.`];
  if (entry.above_id === null) {
    yield ['parent', `${who} lies in the directory ${entry.parent_id}, which does not exist.`];
    return;
  }
  if (entry.above_is_directory === 0) yield ['parent', `${who} lies in a file.`];
  if (entry.above_owner_id !== entry.owner_id) yield ['owner', `${who} lies in somebody else's drive.`];
  if (entry.above_deleted_at === null) {
    if (entry.deleted_at !== null) yield ['bin', `The recycled ${who} lies in the drive.`];
  } else if (entry.deleted_at === null) {
    yield ['bin', `The live ${who} lies in the recycle bin.`];
  } else if (entry.deleted_at !== entry.above_deleted_at || entry.bin_root_id !== entry.above_bin_root_id) {
    yield ['bin', `${who} was not recycled with the directory that it lies in.`];
  }
}

/** The root of a drive, or of what was recycled together. */
function* aboutTheTop(entry: EntryLook): Generator<Complaint> {
  const who = nameOf(entry);
  if (entry.deleted_at === null) {
    if (entry.is_directory === 0) yield ['parent', `The file ${who} lies nowhere.`];
    return;
  }
  if (entry.bin_root_id !== entry.id)
    yield ['bin', `${who} lies in the recycle bin as a part of something else.`];
  if (entry.bin_parent_path === null)
    yield ['bin-place', `${who} lies in the recycle bin and came from nowhere.`];
}

async function lookForLoops(db: Db, range: IdRange): Promise<readonly Fault[]> {
  return (await findLoops(db, range)).map((entry) => ({
    rule: 'loop',
    subject: 'entry',
    id: entry.id,
    sentence: `${nameOf(entry)} lies below itself.`,
  }));
}

function nameOf({ id, name }: { id: number; name: string }): string {
  return `${JSON.stringify(name)} (entry ${id})`;
}
