import type { DriveKey } from './in-drive.ts';

/** A key of a list that each drive has. Without a drive, it matches the lists of all drives. */
const listOf =
  (...area: readonly [string, ...string[]]) =>
  (drive?: DriveKey) =>
    drive === undefined ? area : ([...area, drive] as const);

/**
 * The keys of cached queries. After its own change, a component invalidates queries by their first segments.
 * `features/live` does so after changes by others. Keys of lists contain their drive. To invalidate them, leave
 * it out: the lists of hidden drives are then refetched when they are opened.
 */
export const KEYS = {
  /** Listings of directories: `entries`, the path, the drive, the sort order and the page. */
  entries: (path?: string, drive?: DriveKey) =>
    ['entries', path, drive].filter((part) => part !== undefined) as readonly (string | number)[],
  entry: (id: number) => ['entry', id] as const,
  versions: (id: number) => ['entry', id, 'versions'] as const,
  /** The temporary download address of a file. */
  address: (id: number) => ['address', id] as const,
  starred: listOf('starred'),
  recent: listOf('recent'),
  /** The pictures and videos by day: the counts of the days, and the pages. */
  timeline: listOf('timeline'),
  /** The folders that the user leaves out of it. */
  timelineExclusions: listOf('timeline', 'exclusions'),
  search: listOf('search'),
  /** Searches in the content of files. No change refetches them at once. The search page repeats them later. */
  contentSearch: listOf('content-search'),
  /** The drives of the user. */
  drives: () => ['drives'] as const,
  deletedDrives: () => ['drives', 'deleted'] as const,
  members: (drive: number) => ['drives', 'members', drive] as const,
  /** Who changed what in a shared drive. */
  activity: listOf('activity'),
  /** The people found for a text. */
  people: (text: string) => ['people', text] as const,
  bin: listOf('bin'),
  shares: listOf('shares'),
  /** The public view of a share or legacy link; its owner sees more. */
  sharedWith: (userId: number | undefined, token: string) => ['shared-with', userId, token] as const,
  /** Below the shares, because a new link is one of the steps. */
  firstSteps: () => ['shares', 'first-steps'] as const,
  tasks: listOf('tasks'),
  transfers: () => ['transfers'] as const,
  /** Also the prefix of the key of their count. */
  notifications: () => ['notifications'] as const,
  unreadNotifications: () => ['notifications', 'unread'] as const,
  notificationSettings: () => ['notification-settings'] as const,
  /** Whether this browser shows notifications while no page is open. */
  push: () => ['push'] as const,
  /** Whether the password is the one that the first start generated. */
  generatedPassword: () => ['generated-password'] as const,
  profile: () => ['profile'] as const,
  /** Whether the e-mail address of the user is verified. */
  emailVerified: () => ['profile', 'email-verified'] as const,
  webdav: () => ['webdav'] as const,
  logins: () => ['logins'] as const,
  /** The name, the greeting and the logo of the instance. */
  instance: () => ['instance'] as const,
  /** Who invites with a code. */
  invitation: (code: string) => ['invitation', code] as const,
  /** The available ways to log in. */
  authMethods: () => ['auth-methods'] as const,
  /** Also the prefix of the keys of security changes. */
  security: () => ['security'] as const,
  securityChanges: () => ['security', 'changes'] as const,
  passkeys: () => ['passkeys'] as const,
  appPasswords: () => ['app-passwords'] as const,
  admin: (area?: string) => (area === undefined ? (['admin'] as const) : (['admin', area] as const)),
};
