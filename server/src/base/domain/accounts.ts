export type Role = 'USER' | 'MODERATOR' | 'ADMIN';

/** The kind of client that has logged in. An account has at most one login session of each on a device. */
export type ClientType = 'desktop' | 'mobile';

/** Why a login session ended. Clients that still have its tokens are told. */
export type SessionEnd =
  | 'logged-out'
  /** The owner has ended it from another session. */
  | 'logged-out-elsewhere'
  | 'password-changed'
  /** An administrator or the operator has reset the password. */
  | 'password-reset'
  | 'banned'
  /** The account is being deleted. */
  | 'deleted'
  /** A newer login of the same client type and device has replaced the session. */
  | 'replaced'
  /** The account had too many sessions. */
  | 'too-many'
  /** It was not used for too long. */
  | 'expired';

/** What a token in a mail to the owner of an account is for. */
export type TokenKind = 'PASSWORD_RESET' | 'EMAIL_VERIFICATION';

/** What a program with an app password may do: only read, or change the drive as well. */
export type AppPasswordScope = 'READ' | 'WRITE';

/** The actions of people on their own accounts that change how they log in. */
export const OWNER_ACTIONS = [
  'SET_UP_TOTP',
  'REMOVE_TOTP',
  'RENEW_RECOVERY_CODES',
  'ADD_PASSKEY',
  'REMOVE_PASSKEY',
  'LINK_IDENTITY',
  'UNLINK_IDENTITY',
  'CHANGE_PASSWORD',
  'RESET_PASSWORD',
  'CREATE_APP_PASSWORD',
  'DELETE_APP_PASSWORD',
] as const;

/** The actions of administrators that change how people log in to an account. */
export const SECURITY_ADMIN_ACTIONS = [
  'UPDATE_USER_PASSWORD',
  'RESET_USER_PASSWORD',
  'RESET_SECOND_FACTORS',
  'DELETE_IDENTITY',
] as const;

/** The changes of how people log in to an account. */
export const SECURITY_ACTIONS = [...OWNER_ACTIONS, ...SECURITY_ADMIN_ACTIONS] as const;
export type SecurityAction = (typeof SECURITY_ACTIONS)[number];
