import { useTranslation } from 'react-i18next';
import { nameOf, ROOT } from '../../common/names/drive-paths.ts';
import { Panel } from '../../ui/dialogs/panel.tsx';
import { useDrives } from '../drives/use-drive.ts';
import { ActivityList } from './activity-list.tsx';

interface ActivityPanelProps {
  readonly driveId: number;
  /** The root for the activity of the whole drive. */
  readonly directory: string;
  readonly onClose: () => void;
}

/** Who changed what in a shared drive or one of its folders. */
export function ActivityPanel({ driveId, directory, onClose }: ActivityPanelProps) {
  const { t } = useTranslation();
  const { data: drives } = useDrives();
  const driveName = drives?.find(({ id }) => id === driveId)?.name ?? '';
  return (
    <Panel
      onClose={onClose}
      title={t('activity.titleOf', { name: directory === ROOT ? driveName : nameOf(directory) })}
    >
      <ActivityList driveId={driveId} driveName={driveName} directory={directory} onLeave={onClose} />
    </Panel>
  );
}
