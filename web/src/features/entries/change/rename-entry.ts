import { ask } from '../../../api/ask.ts';
import type { ConflictRule, EntryRecord } from '../../../api/contract.ts';
import { ConflictDecisions, Skipped } from '../conflicts/conflict-decisions.ts';

/**
 * Renames an entry. If the name is taken, the user decides.
 * @returns false if the user wants another name
 * @throws ApiError
 */
export async function renameEntry(entry: EntryRecord, filename: string): Promise<boolean> {
  const { id, parentPath, directory, size, modifiedAt } = entry;
  const conflict = { name: filename, directory: parentPath, isDirectory: directory, size, modifiedAt };
  try {
    await new ConflictDecisions(1).run(conflict, (onConflict) => rename(id, filename, onConflict));
    return true;
  } catch (error) {
    if (error instanceof Skipped) return false;
    throw error;
  }
}

/** @throws ApiError */
export function rename(id: number, filename: string, onConflict: ConflictRule): Promise<EntryRecord> {
  return ask('PATCH', `/api/files/${id}/rename`, { body: { filename, onConflict } });
}
