import type { ConflictRule, EntryRecord } from '../../../../../client/src/client.ts';
import { askUser } from '../../entries/conflicts/ask-user.ts';
import type { DirectoryPlace } from '../../entries/find-entry.ts';

interface SharedEntry {
  readonly filename: string;
  readonly directory?: boolean | undefined;
  readonly size?: number | undefined;
}

/**
 * Imports a shared entry into a directory. If its name is taken there, the user decides.
 * @throws Skipped; what `act` throws
 */
export function importInto(
  place: DirectoryPlace,
  { filename, directory: isDirectory = false, size }: SharedEntry,
  act: (onConflict: ConflictRule) => Promise<EntryRecord>,
): Promise<EntryRecord> {
  return askUser('one').run({ ...place, name: filename, isDirectory, size }, act);
}
