import type { Db } from '../../database/database.ts';
import { toNameColumns } from '../../database/name-columns.ts';
import { toTypeColumns } from '../../database/type-columns.ts';
import type { Fault } from '../check.ts';
import type { IdRange, RowRules } from '../row-check.ts';
import {
  type CheckedEntry,
  clearCopyMark,
  findEntriesToCheck,
  findLoops,
  lockDriveOf,
  recomputeKind,
  recomputeStarred,
  recountChildren,
  refoldName,
} from './queries.ts';

/**
 * The rules for one entry, its parent and its children. Together with `loopRules`, they ensure that drives
 * are trees.
 */
export const entryRules: RowRules = {
  label: 'files and directories',
  table: 'entry',
  findFaults: async (db, range) => (await findEntriesToCheck(db, range)).flatMap(toFaults),
  lock: lockDriveOf,
  repairs: {
    'child-count': recountChildren,
    'folded-name': refoldName,
    'plain-name': refoldName,
    'sort-name': refoldName,
    kind: recomputeKind,
    star: recomputeStarred,
    'copy-mark': clearCopyMark,
  },
};

/** No directory may be its own ancestor. */
export const loopRules: RowRules = { label: 'chains of parents', table: 'entry', findFaults: findLoopFaults };

type Broken = readonly [rule: string, sentence: string];

function toFaults(entry: CheckedEntry): readonly Fault[] {
  const broken = [...checkColumns(entry), ...checkBlob(entry), ...checkParent(entry)];
  return broken.map(([rule, sentence]) => ({ rule, subject: 'entry', id: entry.id, sentence }));
}

function* checkColumns(entry: CheckedEntry): Generator<Broken> {
  const label = labelOf(entry);
  const { children, child_count } = entry;
  if (children !== child_count)
    yield ['child-count', `${label} has ${children} entries, but the recorded count is ${child_count}.`];
  const { folded_name, plain_name, sort_name } = toNameColumns(entry.name);
  if (entry.folded_name !== folded_name) yield ['folded-name', `${label} has a wrong folded name.`];
  if (entry.plain_name !== plain_name) yield ['plain-name', `${label} has a wrong name without accents.`];
  if (entry.sort_name !== sort_name) yield ['sort-name', `${label} has a wrong sort key.`];
  const kind = entry.is_directory === 1 ? null : toTypeColumns(entry.content_type).kind;
  if (entry.kind !== kind) yield ['kind', `${label} has another kind than its content type.`];
  // In a shared drive, the mark stays when the account with the last star is deleted.
  const mayBeStarred = entry.is_shared === 1 && entry.is_starred === 1;
  if (!mayBeStarred && entry.stars > 0 !== (entry.is_starred === 1))
    yield ['star', `${label} has ${entry.stars} stars, but is marked otherwise.`];
  if (entry.copied_from !== null) yield ['copy-mark', `${label} carries the mark of a copy that has ended.`];
  if (entry.namesakes > 1)
    yield ['name-twice', `${label} has the same name as another entry of its directory.`];
}

function* checkBlob({ blob_id, blob_row_id, blob_size, ...entry }: CheckedEntry): Generator<Broken> {
  const label = labelOf(entry);
  if (blob_id === null) {
    if (entry.size !== 0)
      yield ['entry-size', `The directory ${label} has a recorded size of ${entry.size} bytes.`];
  } else if (blob_row_id === null) {
    yield ['entry-blob', `${label} refers to blob ${blob_id}, which does not exist.`];
  } else if (blob_size !== entry.size) {
    yield [
      'entry-size',
      `${label} has a recorded size of ${entry.size} bytes, but its blob has ${blob_size}.`,
    ];
  }
}

function* checkParent(entry: CheckedEntry): Generator<Broken> {
  const label = labelOf(entry);
  if (entry.parent_id === null) {
    yield* checkRoot(entry);
    return;
  }
  if (entry.bin_parent_path !== null) {
    yield [
      'bin-place',
      `${label} has a parent directory, but also the path that only the root of a recycled tree has.`,
    ];
  }
  if (entry.parent_row_id === null) {
    yield ['parent', `The parent of ${label} is the directory ${entry.parent_id}, which does not exist.`];
    return;
  }
  if (entry.parent_is_directory === 0) yield ['parent', `The parent of ${label} is a file.`];
  if (entry.parent_drive_id !== entry.drive_id)
    yield ['drive', `${label} is in another drive than its directory.`];
  if (entry.parent_deleted_at === null) {
    if (entry.deleted_at !== null) yield ['bin', `${label} is marked as recycled, but it is in the drive.`];
  } else if (entry.deleted_at === null) {
    yield ['bin', `${label} is marked as live, but it is in the recycle bin.`];
  } else if (entry.deleted_at !== entry.parent_deleted_at || entry.bin_root_id !== entry.parent_bin_root_id) {
    yield ['bin', `${label} was not recycled together with its directory.`];
  }
}

/** Checks an entry without a parent: the root of a drive, or of a tree that was recycled as a whole. */
function* checkRoot(entry: CheckedEntry): Generator<Broken> {
  const label = labelOf(entry);
  if (entry.deleted_at === null) {
    if (entry.is_directory === 0) yield ['parent', `The file ${label} is in no directory.`];
    return;
  }
  if (entry.bin_root_id !== entry.id) {
    yield ['bin', `${label} is recorded as part of another recycled tree, but it has no parent.`];
  }
  if (entry.bin_parent_path === null) {
    yield ['bin-place', `${label} is in the recycle bin, but the path that it came from is not recorded.`];
  }
}

async function findLoopFaults(db: Db, range: IdRange): Promise<readonly Fault[]> {
  return (await findLoops(db, range)).map((entry) => ({
    rule: 'loop',
    subject: 'entry',
    id: entry.id,
    sentence: `${labelOf(entry)} is inside itself.`,
  }));
}

function labelOf({ id, name }: { id: number; name: string }): string {
  return `${JSON.stringify(name)} (entry ${id})`;
}
