import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import type { DriveId } from '../../../api/in-drive.ts';
import { isWithin, parentOf, ROOT, toDirectory } from '../../../common/names/drive-paths.ts';
import { LazyModule } from '../../../common/timing/lazy-module.ts';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { DriveContext, useDriveId } from '../../drives/use-drive.ts';
import type { ExtractOptions } from '../../entries/change/archive-tasks.ts';
import { driveOf } from '../../entries/drive-of.ts';
import { type Chosen, chosenOf, type EntrySource } from '../../entries/entry-source.ts';
import type { DirectoryPlace } from '../../entries/find-entry.ts';
import { stopCountingSizes, wantSizes } from '../../entries/folder-size/wanted-sizes.ts';
import type { EntryAction } from './entry-actions.ts';
import { usePreview } from './use-preview.tsx';

// Actions are loaded when first used, so that opening a folder waits only for its list.
const photos = new LazyModule(() => import('./leave-out-of-photos.ts')).get;
const changes = new LazyModule(() => import('../../entries/change/change-entries.ts')).get;
const archives = new LazyModule(() => import('../../entries/change/archive-tasks.ts')).get;
const downloads = new LazyModule(() => import('./download-entries.ts')).get;
const together = new LazyModule(() => import('../../entries/change/collect-together.ts')).get;
const transfers = new LazyModule(() => import('./send-entries.ts')).get;
const FolderPicker = lazyPart(
  async () => (await import('../../entries/folder-picker/folder-picker.tsx')).FolderPicker,
);
const ShareDialog = lazyPart(async () => (await import('../../shares/share-dialog.tsx')).ShareDialog);
const ShareTogetherDialog = lazyPart(
  async () => (await import('./share-together-dialog.tsx')).ShareTogetherDialog,
);
const archiveNames = new LazyModule(() => import('../../entries/archive-name.ts')).get;
const CompressDialog = lazyPart(
  async () => (await import('../../entries/change/compress-dialog.tsx')).CompressDialog,
);
const ExtractDialog = lazyPart(
  async () => (await import('../../entries/change/extract-dialog.tsx')).ExtractDialog,
);
const ShareWithPeopleDialog = lazyPart(
  async () => (await import('../../people/share-with-people-dialog.tsx')).ShareWithPeopleDialog,
);
const ActivityPanel = lazyPart(async () => (await import('../../activity/activity-panel.tsx')).ActivityPanel);
const DetailsPanel = lazyPart(async () => (await import('../../details/details-panel.tsx')).DetailsPanel);

/** Excludes renaming, because the user types the new name in the list itself. */
type Act = Exclude<EntryAction, 'rename'>;

type Dialog =
  | { readonly kind: 'share' | 'sharePeople' | 'activity'; readonly entry: EntryRecord }
  | { readonly kind: 'details' | 'extractWith'; readonly entry: EntryRecord }
  | { readonly kind: 'compress'; readonly chosen: Chosen<EntryRecord>; readonly name: string }
  | { readonly kind: 'move' | 'copy' | 'shareTogether'; readonly chosen: Chosen<EntryRecord> };

interface ActionsOptions {
  /** The folder that contains all entries of the list, if there is one. */
  readonly directory: string | undefined;
  /** The list whose files the preview pages through. */
  readonly source: EntrySource<EntryRecord>;
  /** Called when the preview shows another entry. */
  readonly onSeen: (entry: EntryRecord) => void;
  /** Called after a dialog, to restore the focus. */
  readonly onClosed: () => void;
  /** Called when entries have left the list. */
  readonly onGone: () => void;
}

interface EntryActions {
  readonly act: (action: Act, chosen: Chosen<EntryRecord>) => void;
  readonly open: (entry: EntryRecord) => void;
  readonly moveInto: (target: DirectoryPlace, chosen: Chosen<EntryRecord>, isCopy: boolean) => void;
  /** Whether the entry is being moved in the open dialog. */
  readonly isMoving: (id: number) => boolean;
  /** The open dialog, and the preview. */
  readonly dialogs: ReactNode;
}

