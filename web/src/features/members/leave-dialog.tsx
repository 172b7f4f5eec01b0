import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DriveRecord } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { useUser } from '../../api/use-session.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { notify } from '../../ui/notifications/notify.ts';
import { useOpenOwnFiles } from '../drives/use-open-own-files.ts';
import { useDriveChange } from './change-drives.ts';

interface LeaveDialogProps {
  readonly drive: DriveRecord;
  readonly onLeft: () => void;
  readonly onClose: () => void;
}

/** Asks before the user leaves a shared drive. */
export function LeaveDialog({ drive, onLeft, onClose }: LeaveDialogProps) {
  const { t } = useTranslation();
  const { id: accountId } = useUser();
  const { id, name } = drive;
  const openOwnFiles = useOpenOwnFiles(id);
  const leave = useDriveChange({
    change: async () => {
      await ask('DELETE /api/v2/drives/{id}/members/{accountId}', { path: { id, accountId } });
      // Done first. Otherwise the page would report that the user has lost the drive.
      await openOwnFiles();
    },
    onDone: () => {
      onLeft();
      notify(t('drives.left', { name }));
    },
    showsError: true,
  });
  return (
    <FormDialog
      title={t('drives.leaveTitle', { name })}
      action={t('drives.leave')}
      isGrave
      isPending={leave.isPending}
      error={leave.error}
      onSubmit={() => leave.mutate()}
      onClose={onClose}
    >
      <Text>{t('drives.leaveText')}</Text>
    </FormDialog>
  );
}
