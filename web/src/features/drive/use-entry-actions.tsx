import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../api/contract.ts';
import { isWithin, parentOf, ROOT, toDirectory } from '../../common/drive-paths.ts';
import type { Chosen } from '../entries/entry-source.ts';
import type { EntryAction } from './entry-actions.ts';

// Actions are loaded when they are first used, because opening a folder should wait only for its list.
const changes = () => import('../entries/change/change-entries.ts');
const downloads = () => import('./download-entries.ts');
const FolderPicker = lazy(async () => ({
  default: (await import('../entries/folder-picker/folder-picker.tsx')).FolderPicker,
}));
const ShareDialog = lazy(async () => ({
  default: (await import('../shares/links/share-dialog.tsx')).ShareDialog,
}));
const DetailsPanel = lazy(async () => ({
  default: (await import('../details/details-panel.tsx')).DetailsPanel,
}));
const Preview = lazy(async () => ({ default: (await import('../preview/preview.tsx')).Preview }));

type Dialog =
  | { readonly kind: 'share'; readonly entry: EntryRecord }
  | { readonly kind: 'details'; readonly entry: EntryRecord }
  | { readonly kind: 'move' | 'copy'; readonly chosen: Chosen<EntryRecord> }
  | { readonly kind: 'preview'; readonly entries: readonly EntryRecord[]; readonly at: number };

interface ActionsOptions {
  /** The loaded neighbours of an entry, to go forward and back in the preview. */
  readonly around: (entry: EntryRecord) => readonly EntryRecord[];
  readonly onRename: (entry: EntryRecord) => void;
  /** Called when the preview shows another entry. */
  readonly onSeen: (entry: EntryRecord) => void;
  /** Called after a dialog, to restore the focus. */
  readonly onClosed: () => void;
  /** Called when entries have left the list. */
  readonly onGone: () => void;
}

interface EntryActions {
  readonly act: (action: EntryAction, chosen: Chosen<EntryRecord>) => void;
  readonly open: (entry: EntryRecord) => void;
  readonly moveInto: (directory: string, chosen: Chosen<EntryRecord>, isCopy: boolean) => void;
  /** Called to scroll to an entry. */
  readonly dialogs: ReactNode;
}

/** Performs the user's actions on entries and shows their dialogs. */
export function useEntryActions(options: ActionsOptions): EntryActions {
  const { around, onRename, onSeen, onClosed, onGone } = options;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialog>();
  const [isPending, setPending] = useState(false);
  const close = () => {
    setDialog(undefined);
    requestAnimationFrame(onClosed);
  };

  const open = (entry: EntryRecord) => {
    if (entry.directory) return void navigate(toDirectory(entry.path));
    const entries = around(entry).filter(({ directory }) => !directory);
    const at = entries.findIndex(({ id }) => id === entry.id);
    setDialog(at < 0 ? { kind: 'preview', entries: [entry], at: 0 } : { kind: 'preview', entries, at });
  };
  const moveInto = async (directory: string, chosen: Chosen<EntryRecord>, isCopy: boolean) => {
    setPending(true);
    const show = () => void navigate(toDirectory(directory));
    const { copy, move } = await changes();
    const isDone = isCopy
      ? await copy(queryClient, chosen, directory, show)
      : await move(queryClient, chosen, directory);
    setPending(false);
    if (!isDone) return;
    setDialog(undefined);
    onClosed();
    if (!isCopy) onGone();
  };
  const startTasks = (kind: 'archive' | 'extract', chosen: Chosen<EntryRecord>) => {
    const show = () => void navigate({ to: '/tasks' });
    void changes().then((change) => change.startTasks(queryClient, chosen, kind, show));
  };

  const act = (action: EntryAction, chosen: Chosen<EntryRecord>) => {
    const { only } = chosen;
    if (action === 'download') void downloads().then(({ download }) => download(chosen));
    else if (action === 'move' || action === 'copy') setDialog({ kind: action, chosen });
    else if (action === 'compress') startTasks('archive', chosen);
    else if (action === 'extract') startTasks('extract', chosen);
    else if (action === 'recycle') {
      onGone();
      void changes().then(({ recycle }) => recycle(queryClient, chosen));
    } else if (only === undefined) return;
    else if (action === 'open') open(only);
    else if (action === 'rename') onRename(only);
    else if (action === 'share' || action === 'details') setDialog({ kind: action, entry: only });
    else void navigate({ ...toDirectory(only.parentPath), search: { select: only.id } });
  };

  const onMove = (entries: readonly EntryRecord[], at: number) => {
    setDialog({ kind: 'preview', entries, at });
    const entry = entries[at];
    if (entry !== undefined) onSeen(entry);
  };
  return {
    act,
    open,
    moveInto: (directory, chosen, isCopy) => void moveInto(directory, chosen, isCopy),
    dialogs: dialog !== undefined && (
      <Suspense fallback={null}>
        <ActionDialog
          dialog={dialog}
          isPending={isPending}
          onMove={onMove}
          onPick={(directory, chosen, isCopy) => void moveInto(directory, chosen, isCopy)}
          onClose={close}
        />
      </Suspense>
    ),
  };
}

interface ActionDialogProps {
  readonly dialog: Dialog;
  /** Entries are being moved or copied. */
  readonly isPending: boolean;
  /** Shows another entry in the preview. */
  readonly onMove: (entries: readonly EntryRecord[], at: number) => void;
  readonly onPick: EntryActions['moveInto'];
  readonly onClose: () => void;
}

/** The dialog of an action. */
function ActionDialog({ dialog, isPending, onMove, onPick, onClose }: ActionDialogProps) {
  const { t } = useTranslation();
  if (dialog.kind === 'share') return <ShareDialog entry={dialog.entry} onClose={onClose} />;
  if (dialog.kind === 'details') return <DetailsPanel entry={dialog.entry} onClose={onClose} />;
  if (dialog.kind === 'preview') {
    const { entries, at } = dialog;
    return <Preview entries={entries} at={at} onMove={(next) => onMove(entries, next)} onClose={onClose} />;
  }
  const { kind, chosen } = dialog;
  const { only } = chosen;
  return (
    <FolderPicker
      title={t(kind === 'move' ? 'drive.moveTitle' : 'drive.copyTitle', {
        count: chosen.count,
        name: only?.filename ?? '',
      })}
      action={t(kind === 'move' ? 'drive.moveHere' : 'drive.copyHere')}
      isPending={isPending}
      startAt={only === undefined ? ROOT : parentOf(only.path)}
      isClosed={(path) => only?.directory === true && isWithin(path, only.path)}
      isUseless={(path) => only !== undefined && parentOf(only.path) === path}
      onPick={(path) => onPick(path, chosen, kind === 'copy')}
      onClose={onClose}
    />
  );
}
