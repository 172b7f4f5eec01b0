/** A personal drive belongs to one account, a shared drive to its members. */
export type DriveKind = 'PERSONAL' | 'SHARED';
