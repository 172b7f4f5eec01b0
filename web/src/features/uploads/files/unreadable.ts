/** Files and folders that the browser could not read, such as those that belong to another OS user. */
export interface Unreadable {
  readonly count: number;
  /** The first of their paths, each starting with the chosen folder. */
  readonly paths: readonly string[];
}

/** More would be too many to read. */
const MAX_PATHS = 100;

export const ALL_READABLE: Unreadable = { count: 0, paths: [] };

export function withUnreadable({ count, paths }: Unreadable, path: string): Unreadable {
  return { count: count + 1, paths: paths.length < MAX_PATHS ? [...paths, path] : paths };
}
