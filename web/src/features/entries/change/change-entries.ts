import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import type { ConflictRule, EntryRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { nameOf } from '../../../common/names/drive-paths.ts';
import { whileChanging } from '../../../common/running-changes.ts';
import { messages } from '../../../messages/i18n.ts';
import { frame, notify, notifyError, notifyText } from '../../../ui/notifications/notify.ts';
import { notifyWithAction } from '../../../ui/notifications/notify-with-action.tsx';
import { notifyWithUndo } from '../../../ui/notifications/notify-with-undo.ts';
import { clearLastUndo, setUndo } from '../../../ui/notifications/undo.ts';
import { findDriveName } from '../../drives/drive-names.ts';
import { findDriveId } from '../../drives/find-drive-id.ts';
import { askUser } from '../conflicts/ask-user.ts';
import type { ConflictDecisions } from '../conflicts/conflict-decisions.ts';
import { conflictIn, type NameConflict } from '../conflicts/conflict-questions.ts';
import { driveOf, placeOf } from '../drive-of.ts';
import { type Chosen, chosenOf } from '../entry-source.ts';
import type { DirectoryPlace } from '../find-entry.ts';
import { inTurn, MAX_CONCURRENT } from '../in-turn.ts';
import { updateFound } from './found-entries.ts';
import { dropEverywhere, dropListed, dropStarred, LISTS, renewLists } from './listed-entries.ts';
import { type MergeProgress, mergeFolder } from './merge-folders.ts';
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
  notifyWithUndo(describeChange('recycled', done), async () => {
    await change(queryClient, toChosen(done), {
      act: ({ id, driveId: drive }, onConflict) =>
        ask('POST /api/files/recycle-bin/{fileId}/restore', {
          path: { fileId: id },
          body: { onConflict },
          drive,
        }),
      conflictOf: (entry) => conflictIn(placeOf(entry), entry),
    });
  });
}

/**
 * Returns whether any entry was moved.
 * @param onShow opens the directory; undefined if the notice need not lead there
 */
export async function move(
  queryClient: QueryClient,
  chosen: ChosenEntries,
  target: DirectoryPlace,
  onShow: (() => void) | undefined,
): Promise<boolean> {
  const moved = new Map<number, EntryRecord>();
  const put = async (entry: EntryRecord, into: DirectoryPlace, onConflict: ConflictRule) => {
    const result = await copyOrMove('move', queryClient, entry, into, onConflict);
    moved.set(entry.id, result);
    updateFound(queryClient, result);
  };
  const done = await change(queryClient, chosen, {
    act: (entry, onConflict) => put(entry, target, onConflict),
    mergeInto: (entry, into, decisions, progress) =>
      mergeFolder(entry, into, { how: 'move', put, decisions, progress }),
    conflictOf: (entry) => conflictIn(target, entry),
    onBegin: (entries) => dropListed(queryClient, entries),
  });
  if (done.length === 0) return false;
  const undo = async () => {
    await change(queryClient, toChosen(done), {
      act: (entry, onConflict) => moveBack(queryClient, entry, moved.get(entry.id), onConflict),
      conflictOf: (entry) => conflictIn(placeOf(entry), entry),
    });
  };
  const next = onShow && { label: t('drive.showFolder'), onAct: onShow };
  const words = describeChange('moved', done, folderName(queryClient, target));
  // A merge cannot be undone: the folders would have to be separated again.
  if (done.every(({ id }) => moved.has(id))) notifyWithUndo(words, undo, next);
  else if (next === undefined) notify(words);
  else notifyWithAction(words, next.label, next.onAct);
  return true;
}

/** Undoes the move of an entry. */
async function moveBack(
  queryClient: QueryClient,
  entry: EntryRecord,
  moved: EntryRecord | undefined,
  onConflict: ConflictRule,
): Promise<void> {
  const { id, driveId: drive, filename } = entry;
  if (moved !== undefined && moved.driveId !== drive) {
    // The original is in the bin of its drive. The copy goes to the bin, as others may have changed it.
    await ask('POST /api/files/recycle-bin/{fileId}/restore', {
      path: { fileId: id },
      body: { onConflict },
      drive,
    });
    await ask('DELETE /api/files/{fileId}', { path: { fileId: moved.id }, drive: moved.driveId });
    return;
  }
  const back = await copyOrMove('move', queryClient, entry, placeOf(entry), onConflict);
  // The move had renamed it, because its name was taken in the other directory.
  const isRenamed = moved?.filename !== filename && back.filename !== filename;
  updateFound(queryClient, isRenamed ? await rename(entry, filename, 'RENAME') : back);
}

/**
 * Returns whether any entry was copied.
 * @param onShow opens the directory; undefined if the user sees it already
 */
export async function copy(
  queryClient: QueryClient,
  chosen: ChosenEntries,
  target: DirectoryPlace,
  onShow: (() => void) | undefined,
): Promise<boolean> {
  const copies: EntryRecord[] = [];
  const put = async (entry: EntryRecord, into: DirectoryPlace, onConflict: ConflictRule) => {
    // A copy in the directory of its original gets a number without asking.
    const isBeside = isInDrive(entry, into) && entry.parentPath === into.directory;
    copies.push(await copyOrMove('copy', queryClient, entry, into, isBeside ? 'RENAME' : onConflict));
  };
  const done = await change(queryClient, chosen, {
    act: (entry, onConflict) => put(entry, target, onConflict),
    mergeInto: (entry, into, decisions, progress) =>
      mergeFolder(entry, into, { how: 'copy', put, decisions, progress }),
    conflictOf: (entry) => conflictIn(target, entry),
  });
  if (done.length === 0) return false;
  const words = describeChange('copied', done, folderName(queryClient, target));
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
      copies.push(await copyOrMove('copy', queryClient, entry, placeOf(entry), 'RENAME'));
    },
  });
  if (done.length === 0) return;
  notifyWithUndo(describeChange('duplicated', done), () => void recycle(queryClient, toChosen(copies)));
}

