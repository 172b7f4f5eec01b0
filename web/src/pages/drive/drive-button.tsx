import { Button } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useDrives } from '../../features/drives/use-drive.ts';
import { DriveSettings } from '../../features/members/drive-settings.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { ActivityButton } from './activity-button.tsx';

interface DriveButtonProps {
  readonly id: number;
  /** The shown folder. */
  readonly path: string;
  readonly isNarrow: boolean;
}

/** The buttons for the activity and the members of a shared drive. Nothing if the user has lost the drive. */
export function DriveButton({ id, path, isNarrow }: DriveButtonProps) {
  const { t } = useTranslation();
  const { data: drives } = useDrives();
  const record = drives?.find((drive) => drive.id === id);
  if (record === undefined) return null;
  return (
    <>
      <ActivityButton drive={id} path={path} />
      <DriveSettings drive={record}>
        {(open) =>
          isNarrow ? (
            <IconButton variant="default" size={40} label={t('drives.settings')} onClick={open}>
              <IconUsers size={20} aria-hidden />
            </IconButton>
          ) : (
            <Button
              variant="default"
              h={40}
              leftSection={<IconUsers size={18} aria-hidden />}
              title={t('drives.settings')}
              onClick={open}
            >
              {t('drives.count', { count: record.memberCount })}
            </Button>
          )
        }
      </DriveSettings>
    </>
  );
}
