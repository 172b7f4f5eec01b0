import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../api/ask.ts';
import type { AdminUser, User } from '../../../api/contract.ts';
import { updateUser } from '../../../api/session.ts';
import { useUser } from '../../../api/use-session.ts';
import { formatBytes, formatNumber } from '../../../messages/formats.ts';
import { notify } from '../../../ui/notify.ts';
import { ByteInput } from '../pieces/byte-input.tsx';
import { FormDialog } from '../pieces/form-dialog.tsx';
import { toCount } from '../pieces/to-count.ts';
import { useFormAct } from '../pieces/use-act.ts';
import type { UserDialogProps } from './user-dialog-props.ts';

/** The storage quota, the upload limit and the largest number of entries of a user. */
export function LimitsDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  const me = useUser();
  const [quota, setQuota] = useState<number | undefined>(user.storageQuotaBytes);
  const [upload, setUpload] = useState<number | undefined>(user.maxUploadSizeBytes);
  const [entries, setEntries] = useState<number | undefined>(user.maxEntries);
  const path = `/api/admin/users/${user.id}`;
  const change = useFormAct(
    async () => {
      if (quota !== user.storageQuotaBytes) {
        await ask<AdminUser>('PATCH', `${path}/storage-quota`, { body: { storageQuotaBytes: quota } });
      }
      if (upload !== user.maxUploadSizeBytes) {
        await ask<AdminUser>('PATCH', `${path}/max-upload-size`, { body: { maxUploadSizeBytes: upload } });
      }
      if (entries !== user.maxEntries) {
        await ask<AdminUser>('PATCH', `${path}/max-entries`, { body: { maxEntries: entries } });
      }
      // The admin's own limits are also shown in the navigation.
      if (user.id === me.id) updateUser(await ask<User>('GET', '/api/user/profile'));
    },
    () => {
      onClose();
      notify(t('admin.users.limitsChanged', { name: user.username }));
    },
  );
  const isChanged =
    quota !== user.storageQuotaBytes || upload !== user.maxUploadSizeBytes || entries !== user.maxEntries;
  const isComplete = quota !== undefined && upload !== undefined && entries !== undefined;
  return (
    <FormDialog
      title={t('admin.users.limitsTitle', { name: user.username })}
      action={t('admin.save')}
      isPending={change.isPending}
      error={change.error}
      isReady={isComplete && isChanged}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <ByteInput
        label={t('admin.users.quota')}
        description={t('admin.users.quotaHint', { used: formatBytes(user.storageUsedBytes) })}
        bytes={user.storageQuotaBytes}
        onChange={setQuota}
      />
      <ByteInput
        label={t('admin.users.uploadLimit')}
        description={t('admin.users.uploadLimitHint')}
        bytes={user.maxUploadSizeBytes}
        onChange={setUpload}
      />
      <NumberInput
        label={t('admin.users.maxEntries')}
        description={t('admin.users.maxEntriesHint', { used: formatNumber(user.entryCount) })}
        defaultValue={user.maxEntries}
        allowNegative={false}
        allowDecimal={false}
        thousandSeparator=" "
        required
        onChange={(value) => setEntries(toCount(value))}
      />
    </FormDialog>
  );
}
