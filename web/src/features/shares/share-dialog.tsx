import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { useDriveName } from '../drives/drive-names.ts';
import { useDriveId } from '../drives/use-drive.ts';
import { ShareFolder } from './folder-links/share-folder.tsx';
import { ShareFile } from './links/share-file.tsx';

/**
 * Shares a file or a folder: options, link and QR code.
 * @param entry undefined for the root of the drive
 */
export function ShareDialog({
  entry,
  onClose,
}: {
  readonly entry: EntryRecord | undefined;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const drive = useDriveId();
  const driveName = useDriveName(drive);
  const isPhone = useMediaQuery('(max-width: 36em)');
  return (
    <Dialog
      onClose={onClose}
      size="lg"
      fullScreen={isPhone}
      title={t('shares.shareTitle', { name: entry?.filename ?? driveName })}
      closeSize={40}
    >
      {entry === undefined || entry.directory ? <ShareFolder entry={entry} /> : <ShareFile entry={entry} />}
    </Dialog>
  );
}
