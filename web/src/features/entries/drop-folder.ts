import { driveKey } from '../../api/in-drive.ts';
import type { DirectoryPlace } from './find-entry.ts';

/** Attributes of an element on which files from outside the page can be dropped. They name its directory. */
export function dropFolder({ drive, directory }: DirectoryPlace) {
  return { 'data-drop-path': directory, 'data-drop-drive': driveKey(drive) };
}

/** The directory that the attributes of an element name; undefined if they name none. */
export function readDropFolder({ dropPath, dropDrive }: DOMStringMap): DirectoryPlace | undefined {
  if (dropPath === undefined) return undefined;
  const id = Number(dropDrive);
  return { drive: Number.isSafeInteger(id) ? id : undefined, directory: dropPath };
}
