/**
 * The keys of cached queries. A component that changes something invalidates by the first segments;
 * `features/live` does it for changes by others.
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
  /** The pictures and videos by day: their counts, and their pages. */
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
  /** How people can log in. */
  authMethods: () => ['auth-methods'] as const,
  /** Also the first part of those of its changes. */
  security: () => ['security'] as const,
  securityChanges: () => ['security', 'changes'] as const,
  passkeys: () => ['passkeys'] as const,
  appPasswords: () => ['app-passwords'] as const,
  admin: (area?: string) => (area === undefined ? (['admin'] as const) : (['admin', area] as const)),
};
