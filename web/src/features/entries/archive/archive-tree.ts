import type { ArchiveContents } from '../../../../../client/src/generated/records.ts';

/** A file or folder in an archive. */
export interface ArchivedEntry {
  readonly path: string;
  readonly name: string;
  readonly directory: boolean;
  readonly size: number;
  readonly modifiedAt: string | null;
}

/** The content of each folder of an archive by its path; that of the archive itself is empty. */
export type ArchiveTree = ReadonlyMap<string, readonly ArchivedEntry[]>;

/** Builds the folders of an archive, also those that occur only in paths. Folders come first. */
export function toArchiveTree(entries: ArchiveContents['entries'], locale: string): ArchiveTree {
  const found = new Map<string, ArchivedEntry>();
  const children = new Map<string, ArchivedEntry[]>([['', []]]);
  const add = (entry: ArchivedEntry, parent: string) => {
    if (!found.has(entry.path)) children.get(parent)?.push(entry);
    found.set(entry.path, entry);
    if (entry.directory && !children.has(entry.path)) children.set(entry.path, []);
  };
  for (const { path, directory, size, modifiedAt } of entries) {
    const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
    let parent = '';
    for (const [index, name] of segments.entries()) {
      const isLast = index === segments.length - 1;
      const own = segments.slice(0, index + 1).join('/');
      const times = isLast ? { size, modifiedAt } : { size: 0, modifiedAt: null };
      if (isLast || !found.has(own)) {
        add({ path: own, name, directory: directory || !isLast, ...times }, parent);
      }
      parent = own;
    }
  }
  const { compare } = new Intl.Collator(locale, { numeric: true });
  for (const [folder, list] of children) {
    // A folder may be described after its content.
    const current = list.map((entry) => found.get(entry.path) ?? entry);
    current.sort((a, b) => Number(b.directory) - Number(a.directory) || compare(a.name, b.name));
    children.set(folder, current);
  }
  return children;
}
