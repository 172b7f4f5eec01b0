import { UserDetails } from '../user-details.tsx';
import type { UserDialogProps } from '../user-dialog-props.ts';
import { BanDialog } from './ban-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { LimitsDialog } from './limits-dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { ResetDialog } from './reset-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { SecondFactorsDialog } from './second-factors-dialog.tsx';

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