/** Performs the user's actions on entries and shows their dialogs. */
export function useEntryActions(options: ActionsOptions): EntryActions {
  const { directory: listed, onClosed, onGone } = options;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const drive = useDriveId();
  const [dialog, setDialog] = useState<Dialog>();
  const [isPending, setPending] = useState(false);
  const close = () => {
    setDialog(undefined);
    requestAnimationFrame(onClosed);
  };

  const { open: openPreview, preview } = usePreview({
    ...options,
    isCovered: dialog !== undefined,
    onAct: (action, entry) => act(action, chosenOf([entry])),
  });
  const open = (entry: EntryRecord) => {
    if (entry.directory) void navigate(toDirectory(entry.path, { drive: driveOf(entry) }));
    else openPreview(entry);
  };
  const moveInto = async (target: DirectoryPlace, chosen: Chosen<EntryRecord>, isCopy: boolean) => {
    setPending(true);
    const show = () => void navigate(toDirectory(target.directory, { drive: target.drive }));
    const isAcross = target.drive !== drive;
    const isSeen = !isAcross && target.directory === listed;
    const { copy, move } = await changes();
    const isDone = isCopy
      ? await copy(queryClient, chosen, target, isSeen ? undefined : show)
      : await move(queryClient, chosen, target, isAcross ? show : undefined);
    setPending(false);
    if (!isDone) return;
    setDialog(undefined);
    onClosed();
    if (!isCopy) onGone();
  };
  const showTasks = (of: DriveId) => void navigate({ to: '/tasks', search: { drive: of } });
  const showTransfer = () => void navigate({ to: '/transfer/{-$code}', params: { code: undefined } });
  const extract = (chosen: Chosen<EntryRecord>, options: ExtractOptions) =>
    void archives().then((tasks) => tasks.extract(queryClient, chosen, options, showTasks));

  const shareTogether = async (chosen: Chosen<EntryRecord>) => {
    const { collectTogether } = await together();
    const entries = await collectTogether(chosen);
    if (entries !== undefined) setDialog({ kind: 'shareTogether', chosen: chosenOf(entries) });
  };
  const act = (action: Act, chosen: Chosen<EntryRecord>) => {
    const { only } = chosen;
    if (action === 'download') void downloads().then(({ download }) => download(chosen));
    else if (action === 'send') void transfers().then(({ sendEntries }) => sendEntries(chosen, showTransfer));
    else if (action === 'move' || action === 'copy') setDialog({ kind: action, chosen });
    else if (action === 'shareTogether') void shareTogether(chosen);
    else if (action === 'duplicate') void changes().then(({ duplicate }) => duplicate(queryClient, chosen));
    else if (action === 'star' || action === 'unstar')
      void changes().then(({ star }) => star(queryClient, chosen, action === 'star'));
    else if (action === 'compress') void askToCompress(chosen).then(setDialog);
    else if (action === 'countSize') countSizes(options.source, chosen);
    else if (action === 'stopCounting') stopCountingSizes();
    else if (action === 'extract') extract(chosen, { place: 'here' });
    else if (action === 'extractToFolder') extract(chosen, { place: 'folder' });
    else if (action === 'recycle') {
      onGone();
      void changes().then(({ recycle }) => recycle(queryClient, chosen));
    } else if (only === undefined) return;
    else if (action === 'leaveOut') void photos().then(({ leaveOut }) => leaveOut(queryClient, only));
    else if (action === 'open') open(only);
    else if (action !== 'reveal') setDialog({ kind: action, entry: only });
    else void navigate(toDirectory(only.parentPath, { drive: driveOf(only), select: only.id }));
  };

  return {
    act,
    open,
    moveInto: (target, chosen, isCopy) => void moveInto(target, chosen, isCopy),
    isMoving: (id) => dialog?.kind === 'move' && dialog.chosen.has(id),
    dialogs: (
      <>
        {preview}
        {dialog !== undefined && (
          <Suspense fallback={null}>
            <DriveContext value={driveOfDialog(dialog, drive)}>
              <ActionDialog
                dialog={dialog}
                directory={listed}
                isPending={isPending}
                onGathered={(entry) => setDialog({ kind: 'share', entry })}
                onPick={(target, chosen, isCopy) => void moveInto(target, chosen, isCopy)}
                onShowTasks={showTasks}
                onExtract={(entry, options) => {
                  close();
                  extract(chosenOf([entry]), options);
                }}
                onClose={close}
              />
            </DriveContext>
          </Suspense>
        )}
      </>
    ),
  };
}