/** Adds stars to entries, or removes them. */
export async function star(
  queryClient: QueryClient,
  chosen: ChosenEntries,
  isStarred: boolean,
): Promise<void> {
  await change(queryClient, chosen, {
    act: async ({ id, driveId: drive }) => {
      const call = { path: { fileId: id }, drive };
      updateFound(
        queryClient,
        await ask(`${isStarred ? 'PUT' : 'DELETE'} /api/v2/files/{fileId}/star`, call),
      );
    },
    onBegin: (entries) => {
      if (!isStarred) dropStarred(queryClient, entries);
    },
  });
}

const CALLS = {
  copy: { within: 'POST /api/files/{fileId}/copy', across: 'POST /api/v2/files/{fileId}/copy-to' },
  move: { within: 'PATCH /api/files/{fileId}/move', across: 'POST /api/v2/files/{fileId}/move-to' },
} as const;

/** Copies or moves an entry into a directory of its own drive or of another one. */
async function copyOrMove(
  how: keyof typeof CALLS,
  queryClient: QueryClient,
  entry: EntryRecord,
  target: DirectoryPlace,
  onConflict: ConflictRule,
): Promise<EntryRecord> {
  const { within, across } = CALLS[how];
  const call = { path: { fileId: entry.id }, drive: entry.driveId };
  const body = { path: target.directory, onConflict };
  if (isInDrive(entry, target)) return ask(within, { ...call, body });
  const driveId = await findDriveId(queryClient, target.drive);
  return ask(across, { ...call, body: { ...body, driveId } });
}

function isInDrive(entry: EntryRecord, { drive }: DirectoryPlace): boolean {
  return driveOf(entry) === drive;
}

interface Change<T> {
  readonly act: (entry: T, onConflict: ConflictRule) => Promise<unknown>;
  /** Describes the conflict if the name of an entry is taken. Omitted for changes that cannot conflict. */
  readonly conflictOf?: (entry: T) => NameConflict;
  /** Merges a folder into an existing one, which has its name. */
  readonly mergeInto?: (
    entry: T,
    into: DirectoryPlace,
    decisions: ConflictDecisions,
    progress: MergeProgress,
  ) => Promise<unknown>;
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
  { act, conflictOf, mergeInto, onBegin }: Change<T>,
): Promise<readonly T[]> {
  clearLastUndo();
  const progress = newProgress(chosen.count);
  try {
    const entries = await chosen.collect();
    if (onBegin !== undefined) {
      // A query that is already running would overwrite the expected result with the old state.
      await Promise.all(LISTS.map((queryKey) => queryClient.cancelQueries({ queryKey })));
      onBegin(entries);
    }
    const inFolders = askUser('list');
    const decisions = entries.length > 1 ? inFolders : askUser('one');
    const actOn = (entry: T) => {
      if (conflictOf === undefined) return act(entry, 'FAIL');
      const conflict = conflictOf(entry);
      const { drive, isDirectory } = conflict;
      return decisions.run<unknown>(
        conflict,
        (onConflict) => inTurn(() => act(entry, onConflict)),
        isDirectory && mergeInto
          ? ({ path }) => mergeInto(entry, { drive, directory: path }, inFolders, progress)
          : undefined,
      );
    };
    // Entries with taken names wait for the user, who decides about all of them together.
    const limit = conflictOf === undefined ? MAX_CONCURRENT : entries.length;
    const { done, failed, error } = await runForEach(entries, actOn, progress.settle, limit);
    if (failed.length > 0) {
      notifyError(error);
      if (entries.length > 1) {
        notifyText(t('drive.notAll', { count: failed.length, total: entries.length }));
      }
    }
    await renewLists(queryClient);
    return done;
  } catch (error) {
    notifyError(error);
    return [];
  } finally {
    progress.end();
  }
}

/** A notice with the progress, if there are many entries. Those of merged folders count as well. */
function newProgress(count: number) {
  let [settled, total] = [0, 0];
  let id: string | undefined;
  const text = () => t('drive.progress', { done: settled, count: total });
  const expect = (more: number) => {
    total += more;
    if (id === undefined && total >= MANY) {
      const looks = { loading: true, autoClose: false, withCloseButton: false };
      id = notifications.show({ ...frame('neutral'), message: text(), ...looks });
    }
  };
  expect(count);
  return {
    expect,
    settle: () => {
      settled += 1;
      if (id !== undefined && settled % MANY === 0) notifications.update({ id, message: text() });
    },
    end: () => {
      if (id !== undefined) notifications.hide(id);
    },
  };
}

type ChangeName = 'recycled' | 'moved' | 'copied' | 'duplicated';

function describeChange(changeName: ChangeName, entries: readonly EntryRecord[], folder = ''): string {
  return t(`drive.did.${changeName}`, { count: entries.length, name: entries[0]?.filename ?? '', folder });
}

/** The name of a directory; of a root, that of its drive. */
function folderName(queryClient: QueryClient, { drive, directory }: DirectoryPlace): string {
  return nameOf(directory) || findDriveName(queryClient, drive);
}

function toChosen(entries: readonly EntryRecord[]): ChosenEntries {
  return { ...chosenOf(entries), only: undefined };
}
