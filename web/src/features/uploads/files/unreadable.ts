/** Files and folders that the browser could not read, such as those of another user of the computer. */
export interface Unreadable {
  readonly count: number;
  /** The paths of the first ones, from the chosen folder on. */
  readonly paths: readonly string[];
}

/** More would be too many to read. */
const MAX_PATHS = 100;

export const ALL_READABLE: Unreadable = { count: 0, paths: [] };

export function withUnreadable({ count, paths }: Unreadable, path: string): Unreadable {
  return { count: count + 1, paths: paths.length < MAX_PATHS ? [...paths, path] : paths };
}