/** The dialog with a name for the archive; undefined if the entries cannot be in one archive. */
async function askToCompress(chosen: Chosen<EntryRecord>): Promise<Dialog | undefined> {
  const entries = await (await together()).collectTogether(chosen);
  if (entries === undefined) return undefined;
  const name = await (await archiveNames()).archiveNameOf(entries).catch(() => '');
  return { kind: 'compress', chosen: chosenOf(entries), name };
}

/** Shows the sizes of the chosen folders, of those that are loaded. */
function countSizes(source: EntrySource<EntryRecord>, { has }: Chosen<EntryRecord>): void {
  const loaded = source.loaded(0, source.total - 1).map(({ entry }) => entry);
  wantSizes(loaded.filter(({ id, directory }) => directory && has(id)).map(({ id }) => id));
}

/** The drive of the entry that a dialog is about; that of the page if it is about several entries. */
function driveOfDialog(dialog: Dialog, page: DriveId): DriveId {
  const entry = 'entry' in dialog ? dialog.entry : dialog.chosen.only;
  return entry === undefined ? page : driveOf(entry);
}

interface ActionDialogProps {
  readonly dialog: Dialog;
  readonly directory: string | undefined;
  /** Whether entries are being moved or copied. */
  readonly isPending: boolean;
  readonly onPick: EntryActions['moveInto'];
  /** Called with the folder to share, when several entries were copied into it. */
  readonly onGathered: (folder: EntryRecord) => void;
  readonly onShowTasks: (of: DriveId) => void;
  readonly onExtract: (entry: EntryRecord, options: ExtractOptions) => void;
  readonly onClose: () => void;
}

/** The dialog of an action. */
function ActionDialog(props: ActionDialogProps) {
  const { dialog, directory, isPending, onPick, onGathered, onExtract, onClose } = props;
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const fromDrive = useDriveId();
  if ('entry' in dialog) {
    const { kind, entry } = dialog;
    if (kind === 'share') return <ShareDialog entry={entry} onClose={onClose} />;
    if (kind === 'sharePeople') return <ShareWithPeopleDialog folder={entry} onClose={onClose} />;
    if (kind === 'activity')
      return <ActivityPanel driveId={entry.driveId} directory={entry.path} onClose={onClose} />;
    if (kind === 'details') return <DetailsPanel entry={entry} onClose={onClose} />;
    const choose = (place: ExtractOptions['place'], encoding: ExtractOptions['encoding']) =>
      onExtract(entry, { place, encoding });
    return <ExtractDialog entry={entry} onExtract={choose} onClose={onClose} />;
  }
  if (dialog.kind === 'compress') {
    const { chosen, name } = dialog;
    const compress = async (chosenName: string) =>
      (await archives()).compress(queryClient, await chosen.collect(), chosenName, props.onShowTasks);
    return <CompressDialog suggestedName={name} onCompress={compress} onClose={onClose} />;
  }
  const { kind, chosen } = dialog;
  if (kind === 'shareTogether')
    return <ShareTogetherDialog chosen={chosen} onGathered={onGathered} onClose={onClose} />;
  const { only } = chosen;
  const from = only === undefined ? directory : parentOf(only.path);
  return (
    <FolderPicker
      title={t(kind === 'move' ? 'drive.moveTitle' : 'drive.copyTitle', {
        count: chosen.count,
        name: only?.filename ?? '',
      })}
      action={t(kind === 'move' ? 'drive.moveHere' : 'drive.copyHere')}
      isPending={isPending}
      drive={fromDrive}
      isAcrossDrives
      startAt={from ?? ROOT}
      isClosed={(path, of) => only?.directory === true && of === fromDrive && isWithin(path, only.path)}
      isUseless={(path, of) => of === fromDrive && path === from}
      onPick={(path, of) => onPick({ drive: of, directory: path }, chosen, kind === 'copy')}
      onClose={onClose}
    />
  );
}
