import { useTranslation } from 'react-i18next';
import { ask } from '../../../../api/ask.ts';
import { formatBytes, formatNumber, formatTime } from '../../../../messages/formats.ts';
import { ActDialog } from '../../pieces/act-dialog.tsx';
import { DetailsDrawer } from '../../pieces/details-drawer.tsx';
import { OwnerLink } from '../../pieces/owner-link.tsx';
import { QuotaMeter } from '../../pieces/quota-meter.tsx';
import { type DriveDialogProps, nameOf } from '../drive-dialog-props.ts';
import { DriveState } from '../drive-state.tsx';
import { DeleteDriveDialog } from './delete-drive-dialog.tsx';
import { DriveLimitsDialog } from './drive-limits-dialog.tsx';
import { DriveMembersDialog } from './drive-members-dialog.tsx';

const DIALOGS = {
  details: DriveDetails,
  members: DriveMembersDialog,
  limits: DriveLimitsDialog,
  delete: DeleteDriveDialog,
  restore: RestoreDriveDialog,
} as const;

export type DriveAct = keyof typeof DIALOGS;

/** The dialog for one action on a drive. */
export function DriveDialog({ act, ...parts }: DriveDialogProps & { act: DriveAct }) {
  const Dialog = DIALOGS[act];
  return <Dialog {...parts} />;
}

function DriveDetails({ drive, onClose }: DriveDialogProps) {
  const { t } = useTranslation();
  const { kind, ownerUsername } = drive;
  return (
    <DetailsDrawer
      title={nameOf(drive)}
      onClose={onClose}
      facts={[
        [t('admin.drives.kind'), t(`admin.drives.kinds.${kind}`)],
        [
          t('admin.owner'),
          kind === 'SHARED' ? null : (
            <OwnerLink key="owner" owner={{ driveName: null, ownerUsername, ownerEmail: null }} />
          ),
        ],
        [t('admin.drives.state'), <DriveState key="state" drive={drive} />],
        [t('admin.drives.deletedAt'), drive.deletedAt === null ? null : formatTime(drive.deletedAt)],
        [t('admin.users.storage'), <QuotaMeter key="storage" {...drive} />],
        [t('admin.drives.uploadLimit'), formatBytes(drive.maxUploadBytes)],
        [
          t('admin.users.entries'),
          t('admin.users.entriesOf', {
            used: formatNumber(drive.entryCount),
            limit: formatNumber(drive.maxEntries),
          }),
        ],
        [t('admin.drives.members'), kind === 'SHARED' ? formatNumber(drive.memberCount) : null],
        [t('admin.drives.managers'), kind === 'SHARED' ? formatNumber(drive.managerCount) : null],
        [t('admin.created'), formatTime(drive.createdAt)],
        [t('admin.list.id'), drive.id],
      ]}
    />
  );
}

function RestoreDriveDialog({ drive, onClose }: DriveDialogProps) {
  const { t } = useTranslation();
  const name = nameOf(drive);
  return (
    <ActDialog
      title={t('admin.drives.restoreTitle', { name })}
      text={t(drive.managerCount === 0 ? 'admin.drives.restoreTextNoManager' : 'admin.drives.restoreText')}
      action={t('admin.drives.acts.restore')}
      act={() => ask('POST /api/admin/drives/{id}/restore', { path: { id: drive.id } })}
      done={t('admin.drives.restored', { name })}
      onClose={onClose}
    />
  );
}
