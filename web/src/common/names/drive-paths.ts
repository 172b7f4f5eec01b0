import { FILES } from '../drive-addresses.ts';

/** The path of the root. Every path is a logical path: names separated by slashes. */
export const ROOT = '/';

/** The ancestors of a directory from the root on, and the directory itself. */
export function chainOf(path: string): readonly string[] {
  const names = namesOf(path);
  return [ROOT, ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)];
}

/** The last name; empty for the root. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The parent directory. The root is its own parent. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || ROOT;
}

export function childOf(path: string, name: string): string {
  return path === ROOT ? `/${name}` : `${path}/${name}`;
}

/** Whether a path is the directory itself or below it. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || directory === ROOT || path.startsWith(`${directory}/`);
}

/** The deepest directory that contains both paths or is one of them. */
export function commonFolder(one: string, other: string): string {
  let folder = one;
  while (folder !== ROOT && !isWithin(other, folder)) folder = parentOf(folder);
  return folder;
}

/**
 * The router's parameters for a link to the directory.
 * @param search the drive, if it may not be the one that the page shows, and the entry to select; or the id of
 *   another folder to open, whose path is unknown
 */
export function toDirectory(path: string, search: DirectorySearch = {}) {
  return { to: '/drive/$', params: { _splat: path.slice(1) }, search } as const;
}

type DirectorySearch = {
  /** The present drive if absent; the personal drive if undefined. */
  readonly drive?: number | undefined;
  readonly select?: number | undefined;
  readonly folder?: number | undefined;
};

/**
 * The URL of the page that shows an entry: for a folder its own page, for a file that of its folder.
 * @param drive the id of the shared drive; undefined for the personal drive
 */
export function addressOf({ id, path, parentPath, directory }: Placed, drive: number | undefined): string {
  const names = namesOf(directory ? path : parentPath).map(encodeURIComponent);
  const root = drive === undefined ? '/drive' : `/drives/${drive}/${FILES}`;
  return `${root}/${names.join('/')}${directory ? '' : `?select=${id}`}`;
}

interface Placed {
  readonly id: number;
  readonly path: string;
  readonly parentPath: string;
  readonly directory: boolean;
}

function namesOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '');
}
