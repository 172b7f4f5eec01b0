import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../../api/ask.ts';
import { formatBytes, formatNumber } from '../../../../messages/formats.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { notify } from '../../../../ui/notifications/notify.ts';
import { useFormAct } from '../../pieces/use-act.ts';
import type { UserDialogProps } from '../user-dialog-props.ts';

/** Deletes an account. The admin must type its name, because nothing can be restored. */
export function DeleteDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  const [username, setUsername] = useState('');
  const remove = useFormAct(
    () => ask('DELETE /api/admin/users/{userId}', { path: { userId: user.id }, body: { username } }),
    () => {
      onClose();
      notify(t('admin.users.deleteBegun', { name: user.username }));
    },
  );
  const lost = { count: user.fileCount, number: formatNumber(user.fileCount) };
  return (
    <FormDialog
      title={t('admin.users.deleteTitle', { name: user.username })}
      action={t('admin.users.acts.delete')}
      isGrave
      isPending={remove.isPending}
      error={remove.error}
      // The service also compares names case-insensitively.
      isReady={username.toLowerCase() === user.username.toLowerCase()}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <Text fw={600}>
        {t('admin.users.deleteFiles', { ...lost, size: formatBytes(user.storageUsedBytes) })}
      </Text>
      <Text>{t('admin.users.deleteText', { name: user.username })}</Text>
      <TextInput
        label={t('admin.users.deleteCheck', { name: user.username })}
        value={username}
        onChange={({ currentTarget: { value } }) => setUsername(value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
      />
    </FormDialog>
  );
}
