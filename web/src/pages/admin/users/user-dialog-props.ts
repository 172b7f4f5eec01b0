import type { AdminUser } from '../../../../../client/src/client.ts';

/** The props of every dialog about a user. */
export interface UserDialogProps {
  readonly user: AdminUser;
  readonly onClose: () => void;
}
