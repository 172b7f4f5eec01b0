/**
 * Under what the answers of the service are kept in the query client. Whoever changes something invalidates by the first words;
 * `live/` does it for what others change.
 */
export const KEYS = {
  /** Listings of directories: `entries`, the path, and how they are sorted and paged. */
  entries: (path?: string) => (path === undefined ? (['entries'] as const) : (['entries', path] as const)),
  entry: (id: number) => ['entry', id] as const,
  /** Where the bytes of a file can be had for a while. */
  address: (id: number) => ['address', id] as const,
  recent: () => ['recent'] as const,
  search: (text?: string) => (text === undefined ? (['search'] as const) : (['search', text] as const)),
  bin: () => ['bin'] as const,
  shares: () => ['shares'] as const,
  tasks: () => ['tasks'] as const,
  transfers: () => ['transfers'] as const,
  profile: () => ['profile'] as const,
  admin: (area?: string) => (area === undefined ? (['admin'] as const) : (['admin', area] as const)),
};
