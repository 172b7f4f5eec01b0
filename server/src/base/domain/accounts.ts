export type Role = 'USER' | 'MODERATOR' | 'ADMIN';

/** The kind of client that has logged in. An account has at most one login session of each on a device. */
export type ClientType = 'desktop' | 'mobile';

/** What a program with an app password may do: only read, or change the drive as well. */
export type AppPasswordScope = 'READ' | 'WRITE';
