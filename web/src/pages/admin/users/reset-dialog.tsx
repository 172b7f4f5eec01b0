import { Button, Group, Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ask } from '../../../api/ask.ts';
import type { TemporaryPassword } from '../../../api/contract.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import classes from '../admin.module.css';
import { useAct } from '../pieces/use-act.ts';
import type { UserDialogProps } from './user-dialog-props.ts';

/** Asks, then shows the new password once. */
export function ResetDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  const reset = useAct(() => ask<TemporaryPassword>('POST', `/api/admin/users/${user.id}/password/reset`));
  if (reset.data === undefined) {
    return (
      <ConfirmDialog
        title={t('admin.users.resetTitle', { name: user.username })}
        text={t('admin.users.resetText')}
        action={t('admin.users.acts.reset')}
        isPending={reset.isPending}
        onConfirm={() => reset.mutate(undefined)}
        onClose={onClose}
      />
    );
  }
  const { temporaryPassword } = reset.data;
  return (
    // A click outside would lose the password.
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={t('admin.users.temporaryTitle', { name: user.username })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Text>{t('admin.users.temporaryText')}</Text>
      <Text className={classes.code} my="md" aria-label={t('admin.users.temporary')} role="group">
        {temporaryPassword}
      </Text>
      <Group justify="flex-end">
        <CopyButton text={temporaryPassword} label={t('admin.users.copyPassword')} isFirst />
        <Button onClick={onClose}>{t('admin.done')}</Button>
      </Group>
    </Modal>
  );
}
