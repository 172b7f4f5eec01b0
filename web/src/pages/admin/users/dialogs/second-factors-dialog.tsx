import { useTranslation } from 'react-i18next';
import { ask } from '../../../../api/ask.ts';
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx';
import { notify } from '../../../../ui/notifications/notify.ts';
import { useAct } from '../../pieces/use-act.ts';
import type { UserDialogProps } from '../user-dialog-props.ts';

/** Takes the authenticator app and the passkeys of a user away. */
export function SecondFactorsDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  const reset = useAct(
    () => ask('DELETE /api/admin/users/{userId}/second-factors', { path: { userId: user.id } }),
    () => {
      onClose();
      notify(t('admin.users.secondFactorsDone', { name: user.username }));
    },
  );
  return (
    <ConfirmDialog
      title={t('admin.users.secondFactorsTitle', { name: user.username })}
      text={t('admin.users.secondFactorsText')}
      action={t('admin.users.acts.secondFactors')}
      isPending={reset.isPending}
      onConfirm={() => reset.mutate(undefined)}
      onClose={onClose}
    />
  );
}
