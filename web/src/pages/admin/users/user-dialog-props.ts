import type { AdminUser } from '../../../api/contract.ts';

/** What every dialog about a user is given. */
export interface UserDialogProps {
  readonly user: AdminUser;
  readonly onClose: () => void;
}
