/** The actions of admins. The names are part of the API. */
export const AUDIT_ACTIONS = [
  'UPDATE_INVITE_CODE',
  'ROTATE_INVITE_CODE',
  'CREATE_INVITE',
  'DELETE_INVITE',
  'UPDATE_OFFLINE_LIMIT',
  'UPDATE_ACCOUNT_DEFAULTS',
  'CREATE_USER',
  'UPDATE_USER_ROLE',
  'UPDATE_USER_STATUS',
  'UPDATE_USER_PASSWORD',
  'RESET_USER_PASSWORD',
  'RESET_SECOND_FACTORS',
  'DELETE_IDENTITY',
  'UPDATE_USER_QUOTA',
  'UPDATE_USER_UPLOAD_LIMIT',
  'UPDATE_USER_MAX_ENTRIES',
  'DELETE_USER',
  'DELETE_SHARE',
  'DELETE_FOLDER_LINK',
  'DELETE_FILE',
  'CREATE_POLICY',
  'UPDATE_POLICY',
  'UPDATE_POLICY_STATUS',
  'CREATE_MIGRATION',
] as const;

/** The actions of the command line. */
export const COMMAND_ACTIONS = ['PUBLISH_RELEASE', 'REMOVE_RELEASE', 'REPAIR'] as const;

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
  'CREATE_APP_PASSWORD',
  'DELETE_APP_PASSWORD',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS | typeof COMMAND_ACTIONS | typeof OWNER_ACTIONS)[number];

export type AuditTargetType =
  | 'SETTING'
  | 'INVITE'
  | 'USER'
  | 'FILE'
  | 'SHARE'
  | 'FOLDER_LINK'
  | 'STORAGE_POLICY'
  | 'TASK'
  | 'RELEASE'
  | 'FAULT';
