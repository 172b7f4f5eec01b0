import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EntryRecord } from '../../api/contract.ts';
import { Later } from '../../common/timing/later.ts';
import { notifyError } from '../../ui/notifications/notify.ts';
import { editListed, renewLists } from '../entries/change/listed-entries.ts';
import type { EntrySource } from '../entries/entry-source.ts';
import type { Renaming } from '../entries/grid/column.ts';

// Loaded when it is first used, because opening a folder should wait only for its list.
const changes = new Later(() => import('../entries/change/rename-entry.ts')).get;

/** Renames an entry in its place in the list. A name that was refused stays in the field. */
export function useRename(source: EntrySource<EntryRecord>, focus: () => void) {
  const queryClient = useQueryClient();
  const [state, setState] = useState<{ readonly id: number; readonly name?: string }>();
  const onRename = async (name: string) => {
    const entry = state === undefined ? undefined : source.at(source.indexOf(state.id) ?? -1);
    setState(undefined);
    focus();
    if (entry === undefined) return;
    editListed(queryClient, entry.parentPath, (other) =>
      other.id === entry.id ? { ...other, filename: name } : other,
    );
    try {
      const { renameEntry } = await changes();
      if (!(await renameEntry(queryClient, entry, name))) setState({ id: entry.id, name });
    } catch (error) {
      notifyError(error);
      setState({ id: entry.id, name });
    }
    await renewLists(queryClient);
  };
  const onCancel = () => {
    setState(undefined);
    focus();
  };
  const renaming: Renaming | undefined = state && {
    id: state.id,
    name: state.name,
    onRename: (name) => void onRename(name),
    onCancel,
  };
  return { startRename: (id: number) => setState({ id }), renaming };
}
