import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { ask } from '../../../api/ask.ts';
import type { EntryRecord, TaskRecord } from '../../../api/contract.ts';
import { KEYS } from '../../../api/keys.ts';
import { nameOf } from '../../../common/drive-paths.ts';
import { messages } from '../../../messages/i18n.ts';
import { frame, tellError } from '../../../ui/tell.ts';
import { tellWithAction } from '../../../ui/tell-with-action.tsx';
import type { Chosen } from '../entry-source.ts';
import { actOnEach } from './act-on-each.ts';
import { dropListed, renewLists } from './listed-entries.ts';

// Changes to entries. Each reports its result and never throws.

type Chose = Chosen<EntryRecord>;
const t = messages.t.bind(messages);

/** From this number of entries on, progress is shown. */
const MANY = 25;

/** Moves entries to the recycle bin, with a button that restores them. */
export async function recycle(queryClient: QueryClient, chosen: Chose): Promise<void> {
  const done = await change(queryClient, chosen, {
    act: ({ id }) => ask('DELETE', `/api/files/${id}`),
    onBegin: (entries) => dropListed(queryClient, entries),
  });
  if (done.length === 0) return;
  tellWithAction(sayOf('recycled', done), t('drive.undo'), async () => {
    await change(queryClient, ofThese(done), {
      act: ({ id }) => ask('POST', `/api/files/recycle-bin/${id}/restore`),
    });
  });
}

/** Returns whether any entry was moved. */
export async function move(queryClient: QueryClient, chosen: Chose, directory: string): Promise<boolean> {
  const done = await change(queryClient, chosen, {
    act: ({ id }) => ask('PATCH', `/api/files/${id}/move`, { body: { path: directory } }),
    onBegin: (entries) => dropListed(queryClient, entries),
  });
  if (done.length === 0) return false;
  tellWithAction(sayOf('moved', done, directory), t('drive.undo'), async () => {
    await change(queryClient, ofThese(done), {
      act: ({ id, parentPath }) => ask('PATCH', `/api/files/${id}/move`, { body: { path: parentPath } }),
    });
  });
  return true;
}

export async function copy(
  queryClient: QueryClient,
  chosen: Chose,
  directory: string,
  onShow: () => void,
): Promise<boolean> {
  const done = await change(queryClient, chosen, {
    act: ({ id }) => ask('POST', `/api/files/${id}/copy`, { body: { path: directory } }),
  });
  if (done.length > 0) tellWithAction(sayOf('copied', done, directory), t('drive.showFolder'), onShow);
  return done.length > 0;
}

/** Starts a background task for each entry. */
export async function startTasks(
  queryClient: QueryClient,
  chosen: Chose,
  kind: 'archive' | 'extract',
  onShow: () => void,
): Promise<void> {
  const done = await change(queryClient, chosen, {
    act: ({ id, path }) => ask<TaskRecord>('POST', `/api/v2/tasks/${kind}`, { body: { fileId: id, path } }),
  });
  void queryClient.invalidateQueries({ queryKey: KEYS.tasks() });
  if (done.length > 0) {
    tellWithAction(
      sayOf(kind === 'archive' ? 'compressing' : 'extracting', done),
      t('drive.showTasks'),
      onShow,
    );
  }
}

interface Change<T> {
  readonly act: (entry: T) => Promise<unknown>;
  /** Shows the expected result at once. The list is refetched afterwards, which undoes what failed. */
  readonly onBegin?: (entries: readonly T[]) => void;
}

/** Applies the change to each entry and reports errors; returns the entries that succeeded. Never throws. */
export async function change<T>(
  queryClient: QueryClient,
  chosen: Chosen<T>,
  { act, onBegin }: Change<T>,
): Promise<readonly T[]> {
  const progress = chosen.count >= MANY ? showProgress(chosen.count) : undefined;
  try {
    const entries = await chosen.collect();
    if (onBegin !== undefined) {
      // A running query was sent before the change and would undo the expected result.
      await Promise.all(
        [KEYS.entries(), KEYS.bin()].map((queryKey) => queryClient.cancelQueries({ queryKey })),
      );
      onBegin(entries);
    }
    const { done, failed, error } = await actOnEach(entries, act, progress?.tell);
    if (failed.length > 0) {
      tellError(error);
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
    tellError(error);
    return [];
  } finally {
    progress?.end();
  }
}

function showProgress(total: number) {
  const say = (settled: number) => t('drive.progress', { done: settled, count: total });
  const id = notifications.show({
    ...frame(),
    message: say(0),
    loading: true,
    autoClose: false,
    withCloseButton: false,
  });
  return {
    tell: (settled: number) => {
      if (settled % MANY === 0) notifications.update({ id, message: say(settled) });
    },
    end: () => notifications.hide(id),
  };
}

type Word = 'recycled' | 'moved' | 'copied' | 'compressing' | 'extracting';

function sayOf(word: Word, entries: readonly EntryRecord[], directory = ''): string {
  return t(`drive.did.${word}`, {
    count: entries.length,
    name: entries[0]?.filename ?? '',
    folder: nameOf(directory) || t('nav.drive'),
  });
}

function ofThese(entries: readonly EntryRecord[]): Chose {
  return { count: entries.length, only: undefined, collect: async () => entries };
}
