import { useTranslation } from 'react-i18next';
import { ask } from '../../../../api/ask.ts';
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx';
import { useAct } from '../../pieces/use-act.ts';
import type { UserDialogProps } from '../user-dialog-props.ts';
import { TemporaryPasswordDialog } from './temporary-password.tsx';

/** Asks, then shows the new password once. */
export function ResetDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  const reset = useAct(() =>
    ask('POST /api/admin/users/{userId}/password/reset', { path: { userId: user.id } }),
  );
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
  return (
    <TemporaryPasswordDialog
      username={user.username}
      text={t('admin.users.temporaryText')}
      password={reset.data.temporaryPassword}
      onClose={onClose}
    />
  );
}
