import { Drawer } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { nameOf, ROOT } from '../../common/names/drive-paths.ts';
import { useReturnedFocus } from '../../ui/dialogs/use-returned-focus.ts';
import { labelled } from '../../ui/labelled.ts';
import { useIsNarrow } from '../../ui/screen-size.ts';
import { useDrives } from '../drives/use-drive.ts';
import { ActivityList } from './activity-list.tsx';

interface ActivityPanelProps {
  readonly driveId: number;
  /** The root for the activity of the whole drive. */
  readonly directory: string;
  readonly onClose: () => void;
}

/** Who changed what in a shared drive or one of its folders, in a drawer. On a phone, it opens from below. */
export function ActivityPanel({ driveId, directory, onClose }: ActivityPanelProps) {
  const { t } = useTranslation();
  const { data: drives } = useDrives();
  const driveName = drives?.find(({ id }) => id === driveId)?.name ?? '';
  const isNarrow = useIsNarrow();
  useReturnedFocus();
  return (
    <Drawer
      opened
      onClose={onClose}
      position={isNarrow ? 'bottom' : 'right'}
      size={isNarrow ? '75%' : 420}
      title={t('activity.titleOf', { name: directory === ROOT ? driveName : nameOf(directory) })}
      closeButtonProps={{ ...labelled(t('common.close')), size: 40 }}
    >
      <ActivityList driveId={driveId} driveName={driveName} directory={directory} onLeave={onClose} />
    </Drawer>
  );
}
