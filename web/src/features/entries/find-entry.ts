import type { EntryRecord } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import type { DriveId } from '../../api/in-drive.ts';
import { childOf } from '../../common/names/drive-paths.ts';
import { freeName, stemOf } from '../../common/names/free-name.ts';
import { MAX_NAME_LENGTH, MAX_PATH_LENGTH, toNormalForm } from '../../common/names/normal-form.ts';

const MAX_FOUND = 1_000;

/** A directory of a drive. */
export interface DirectoryPlace {
  readonly drive: DriveId;
  readonly directory: string;
}

/** The entry at a path. The service has no call for that, so it searches for the name. */
export async function findEntry(
  directory: DirectoryPlace,
  name: string,
  signal?: AbortSignal,
): Promise<EntryRecord | undefined> {
  const path = toNormalForm(childOf(directory.directory, name), MAX_PATH_LENGTH);
  for await (const entry of searchBelow(directory, name, signal)) if (entry.path === path) return entry;
  return undefined;
}

/** The first free numbered name in a directory. */
export async function findFreeName(directory: DirectoryPlace, name: string): Promise<string> {
  return freeName(name, await listNamesLike(directory, name));
}

/** The names in a directory that may conflict with those that {@link freeName} tries. */
export async function listNamesLike(
  directory: DirectoryPlace,
  name: string,
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const parent = toNormalForm(directory.directory, MAX_PATH_LENGTH);
  const names = new Set<string>();
  for await (const { parentPath, filename } of searchBelow(directory, stemOf(name), signal)) {
    if (parentPath === parent) names.add(filename);
  }
  return names;
}

/** The entries below a directory whose names contain the text. Names that begin with it come first. */
async function* searchBelow(
  { drive, directory: path }: DirectoryPlace,
  text: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<EntryRecord> {
  const name = toNormalForm(text, MAX_NAME_LENGTH);
  for (let page = 0; ; page += 1) {
    const query = { path, name, page, size: MAX_FOUND };
    const { items } = await ask('GET /api/v2/files/search', { query, drive, signal });
    yield* items;
    if (items.length < MAX_FOUND) return;
  }
}
