import { useTranslation } from 'react-i18next';
import { ask } from '../../../../api/ask.ts';
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx';
import { ActDialog } from '../../pieces/act-dialog.tsx';
import { useAct } from '../../pieces/use-act.ts';
import { UserDetails } from '../user-details.tsx';
import type { UserDialogProps } from '../user-dialog-props.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { LimitsDialog } from './limits-dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { TemporaryPasswordDialog } from './temporary-password.tsx';

const DIALOGS = {
  details: UserDetails,
  role: RoleDialog,
  limits: LimitsDialog,
  password: PasswordDialog,
  reset: ResetDialog,
  secondFactors: SecondFactorsDialog,
  ban: BanDialog,
  unban: BanDialog,
  delete: DeleteDialog,
} as const;

export type UserAct = keyof typeof DIALOGS;

/** The dialog for one action on a user. */
export function UserDialog({ act, ...parts }: UserDialogProps & { act: UserAct }) {
  const Dialog = DIALOGS[act];
  return <Dialog {...parts} />;
}

/** Bans a user, or lifts the ban. */
function BanDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  const act = user.banned ? 'unban' : 'ban';
  const request = { path: { userId: user.id }, body: { banned: !user.banned } };
  return (
    <ActDialog
      title={t(`admin.users.${act}Title`, { name: user.username })}
      text={t(`admin.users.${act}Text`)}
      action={t(`admin.users.acts.${act}`)}
      act={() => ask('PATCH /api/admin/users/{userId}/status', request)}
      done={t(`admin.users.${act}Done`, { name: user.username })}
      onClose={onClose}
    />
  );
}

/** Removes the authenticator app and the passkeys of a user. */
function SecondFactorsDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  return (
    <ActDialog
      title={t('admin.users.secondFactorsTitle', { name: user.username })}
      text={t('admin.users.secondFactorsText')}
      action={t('admin.users.acts.secondFactors')}
      act={() => ask('DELETE /api/admin/users/{userId}/second-factors', { path: { userId: user.id } })}
      done={t('admin.users.secondFactorsDone', { name: user.username })}
      onClose={onClose}
    />
  );
}

/** Asks whether to reset the password, then shows the new one once. */
function ResetDialog({ user, onClose }: UserDialogProps) {
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
