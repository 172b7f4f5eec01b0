/** A personal drive belongs to one account, a shared drive to its members. */
export type DriveKind = 'PERSONAL' | 'SHARED';

/** An account, and a drive that it uses. */
export interface AccountInDrive {
  readonly accountId: number;
  readonly driveId: number;
}
