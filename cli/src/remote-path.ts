import { type EntryRecord, type Holdall, NotFoundError } from '../../client/src/client.ts';

/** Converts a path typed by a user to an absolute path in the drive: `Documents/` becomes `/Documents`. */
export function toRemotePath(text: string): string {
  const segments = text.split('/').filter((segment) => segment !== '' && segment !== '.');
  return `/${segments.join('/')}`;
}

export function joinRemote(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

/** Splits a path, which is not the root, into its directory and its name. */
export function splitRemote(remotePath: string): { readonly directory: string; readonly name: string } {
  const cut = remotePath.lastIndexOf('/');
  return { directory: remotePath.slice(0, cut) || '/', name: remotePath.slice(cut + 1) };
}

/** The entry at a path; undefined for the root, which has no record. @throws NotFoundError */
export async function findEntry(
  holdall: Holdall,
  remotePath: string,
  signal: AbortSignal,
): Promise<EntryRecord | undefined> {
  if (remotePath === '/') return undefined;
  const entry = await holdall.drive.find(remotePath, { signal });
  if (entry === undefined) throw new NotFoundError(`There is no ${remotePath} in the drive.`);
  return entry;
}

/** Like {@link findEntry}, but rejects the root. @throws NotFoundError; Error with a sentence for the user */
export async function getEntry(
  holdall: Holdall,
  remotePath: string,
  signal: AbortSignal,
): Promise<EntryRecord> {
  const entry = await findEntry(holdall, remotePath, signal);
  if (entry === undefined) throw new Error("This can't be done with the drive's root.");
  return entry;
}
