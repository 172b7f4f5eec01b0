import type { EntryRecord } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import type { DriveId } from '../../api/in-drive.ts';
import type { EntrySource } from './entry-source.ts';

/**
 * How many entries are searched on each side of the first match, because other names with the same prefix may
 * come first.
 */
const NEAR = 100;

interface SoughtEntry {
  readonly id: number;
  readonly drive: DriveId;
}

/**
 * The index of an entry in a partly loaded list; undefined if the entry is not in the list. A list that can
 * search for names reads only a small part for this. Any other list reads all its entries.
 * @throws HoldallError
 */
export async function findIndex(
  { id, drive }: SoughtEntry,
  source: EntrySource<EntryRecord>,
): Promise<number | undefined> {
  const loaded = source.indexOf(id);
  if (loaded !== undefined) return loaded;
  return (await findByName({ id, drive }, source)) ?? (await findIn(id, source, 0, source.total - 1));
}

async function findByName(
  { id, drive }: SoughtEntry,
  source: EntrySource<EntryRecord>,
): Promise<number | undefined> {
  if (source.findByPrefix === undefined) return undefined;
  const { filename } = await ask('GET /api/v2/files/{fileId}', { path: { fileId: id }, drive });
  const first = await source.findByPrefix(filename);
  return first === undefined ? undefined : findIn(id, source, first - NEAR, first + NEAR);
}

async function findIn(
  id: number,
  source: EntrySource<EntryRecord>,
  from: number,
  to: number,
): Promise<number | undefined> {
  const first = Math.max(0, from);
  const entries = await source.collect(first, Math.min(source.total - 1, to));
  const at = entries.findIndex((entry) => entry.id === id);
  return at < 0 ? undefined : first + at;
}
