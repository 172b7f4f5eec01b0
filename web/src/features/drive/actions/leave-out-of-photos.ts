import type { QueryClient } from '@tanstack/react-query';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { messages } from '../../../messages/i18n.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';
import { notifyWithUndo } from '../../../ui/notifications/notify-with-undo.ts';

/** Leaves the pictures of a folder out of the user's Photos, or shows them there again. */
export async function leaveOutOfPhotos(
  queryClient: QueryClient,
  { id: fileId, driveId: drive }: EntryRecord,
  isLeftOut: boolean,
): Promise<void> {
  const method = isLeftOut ? 'PUT' : 'DELETE';
  await ask(`${method} /api/v2/files/{fileId}/timeline-exclusion`, { path: { fileId }, drive });
  await queryClient.invalidateQueries({ queryKey: KEYS.timeline() });
}

/** The same for an action of a menu. */
export async function leaveOut(queryClient: QueryClient, folder: EntryRecord): Promise<void> {
  try {
    await leaveOutOfPhotos(queryClient, folder, true);
    const undo = () => void leaveOutOfPhotos(queryClient, folder, false).catch(notifyError);
    notifyWithUndo(messages.t('drive.leftOutOfPhotos', { name: folder.filename }), undo);
  } catch (error) {
    notifyError(error);
  }
}
