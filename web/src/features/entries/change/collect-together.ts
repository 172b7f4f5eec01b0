import type { EntryRecord } from '../../../../../client/src/client.ts';
import { messages } from '../../../messages/i18n.ts';
import { notifyError, notifyText } from '../../../ui/notifications/notify.ts';
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
    notifyText(messages.t('drive.severalDrives'));
  } catch (error) {
    notifyError(error);
  }
  return undefined;
}
