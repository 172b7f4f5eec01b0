import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { LazyModule } from '../../common/timing/lazy-module.ts';
import { messages } from '../../messages/i18n.ts';
import { notifyError, notifyText } from '../../ui/notifications/notify.ts';
import { editListed, renewLists } from '../entries/change/listed-entries.ts';
import type { EntrySource } from '../entries/entry-source.ts';
import type { Renaming, TypedName } from '../entries/grid/column.ts';

// Loaded when first used, so that opening a folder waits only for its list.
const changes = new LazyModule(() => import('../entries/change/rename-entry.ts')).get;

interface RenameState {
  readonly id: number;
  readonly entry: EntryRecord | undefined;
  /** A name that was rejected. */
  readonly name?: string;
  readonly typed: TypedName;
}

/** Renames an entry in place in the list. A rejected name stays in the field. */
export function useRename(source: EntrySource<EntryRecord>, focus: () => void) {
  const queryClient = useQueryClient();
  const [state, setState] = useState<RenameState>();
  // Known only once the whole list is loaded: the entry may just have left the loaded part.
  const isGone =
    state?.entry !== undefined &&
    source.whole !== undefined &&
    source.indexOf(state.id) === undefined &&
    source.isFolded?.(state.id) !== true;
  useEffect(() => {
    if (!isGone || state?.entry === undefined) return;
    const { entry, name, typed } = state;
    const text = typed.text ?? name ?? entry.filename;
    setState(undefined);
    if (text !== entry.filename) notifyText(messages.t('drive.renamedGone', { name: entry.filename, text }));
  }, [isGone, state]);
  const onRename = async (name: string) => {
    // The entry may have left the loaded part of the list since.
    const entry = state && (source.at(source.indexOf(state.id) ?? -1) ?? state.entry);
    setState(undefined);
    focus();
    if (entry === undefined) return;
    editListed(queryClient, entry.parentPath, (other) =>
      other.id === entry.id ? { ...other, filename: name } : other,
    );
    try {
      const { renameEntry } = await changes();
      if (!(await renameEntry(queryClient, entry, name))) setState({ id: entry.id, entry, name, typed: {} });
    } catch (error) {
      notifyError(error);
      setState({ id: entry.id, entry, name, typed: {} });
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
    typed: state.typed,
    onRename: (name) => void onRename(name),
    onCancel,
  };
  const startRename = (id: number) => setState({ id, entry: source.at(source.indexOf(id) ?? -1), typed: {} });
  return { startRename, renaming };
}
