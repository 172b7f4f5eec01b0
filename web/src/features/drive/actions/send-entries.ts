import type { EntryRecord } from '../../../../../client/src/client.ts';
import { canEncrypt } from '../../../../../client/src/transfer/encryption/keys.ts';
import { formatNumber } from '../../../messages/formats.ts';
import { messages } from '../../../messages/i18n.ts';
import { notifyError, notifyText } from '../../../ui/notifications/notify.ts';
import type { Chosen } from '../../entries/entry-source.ts';
import { currentTransfers } from '../../transfer/session/current.ts';
import { readEncryptionChoice } from '../../transfer/session/encryption-choice.ts';
import { MAX_FILES } from '../../transfer/session/files/chosen-files.ts';
import { readDriveFiles } from '../../transfer/session/files/drive-files.ts';
import { MAX_FOLDERS, TooManyFolders } from '../../transfer/session/files/find-files.ts';
import { startSending } from '../../transfer/session/start-sending.ts';

/**
 * Offers entries in a quick transfer, directly to the receiver. Never replaces a transfer that is still
 * running. Never throws.
 * @param onShow opens the page that shows the code
 */
export async function sendEntries(chosen: Chosen<EntryRecord>, onShow: () => void): Promise<void> {
  const { sending, receiving } = currentTransfers();
  if (sending?.store.isOver === false || receiving?.store.isOver === false) {
    onShow();
    return notifyText(messages.t('drive.otherTransfer'));
  }
  try {
    const files = await readDriveFiles(await chosen.collect());
    if (files.length === 0) return notifyText(messages.t('drive.nothingToSend'));
    if (files.length > MAX_FILES)
      return notifyText(messages.t('drive.tooManyToSend', { most: formatNumber(MAX_FILES) }));
    startSending(files, { isStored: false, isEncrypted: canEncrypt() && readEncryptionChoice() });
    onShow();
  } catch (error) {
    if (error instanceof TooManyFolders)
      return notifyText(messages.t('drive.tooManyFoldersToSend', { most: formatNumber(MAX_FOLDERS) }));
    notifyError(error);
  }
}
