import { notifications } from '@mantine/notifications';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { messages } from '../../../messages/i18n.ts';
import { frame, notifyError } from '../../../ui/notifications/notify.ts';
import type { Chosen } from '../entry-source.ts';
import { MAX_TOGETHER, notifyTooMany } from '../too-many.ts';

/**
 * Collects entries for an action that needs all of them at once, within one drive. If there are too many, or
 * if they are in several drives, tells the user and returns undefined. Never throws.
 */
export async function collectTogether(
  chosen: Chosen<EntryRecord>,
): Promise<readonly EntryRecord[] | undefined> {
  if (chosen.count > MAX_TOGETHER) {
    notifyTooMany();
    return undefined;
  }
  try {
    const entries = await chosen.collect();
    if (entries.every(({ driveId }) => driveId === entries[0]?.driveId)) return entries;
    const message = messages.t('drive.severalDrives');
    notifications.show({ ...frame('failure'), message });
  } catch (error) {
    notifyError(error);
  }
  return undefined;
}
