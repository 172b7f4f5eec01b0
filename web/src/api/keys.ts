/**
 * The keys of cached queries. After its own change, a component invalidates queries by their first segments.
 * `features/live` does so after changes by others.
 */
export const KEYS = {
  /** Listings of directories: `entries`, the path, the sort order and the page. */
  entries: (path?: string) => (path === undefined ? (['entries'] as const) : (['entries', path] as const)),
  entry: (id: number) => ['entry', id] as const,
  versions: (id: number) => ['entry', id, 'versions'] as const,
  /** The temporary download address of a file. */
  address: (id: number) => ['address', id] as const,
  starred: () => ['starred'] as const,
  recent: () => ['recent'] as const,
  /** The pictures and videos by day: the counts of the days, and the pages. */
  timeline: () => ['timeline'] as const,
  search: (text?: string) => (text === undefined ? (['search'] as const) : (['search', text] as const)),
  bin: () => ['bin'] as const,
  shares: () => ['shares'] as const,
  /** The public view of a share or legacy link; its owner sees more. */
  sharedWith: (userId: number | undefined, token: string) => ['shared-with', userId, token] as const,
  tasks: () => ['tasks'] as const,
  transfers: () => ['transfers'] as const,
  /** Whether the password is the one that the first start generated. */
  generatedPassword: () => ['generated-password'] as const,
  profile: () => ['profile'] as const,
  webdav: () => ['webdav'] as const,
  logins: () => ['logins'] as const,
  /** The available ways to log in. */
  authMethods: () => ['auth-methods'] as const,
  /** Also the prefix of the keys of security changes. */
  security: () => ['security'] as const,
  securityChanges: () => ['security', 'changes'] as const,
  passkeys: () => ['passkeys'] as const,
  appPasswords: () => ['app-passwords'] as const,
  admin: (area?: string) => (area === undefined ? (['admin'] as const) : (['admin', area] as const)),
};
