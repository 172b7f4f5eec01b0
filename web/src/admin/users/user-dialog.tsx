import type { AdminUser } from '../../api/contract.ts';
import { BanDialog } from './ban-dialog.tsx';
import { LimitsDialog } from './limits-dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { ResetDialog } from './reset-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { UserDetails } from './user-details.tsx';

const DIALOGS = {
  details: UserDetails,
  role: RoleDialog,
  limits: LimitsDialog,
  password: PasswordDialog,
  reset: ResetDialog,
  ban: BanDialog,
  unban: BanDialog,
} as const;

export type UserAct = keyof typeof DIALOGS;

export interface UserDialogParts {
  readonly user: AdminUser;
  readonly onClose: () => void;
}

/** One thing to see of somebody, or to do to them. */
export function UserDialog({ act, ...parts }: UserDialogParts & { act: UserAct }) {
  const Dialog = DIALOGS[act];
  return <Dialog {...parts} />;
}
