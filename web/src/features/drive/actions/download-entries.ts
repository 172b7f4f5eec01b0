import type { EntryRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { startDownload, startEach } from '../../../common/downloads.ts';
import { messages } from '../../../messages/i18n.ts';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import { archiveNameOf } from '../../entries/archive-name.ts';
import type { Chosen } from '../../entries/entry-source.ts';
import { downloadFile, toOwn } from '../../entries/signed-address.ts';
import { MAX_TOGETHER, notifyTooMany } from '../../entries/too-many.ts';

/**
 * Downloads a single file from its signed URL, and anything else as one ZIP archive for each drive. The
 * browser performs the downloads, shows their progress and can resume them. Never throws.
 */
export async function download(chosen: Chosen<EntryRecord>): Promise<void> {
  if (chosen.count > MAX_TOGETHER) return notifyTooMany();
  try {
    const entries = await chosen.collect();
    const drives = new Set(entries.map(({ driveId }) => driveId));
    const ofDrives = Array.from(drives, (drive) => entries.filter(({ driveId }) => driveId === drive));
    await startEach(ofDrives.map((group) => () => downloadOfDrive(group)));
  } catch (error) {
    notifyError(error);
  }
}

/** @param entries at least one, all of one drive @throws HoldallError */
async function downloadOfDrive(entries: readonly EntryRecord[]): Promise<void> {
  const [first] = entries;
  if (first === undefined) return;
  if (entries.length === 1 && !first.directory) return await downloadFile(first);
  const fileIds = entries.map(({ id }) => id);
  // The service names the archive of a single folder after the folder.
  const body = entries.length === 1 ? { fileIds } : { fileIds, name: await archiveNameOf(entries) };
  const { url } = await ask('POST /api/v2/downloads', { body, drive: first.driveId });
  startDownload(toOwn(url), '');
  notify(messages.t('drive.packing', { count: entries.length, name: first.filename }), 'neutral');
}
