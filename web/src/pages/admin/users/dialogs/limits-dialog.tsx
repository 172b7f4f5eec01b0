import { useTranslation } from 'react-i18next';
import { ask } from '../../../../api/ask.ts';
import { updateUser } from '../../../../api/session.ts';
import { useUser } from '../../../../api/use-session.ts';
import { formatBytes, formatNumber } from '../../../../messages/formats.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { notify } from '../../../../ui/notifications/notify.ts';
import { LimitFields, useLimits } from '../../pieces/limit-fields.tsx';
import { useFormAct } from '../../pieces/use-act.ts';
import type { UserDialogProps } from '../user-dialog-props.ts';

/** The storage quota, the upload limit and the entry limit of a user. */
export function LimitsDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  const me = useUser();
  const limits = useLimits({
    quotaBytes: user.storageQuotaBytes,
    uploadBytes: user.maxUploadSizeBytes,
    entries: user.maxEntries,
  });
  const { typed, isChanged } = limits;
  const path = { userId: user.id };
  const change = useFormAct(
    async () => {
      if (isChanged('quotaBytes')) {
        const body = { storageQuotaBytes: typed.quotaBytes ?? user.storageQuotaBytes };
        await ask('PATCH /api/admin/users/{userId}/storage-quota', { path, body });
      }
      if (isChanged('uploadBytes')) {
        const body = { maxUploadSizeBytes: typed.uploadBytes ?? user.maxUploadSizeBytes };
        await ask('PATCH /api/admin/users/{userId}/max-upload-size', { path, body });
      }
      if (isChanged('entries')) {
        const body = { maxEntries: typed.entries ?? user.maxEntries };
        await ask('PATCH /api/admin/users/{userId}/max-entries', { path, body });
      }
      // Refreshes the navigation, which shows the admin's own limits.
      if (user.id === me.id) updateUser(await ask('GET /api/user/profile'));
    },
    () => {
      onClose();
      notify(t('admin.users.limitsChanged', { name: user.username }));
    },
  );
  return (
    <FormDialog
      title={t('admin.users.limitsTitle', { name: user.username })}
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
            description: t('admin.users.quotaHint', { used: formatBytes(user.storageUsedBytes) }),
          },
          uploadBytes: {
            label: t('admin.users.uploadLimit'),
            description: t('admin.users.uploadLimitHint'),
          },
          entries: {
            label: t('admin.users.maxEntries'),
            description: t('admin.users.maxEntriesHint', { used: formatNumber(user.entryCount) }),
          },
        }}
      />
    </FormDialog>
  );
}
