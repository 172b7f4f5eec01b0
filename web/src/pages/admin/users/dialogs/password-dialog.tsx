import { PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../../api/ask.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { notify } from '../../../../ui/notifications/notify.ts';
import { useFormAct } from '../../pieces/use-act.ts';
import type { UserDialogProps } from '../user-dialog-props.ts';

const FEWEST_LETTERS = 8;
const MAX_LETTERS = 128;

export function PasswordDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  const [newPassword, setNewPassword] = useState('');
  const change = useFormAct(
    () => ask('PUT /api/admin/users/{userId}/password', { path: { userId: user.id }, body: { newPassword } }),
    () => {
      onClose();
      notify(t('admin.users.passwordSet', { name: user.username }));
    },
  );
  return (
    <FormDialog
      title={t('admin.users.passwordTitle', { name: user.username })}
      action={t('admin.users.acts.password')}
      isPending={change.isPending}
      error={change.error}
      isReady={newPassword.length >= FEWEST_LETTERS}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <PasswordInput
        label={t('admin.users.newPassword')}
        description={t('auth.passwordHint')}
        autoComplete="new-password"
        value={newPassword}
        required
        minLength={FEWEST_LETTERS}
        maxLength={MAX_LETTERS}
        data-autofocus
        onChange={(event) => setNewPassword(event.currentTarget.value)}
      />
      <Text size="sm">{t('admin.users.passwordEnds')}</Text>
    </FormDialog>
  );
}
