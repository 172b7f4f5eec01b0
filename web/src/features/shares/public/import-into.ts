import type { ConflictRule, EntryRecord } from '../../../../../client/src/client.ts';
import { ConflictDecisions } from '../../entries/conflicts/conflict-decisions.ts';

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
  directory: string,
  { filename, directory: isDirectory = false, size }: SharedEntry,
  act: (onConflict: ConflictRule) => Promise<EntryRecord>,
): Promise<EntryRecord> {
  return new ConflictDecisions(1).run({ name: filename, directory, isDirectory, size }, act);
}
