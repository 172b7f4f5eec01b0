import { Button, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDoorExit, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DriveRecord } from '../../../../client/src/client.ts';
import { formatBytes } from '../../messages/formats.ts';
import { DANGER } from '../../ui/danger.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DeleteDriveDialog } from './delete-drive-dialog.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { MemberList } from './member-list.tsx';
import { RenameDrive } from './rename-drive.tsx';

interface DriveDialogProps {
  readonly drive: DriveRecord;
  readonly onClose: () => void;
}

/** The members of a shared drive and, for its managers, what they can change. */
export function DriveDialog({ drive, onClose }: DriveDialogProps) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery('(max-width: 36em)');
  const [question, setQuestion] = useState<'leave' | 'delete'>();
  const canManage = drive.role === 'MANAGER';
  const closeQuestion = () => setQuestion(undefined);
  if (question === 'leave') return <LeaveDialog drive={drive} onLeft={onClose} onClose={closeQuestion} />;
  if (question === 'delete')
    return <DeleteDriveDialog drive={drive} onDeleted={onClose} onClose={closeQuestion} />;
  return (
    <Dialog
      onClose={onClose}
      size="lg"
      fullScreen={isPhone}
      title={t('drives.settingsTitle', { name: drive.name })}
      closeSize={40}
    >
      <Stack gap="lg">
        {canManage && <RenameDrive drive={drive} />}
        <MemberList drive={drive} canManage={canManage} />
        <Text size="sm" c="dimmed">
          {t('drives.usage', { used: formatBytes(drive.usedBytes), quota: formatBytes(drive.quotaBytes) })}
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            mih="var(--tap-size)"
            leftSection={<IconDoorExit size={18} aria-hidden />}
            onClick={() => setQuestion('leave')}
          >
            {t('drives.leave')}
          </Button>
          {canManage && (
            <Button
              variant="default"
              mih="var(--tap-size)"
              c={DANGER}
              leftSection={<IconTrash size={18} aria-hidden />}
              onClick={() => setQuestion('delete')}
            >
              {t('drives.delete')}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
