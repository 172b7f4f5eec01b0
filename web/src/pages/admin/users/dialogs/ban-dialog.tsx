import { useTranslation } from 'react-i18next';
import { ask } from '../../../../api/ask.ts';
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx';
import { notify } from '../../../../ui/notifications/notify.ts';
import { useAct } from '../../pieces/use-act.ts';
import type { UserDialogProps } from '../user-dialog-props.ts';

/** Bans a user, or lifts the ban. */
export function BanDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  const act = user.banned ? 'unban' : 'ban';
  const change = useAct(
    () =>
      ask('PATCH /api/admin/users/{userId}/status', {
        path: { userId: user.id },
        body: { banned: !user.banned },
      }),
    () => {
      onClose();
      notify(t(`admin.users.${act}Done`, { name: user.username }));
    },
  );
  return (
    <ConfirmDialog
      title={t(`admin.users.${act}Title`, { name: user.username })}
      text={t(`admin.users.${act}Text`)}
      action={t(`admin.users.acts.${act}`)}
      isPending={change.isPending}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    />
  );
}
