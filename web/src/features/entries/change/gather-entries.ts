import type { QueryClient } from '@tanstack/react-query';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import type { DriveId } from '../../../api/in-drive.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';
import { renewLists } from './listed-entries.ts';
import { runForEach } from './run-for-each.ts';

/**
 * Creates a folder with copies of the entries. The copies count against the quota, but share the stored
 * bytes. Entries that cannot be copied are reported. If no entry can be copied, the folder is deleted again.
 * @param path where the folder is created
 * @throws HoldallError if the folder cannot be created, or nothing can be copied
 */
export async function gatherEntries(
  queryClient: QueryClient,
  entries: readonly EntryRecord[],
  path: string,
  drive: DriveId,
): Promise<EntryRecord> {
  const folder = await ask('POST /api/files/mkdir', { body: { path }, drive });
  try {
    const { done, failed, error } = await runForEach(entries, ({ id }) =>
      // Entries from different folders may have the same name.
      ask('POST /api/files/{fileId}/copy', {
        path: { fileId: id },
        body: { path: folder.path, onConflict: 'RENAME' },
        drive,
      }),
    );
    if (done.length === 0) {
      await ask('DELETE /api/files/{fileId}', { path: { fileId: folder.id }, drive }).catch(() => undefined);
      throw error;
    }
    if (failed.length > 0) notifyError(error);
    return folder;
  } finally {
    await renewLists(queryClient);
  }
}
