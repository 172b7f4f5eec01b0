import { useTranslation } from 'react-i18next';
import { ask } from '../../../../api/ask.ts';
import { updateUser } from '../../../../api/session.ts';
import { useUser } from '../../../../api/use-session.ts';
import { formatBytes, formatNumber } from '../../../../messages/formats.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { notify } from '../../../../ui/notifications/notify.ts';
import { LimitFields, useLimits } from '../../pieces/limit-fields.tsx';
import { useFormAct } from '../../pieces/use-act.ts';
import { type DriveDialogProps, nameOf } from '../drive-dialog-props.ts';

/** The storage quota, the upload limit and the entry limit of a drive. */
export function DriveLimitsDialog({ drive, onClose }: DriveDialogProps) {
  const { t } = useTranslation();
  const me = useUser();
  const name = nameOf(drive);
  const limits = useLimits({
    quotaBytes: drive.quotaBytes,
    uploadBytes: drive.maxUploadBytes,
    entries: drive.maxEntries,
  });
  const { typed, isChanged } = limits;
  const change = useFormAct(
    async () => {
      const { quotaBytes, uploadBytes, entries } = typed;
      // Only what the admin has changed, so that a change by another admin is not undone.
      const body = {
        ...(isChanged('quotaBytes') && quotaBytes !== undefined ? { quotaBytes } : {}),
        ...(isChanged('uploadBytes') && uploadBytes !== undefined ? { maxUploadBytes: uploadBytes } : {}),
        ...(isChanged('entries') && entries !== undefined ? { maxEntries: entries } : {}),
      };
      await ask('PATCH /api/admin/drives/{id}/limits', { path: { id: drive.id }, body });
      // Refreshes the navigation, which shows the admin's own limits.
      if (drive.ownerId === me.id) updateUser(await ask('GET /api/user/profile'));
    },
    () => {
      onClose();
      notify(t('admin.drives.limitsChanged', { name }));
    },
  );
  return (
    <FormDialog
      title={t('admin.users.limitsTitle', { name })}
      action={t('admin.save')}
      isPending={change.isPending}
      error={change.error}
      isReady={limits.isReady}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <LimitFields
        limits={limits}
        words={{
          quotaBytes: {
            label: t('admin.users.quota'),
            description: t('admin.users.quotaHint', { used: formatBytes(drive.usedBytes) }),
          },
          uploadBytes: {
            label: t('admin.drives.uploadLimit'),
            description: t('admin.drives.uploadLimitHint'),
          },
          entries: {
            label: t('admin.users.maxEntries'),
            description: t('admin.drives.maxEntriesHint', { used: formatNumber(drive.entryCount) }),
          },
        }}
      />
    </FormDialog>
  );
}
