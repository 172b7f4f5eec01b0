import type { AdminDrive } from '../../../../../client/src/client.ts';

/** The props of every dialog about a drive. */
export interface DriveDialogProps {
  readonly drive: AdminDrive;
  readonly onClose: () => void;
}

/** The name of a shared drive, or of the account that owns a personal one. */
export function nameOf({ name, ownerUsername }: Pick<AdminDrive, 'name' | 'ownerUsername'>): string {
  return name ?? ownerUsername ?? '';
}
