import type { QueryClient } from '@tanstack/react-query';
import type { BinRecord, EntryRecord } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import type { DriveId } from '../../api/in-drive.ts';
import { KEYS } from '../../api/keys.ts';
import { parentOf } from '../../common/names/drive-paths.ts';
import { change } from '../../features/entries/change/change-entries.ts';
import { dropFrom, renewLists } from '../../features/entries/change/listed-entries.ts';
import { conflictIn } from '../../features/entries/conflicts/conflict-questions.ts';
import type { Chosen } from '../../features/entries/entry-source.ts';
import { messages } from '../../messages/i18n.ts';
import { notify, notifyError } from '../../ui/notifications/notify.ts';
import { notifyWithAction } from '../../ui/notifications/notify-with-action.tsx';

const t = messages.t.bind(messages);

/** Restores entries to their original location. @param onShow called with a restored entry */
export async function restore(
  queryClient: QueryClient,
  chosen: Chosen<BinRecord>,
  onShow: (entry: EntryRecord) => void,
): Promise<void> {
  let restored: EntryRecord | undefined;
  const done = await change(queryClient, chosen, {
    act: async ({ id, driveId: drive }, onConflict) => {
      restored = await ask('POST /api/files/recycle-bin/{fileId}/restore', {
        path: { fileId: id },
        body: { onConflict },
        drive,
      });
    },
    conflictOf: (entry) =>
      conflictIn({ drive: entry.driveId, directory: parentOf(entry.originalPath) }, entry),
    onBegin: (entries) => dropFrom(queryClient, KEYS.bin(), entries),
  });
  const shown = restored;
  if (shown === undefined) return;
  notifyWithAction(
    t('bin.restored', { count: done.length, name: done[0]?.filename ?? '' }),
    t('bin.show'),
    () => onShow(shown),
  );
}

/** Deletes entries permanently. */
export async function purge(queryClient: QueryClient, chosen: Chosen<BinRecord>): Promise<void> {
  const done = await change(queryClient, chosen, {
    act: ({ id, driveId: drive }) =>
      ask('DELETE /api/files/recycle-bin/{fileId}', { path: { fileId: id }, drive }),
    onBegin: (entries) => dropFrom(queryClient, KEYS.bin(), entries),
  });
  if (done.length > 0) notify(t('bin.purged', { count: done.length, name: done[0]?.filename ?? '' }));
}

/** Empties the recycle bin permanently. */
export async function emptyBin(queryClient: QueryClient, drive: DriveId): Promise<void> {
  try {
    await ask('DELETE /api/files/recycle-bin', { drive });
    notify(t('bin.emptied'));
  } catch (error) {
    notifyError(error);
  }
  await renewLists(queryClient);
}
