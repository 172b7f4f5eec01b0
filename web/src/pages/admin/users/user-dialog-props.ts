import type { AdminUser } from '../../../api/contract.ts';

/** The props of every dialog about a user. */
export interface UserDialogProps {
  readonly user: AdminUser;
  readonly onClose: () => void;
}
