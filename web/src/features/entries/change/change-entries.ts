import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import type { ConflictRule, EntryRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { nameOf } from '../../../common/names/drive-paths.ts';
import { whileChanging } from '../../../common/running-changes.ts';
import { messages } from '../../../messages/i18n.ts';
import { frame, notifyError } from '../../../ui/notifications/notify.ts';
import { notifyWithAction } from '../../../ui/notifications/notify-with-action.tsx';
import { notifyWithUndo } from '../../../ui/notifications/notify-with-undo.ts';
import { clearLastUndo, setUndo } from '../../../ui/notifications/undo.ts';
import { findDriveName } from '../../drives/use-drive.ts';
import { ConflictDecisions } from '../conflicts/conflict-decisions.ts';
import { conflictIn, type NameConflict } from '../conflicts/conflict-questions.ts';
import { type Chosen, chosenOf } from '../entry-source.ts';
import { dropEverywhere, dropListed, dropStarred, LISTS, renewLists } from './listed-entries.ts';
import { rename } from './rename-entry.ts';
import { runForEach } from './run-for-each.ts';

// Changes to entries. Each function reports the result to the user and never throws.

type ChosenEntries = Chosen<EntryRecord>;
const t = messages.t.bind(messages);

/** Changes of at least this many entries show their progress. */
const MANY = 25;

/** Moves entries to the recycle bin, with a button that restores them. */
export async function recycle(queryClient: QueryClient, chosen: ChosenEntries): Promise<void> {
  const done = await change(queryClient, chosen, {
    act: ({ id, driveId: drive }) => ask('DELETE /api/files/{fileId}', { path: { fileId: id }, drive }),
    onBegin: (entries) => dropEverywhere(queryClient, entries),
  });
  if (done.length === 0) return;
  notifyWithUndo(describeChange(queryClient, 'recycled', done), async () => {
    await change(queryClient, toChosen(done), {
      act: ({ id, driveId: drive }, onConflict) =>
        ask('POST /api/files/recycle-bin/{fileId}/restore', {
          path: { fileId: id },
          body: { onConflict },
          drive,
        }),
      conflictOf: (entry) => conflictIn(entry.parentPath, entry),
    });
  });
}

/** Returns whether any entry was moved. */
export async function move(
  queryClient: QueryClient,
  chosen: ChosenEntries,
  directory: string,
): Promise<boolean> {
  const moved = new Map<number, EntryRecord>();
  const done = await change(queryClient, chosen, {
    act: async (entry, onConflict) => {
      moved.set(entry.id, await moveTo(entry, directory, onConflict));
    },
    conflictOf: (entry) => conflictIn(directory, entry),
    onBegin: (entries) => dropListed(queryClient, entries),
  });
  if (done.length === 0) return false;
  notifyWithUndo(describeChange(queryClient, 'moved', done, directory), async () => {
    await change(queryClient, toChosen(done), {
      act: async (entry, onConflict) => {
        const { id, parentPath, filename } = entry;
        const back = await moveTo(entry, parentPath, onConflict);
        // The move had renamed it, because its name was taken in the other directory.
        if (moved.get(id)?.filename !== filename && back.filename !== filename)
          await rename(entry, filename, 'RENAME');
      },
      conflictOf: (entry) => conflictIn(entry.parentPath, entry),
    });
  });
  return true;
}

/**
 * Returns whether any entry was copied.
 * @param onShow opens the directory; undefined if the user sees it already
 */
export async function copy(
  queryClient: QueryClient,
  chosen: ChosenEntries,
  directory: string,
  onShow: (() => void) | undefined,
): Promise<boolean> {
  const copies: EntryRecord[] = [];
  const done = await change(queryClient, chosen, {
    // A copy in the directory of its original gets a number without asking.
    act: async (entry, onConflict) => {
      const rule = entry.parentPath === directory ? 'RENAME' : onConflict;
      copies.push(await copyTo(entry, directory, rule));
    },
    conflictOf: (entry) => conflictIn(directory, entry),
  });
  if (done.length === 0) return false;
  const words = describeChange(queryClient, 'copied', done, directory);
  const undo = () => void recycle(queryClient, toChosen(copies));
  if (onShow === undefined) notifyWithUndo(words, undo);
  else {
    notifyWithAction(words, t('drive.showFolder'), onShow);
    setUndo(undo);
  }
  return true;
}

/** Copies each entry within its directory, under the next free numbered name. */
export async function duplicate(queryClient: QueryClient, chosen: ChosenEntries): Promise<void> {
  const copies: EntryRecord[] = [];
  const done = await change(queryClient, chosen, {
    act: async (entry) => {
      copies.push(await copyTo(entry, entry.parentPath, 'RENAME'));
    },
  });
  if (done.length === 0) return;
  notifyWithUndo(
    describeChange(queryClient, 'duplicated', done),
    () => void recycle(queryClient, toChosen(copies)),
  );
}

/** Adds stars to entries, or removes them. */
export async function star(
  queryClient: QueryClient,
  chosen: ChosenEntries,
  isStarred: boolean,
): Promise<void> {
  await change(queryClient, chosen, {
    act: ({ id, driveId: drive }) =>
      ask(`${isStarred ? 'PUT' : 'DELETE'} /api/v2/files/{fileId}/star`, { path: { fileId: id }, drive }),
    onBegin: (entries) => {
      if (!isStarred) dropStarred(queryClient, entries);
    },
  });
}

function copyTo(
  { id, driveId: drive }: EntryRecord,
  directory: string,
  onConflict: ConflictRule,
): Promise<EntryRecord> {
  return ask('POST /api/files/{fileId}/copy', {
    path: { fileId: id },
    body: { path: directory, onConflict },
    drive,
  });
}

function moveTo(
  { id, driveId: drive }: EntryRecord,
  directory: string,
  onConflict: ConflictRule,
): Promise<EntryRecord> {
  return ask('PATCH /api/files/{fileId}/move', {
    path: { fileId: id },
    body: { path: directory, onConflict },
    drive,
  });
}

interface Change<T> {
  readonly act: (entry: T, onConflict: ConflictRule) => Promise<unknown>;
  /** Describes the conflict if the name of an entry is taken. Omitted for changes that cannot conflict. */
  readonly conflictOf?: (entry: T) => NameConflict;
  /**
   * Shows the expected result immediately. The list is refetched afterwards, which reverts failed changes.
   */
  readonly onBegin?: (entries: readonly T[]) => void;
}

/**
 * Applies the change to each entry, asks the user about taken names, and reports errors. Returns the entries
 * that succeeded. Never throws.
 */
export function change<T>(
  queryClient: QueryClient,
  chosen: Chosen<T>,
  parts: Change<T>,
): Promise<readonly T[]> {
  return whileChanging(() => changeEach(queryClient, chosen, parts));
}

async function changeEach<T>(
  queryClient: QueryClient,
  chosen: Chosen<T>,
  { act, conflictOf, onBegin }: Change<T>,
): Promise<readonly T[]> {
  clearLastUndo();
  const progress = chosen.count >= MANY ? showProgress(chosen.count) : undefined;
  try {
    const entries = await chosen.collect();
    if (onBegin !== undefined) {
      // A query that is already running would overwrite the expected result with the old state.
      await Promise.all(LISTS.map((queryKey) => queryClient.cancelQueries({ queryKey })));
      onBegin(entries);
    }
    const decisions = new ConflictDecisions(entries.length);
    const actOn = (entry: T) =>
      conflictOf === undefined
        ? act(entry, 'FAIL')
        : decisions.run(conflictOf(entry), (onConflict) => act(entry, onConflict));
    const { done, failed, error } = await runForEach(entries, actOn, progress?.report);
    if (failed.length > 0) {
      notifyError(error);
      if (entries.length > 1) {
        notifications.show({
          ...frame(),
          color: 'red',
          message: t('drive.notAll', { count: failed.length, total: entries.length }),
        });
      }
    }
    await renewLists(queryClient);
    return done;
  } catch (error) {
    notifyError(error);
    return [];
  } finally {
    progress?.end();
  }
}

function showProgress(total: number) {
  const progressText = (settled: number) => t('drive.progress', { done: settled, count: total });
  const id = notifications.show({
    ...frame(),
    message: progressText(0),
    loading: true,
    autoClose: false,
    withCloseButton: false,
  });
  return {
    report: (settled: number) => {
      if (settled % MANY === 0) notifications.update({ id, message: progressText(settled) });
    },
    end: () => notifications.hide(id),
  };
}

type ChangeName = 'recycled' | 'moved' | 'copied' | 'duplicated';

function describeChange(
  queryClient: QueryClient,
  changeName: ChangeName,
  entries: readonly EntryRecord[],
  directory = '',
): string {
  return t(`drive.did.${changeName}`, {
    count: entries.length,
    name: entries[0]?.filename ?? '',
    folder: nameOf(directory) || findDriveName(queryClient, entries[0]?.driveId),
  });
}

function toChosen(entries: readonly EntryRecord[]): ChosenEntries {
  return { ...chosenOf(entries), only: undefined };
}
