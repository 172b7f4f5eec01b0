import type { QueryClient } from '@tanstack/react-query';
import type { ConflictRule, EntryRecord, TaskRecord } from '../../../../../client/src/client.ts';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { ask } from '../../../api/ask.ts';
import type { DriveId } from '../../../api/in-drive.ts';
import { KEYS } from '../../../api/keys.ts';
import { freeName } from '../../../common/names/free-name.ts';
import { messages } from '../../../messages/i18n.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';
import { notifyWithAction } from '../../../ui/notifications/notify-with-action.tsx';
import type { NameEncoding } from '../archive-listing.ts';
import { driveOf } from '../drive-of.ts';
import { stemLength } from '../entry-kind.ts';
import type { Chosen } from '../entry-source.ts';
import { watchTask } from './queued-tasks.ts';
import { noticeOfTask } from './task-notice.ts';

// Starts background tasks for entries.

type ChosenEntries = Chosen<EntryRecord>;
const t = messages.t.bind(messages);

/** How many names are tried before the user is told that the name is taken. */
const MAX_NAMES = 50;

/**
 * Packs all entries into one archive with this name, in the directory of the first entry.
 * @param entries at least one, all of one drive @throws HoldallError
 */
export async function compress(
  queryClient: QueryClient,
  entries: readonly EntryRecord[],
  name: string,
  onShow: (drive: DriveId) => void,
): Promise<void> {
  const [first] = entries;
  if (first === undefined) return;
  const task = await queueArchive(entries, first, /\.zip$/i.test(name) ? name : `${name}.zip`);
  watchTask(task.id, driveOf(first));
  const did = t('drive.did.compressing', { count: entries.length, name: first.filename });
  notifyWithAction(did, t('drive.showTasks'), () => onShow(driveOf(first)), {
    kind: 'neutral',
    id: noticeOfTask(task.id),
  });
  await queryClient.invalidateQueries({ queryKey: KEYS.tasks() });
}

/** Adds a number if the name is taken, so an archive never replaces anything. @throws HoldallError */
async function queueArchive(
  entries: readonly EntryRecord[],
  { parentPath: path, driveId: drive }: EntryRecord,
  name: string,
): Promise<TaskRecord> {
  const fileIds = entries.map(({ id }) => id);
  const taken = new Set<string>();
  for (let candidate = name; ; candidate = freeName(name, taken)) {
    try {
      return await ask('POST /api/v2/tasks/archive', { body: { fileIds, path, name: candidate }, drive });
    } catch (error) {
      if (!(error instanceof HoldallError && error.status === 409) || taken.size === MAX_NAMES) throw error;
      taken.add(candidate);
    }
  }
}

/** Where archives are extracted: into the directory of each archive, or into a new folder for each. */
export type ExtractPlace = 'here' | 'folder';

export interface ExtractOptions {
  readonly place: ExtractPlace;
  /** The encoding of names that are not marked as UTF-8; undefined to let the service guess it. */
  readonly encoding?: NameEncoding | undefined;
}

/** Unpacks each archive. Reports the result to the user and never throws. */
export async function extract(
  queryClient: QueryClient,
  chosen: ChosenEntries,
  { place, encoding }: ExtractOptions,
  onShow: (drive: DriveId) => void,
): Promise<void> {
  try {
    const entries = await chosen.collect();
    const [first] = entries;
    let last: TaskRecord | undefined;
    for (const entry of entries) {
      last = await queueExtract(entry, place, encoding);
      watchTask(last.id, driveOf(entry));
    }
    const did = t('drive.did.extracting', { count: entries.length, name: first?.filename ?? '' });
    const show = () => onShow(first === undefined ? undefined : driveOf(first));
    notifyWithAction(did, t('drive.showTasks'), show, {
      kind: 'neutral',
      ...(last && { id: noticeOfTask(last.id) }),
    });
  } catch (error) {
    notifyError(error);
  }
  await queryClient.invalidateQueries({ queryKey: KEYS.tasks() });
}

/** If its name is taken, a new folder gets a number. Next to the archive, nothing is replaced or renamed. */
function queueExtract(
  entry: EntryRecord,
  place: ExtractPlace,
  encoding: NameEncoding | undefined,
): Promise<TaskRecord> {
  const { id, path, filename, driveId: drive } = entry;
  const onConflict: ConflictRule = place === 'folder' ? 'RENAME' : 'FAIL';
  // The name without its extension.
  const folder = place === 'folder' ? filename.slice(0, stemLength(entry)) : undefined;
  const body = { fileId: id, path, onConflict, folder, encoding };
  return ask('POST /api/v2/tasks/extract', { body, drive });
}

interface ExtractSome {
  /** Paths in the archive, without the slash of folders. */
  readonly entries: readonly string[];
  /** The directory that gets them, in the drive of the archive. */
  readonly into: string;
  readonly encoding: NameEncoding | undefined;
}

/**
 * Takes files and folders out of an archive. If a name is taken, they get a number. Reports the result to the
 * user and never throws.
 */
export async function extractSome(
  queryClient: QueryClient,
  { id: fileId, path, filename: name, ...archive }: EntryRecord,
  { entries, into, encoding }: ExtractSome,
  onShow: (drive: DriveId) => void,
): Promise<void> {
  try {
    const body = { fileId, path, entries: [...entries], into, encoding, onConflict: 'RENAME' as const };
    const { id } = await ask('POST /api/v2/tasks/extract', { body, drive: archive.driveId });
    watchTask(id, driveOf(archive));
    const did = t('drive.did.extracting', { count: 1, name });
    const show = () => onShow(driveOf(archive));
    notifyWithAction(did, t('drive.showTasks'), show, { kind: 'neutral', id: noticeOfTask(id) });
  } catch (error) {
    notifyError(error);
  }
  await queryClient.invalidateQueries({ queryKey: KEYS.tasks() });
}
