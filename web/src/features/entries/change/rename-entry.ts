import type { QueryClient } from '@tanstack/react-query';
import type { ConflictRule, EntryRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { messages } from '../../../messages/i18n.ts';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import { clearLastUndo, setUndo } from '../../../ui/notifications/undo.ts';
import { askUser } from '../conflicts/ask-user.ts';
import { Skipped } from '../conflicts/conflict-decisions.ts';
import { conflictIn } from '../conflicts/conflict-questions.ts';
import { placeOf } from '../drive-of.ts';
import { updateFound } from './found-entries.ts';
import { renewLists } from './listed-entries.ts';

/**
 * Renames an entry. If the name is taken, the user decides.
 * @returns false if the user wants another name
 * @throws HoldallError
 */
export async function renameEntry(
  queryClient: QueryClient,
  entry: EntryRecord,
  filename: string,
): Promise<boolean> {
  const conflict = conflictIn(placeOf(entry), { ...entry, filename });
  clearLastUndo();
  try {
    const renamed = await askUser('one').run(conflict, (onConflict) => rename(entry, filename, onConflict));
    updateFound(queryClient, renamed);
    setUndo(() => void undoRename(queryClient, entry));
    return true;
  } catch (error) {
    if (error instanceof Skipped) return false;
    throw error;
  }
}

async function undoRename(queryClient: QueryClient, entry: EntryRecord): Promise<void> {
  const { filename } = entry;
  try {
    updateFound(queryClient, await rename(entry, filename, 'FAIL'));
    notify(messages.t('drive.renamedBack', { name: filename }));
  } catch (error) {
    notifyError(error);
  }
  await renewLists(queryClient);
}

/** @throws HoldallError */
export function rename(
  { id, driveId: drive }: EntryRecord,
  filename: string,
  onConflict: ConflictRule,
): Promise<EntryRecord> {
  const body = { filename, onConflict };
  return ask('PATCH /api/files/{fileId}/rename', { path: { fileId: id }, body, drive });
}
