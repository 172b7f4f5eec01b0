import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { queryOf } from '../../../api/ask.ts';
import type { DriveId } from '../../../api/in-drive.ts';
import { KEYS } from '../../../api/keys.ts';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';
import { DriveContext, useDriveId } from '../../drives/use-drive.ts';
import { driveOf } from '../../entries/drive-of.ts';
import type { EntrySource } from '../../entries/entry-source.ts';
import { findIndex } from '../../entries/find-index.ts';
import { type ShownFiles, showAlone, showAmong } from '../../preview/shown-files.ts';
import { dropEditRequest } from '../../preview/text/edit-request.ts';
import { useStepBack } from '../../preview/use-step-back.ts';

const Preview = lazyPart(async () => (await import('../../preview/preview.tsx')).Preview);

/** A user action on the shown file. */
type PreviewAction = 'share' | 'recycle';

interface PreviewOptions {
  /** The list, whose files can be paged through. */
  readonly source: EntrySource<EntryRecord>;
  /** Called when the preview shows another entry. */
  readonly onSeen: (entry: EntryRecord) => void;
  readonly onClosed: () => void;
  readonly onAct: (action: PreviewAction, entry: EntryRecord) => void;
  /** Whether another dialog is open above the preview. */
  readonly isCovered: boolean;
}

interface PreviewControl {
  readonly open: (entry: EntryRecord) => void;
  readonly preview: ReactNode;
}

/**
 * The preview of a file of a list. The file is part of the page's URL. So the browser's back button closes
 * the preview, and a reload or a bookmark opens it again.
 */
export function usePreview({ source, onSeen, onClosed, onAct, isCovered }: PreviewOptions): PreviewControl {
  const navigate = useNavigate();
  const stepBack = useStepBack();
  const search = useSearch({ strict: false });
  const id = typeof search.preview === 'number' ? search.preview : undefined;
  const page = useDriveId();
  const show = (next: EntryRecord | undefined, isReplaced: boolean) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, preview: next?.id, of: foreignDrive(next, page) }),
      replace: isReplaced,
    });
  const close = () => stepBack.close(() => show(undefined, true));
  const files = useShownFiles({
    id,
    drive: page,
    source,
    onGone: (next) => (next === undefined ? close() : go(next)),
    onFailed: close,
  });
  const go = (entry: EntryRecord) => {
    show(entry, true);
    onSeen(entry);
  };
  const move = useStep(files, go);
  useAfterClose(id, () => {
    stepBack.noteClosed();
    dropEditRequest();
    onClosed();
  });
  const act = (action: PreviewAction, entry: EntryRecord) => {
    const next = files?.after[0] ?? files?.before.at(-1);
    if (action === 'recycle' && next === undefined) close();
    else if (action === 'recycle') show(next, true);
    onAct(action, entry);
  };
  return {
    open: (entry) => {
      stepBack.noteOpened();
      show(entry, false);
    },
    preview: files !== undefined && (
      <Suspense fallback={null}>
        <DriveContext value={driveOf(files.entry)}>
          <Preview
            files={files}
            isCovered={isCovered}
            onMove={move}
            onShow={go}
            onAct={act}
            onClose={close}
          />
        </DriveContext>
      </Suspense>
    ),
  };
}

/** The drive of a file in a list of several drives; undefined if the page shows that drive. */
function foreignDrive(entry: EntryRecord | undefined, page: DriveId): number | undefined {
  return entry === undefined || driveOf(entry) === page ? undefined : entry.driveId;
}

interface ShownOptions {
  readonly id: number | undefined;
  /** The drive of the page. */
  readonly drive: DriveId;
  readonly source: EntrySource<EntryRecord>;
  /** Called when the shown file was deleted, with the file to show next. */
  readonly onGone: (next: EntryRecord | undefined) => void;
  readonly onFailed: () => void;
}

/**
 * The shown file and its neighbours in the list. A file that is not in the list, for example from a bookmark,
 * is shown without neighbours.
 */
function useShownFiles({ id, drive, source, onGone, onFailed }: ShownOptions): ShownFiles | undefined {
  const search = useSearch({ strict: false });
  const last = useRef<{ readonly entry: EntryRecord; readonly at: number }>(undefined);
  const at = id === undefined ? undefined : source.indexOf(id);
  const listed = at === undefined ? undefined : source.at(at);
  const { data, error } = useQuery({
    ...queryOf(KEYS.entry(id ?? 0), 'GET /api/v2/files/{fileId}', {
      path: { fileId: id ?? 0 },
      drive: typeof search.of === 'number' ? search.of : drive,
    }),
    enabled: id !== undefined && listed === undefined,
  });
  if (at !== undefined && listed !== undefined) last.current = { entry: listed, at };
  else if (last.current?.entry.id !== id) last.current = undefined;
  const files = toFiles(listed ?? (data?.id === id ? data : undefined), source, at, last.current);
  useLoadedAround(id, drive, source, last.current?.at);
  const onError = useRef((_: unknown) => {});
  useEffect(() => {
    onError.current = (fault) => {
      if (listed !== undefined) return;
      if (files !== undefined && isNotFound(fault)) return onGone(files.after[0] ?? files.before.at(-1));
      notifyError(fault);
      onFailed();
    };
  });
  useEffect(() => {
    if (error !== null) onError.current(error);
  }, [error]);
  return files;
}

function toFiles(
  entry: EntryRecord | undefined,
  source: EntrySource<EntryRecord>,
  at: number | undefined,
  last: { readonly entry: EntryRecord; readonly at: number } | undefined,
): ShownFiles | undefined {
  const shown = entry ?? last?.entry;
  if (shown === undefined || shown.directory) return undefined;
  if (at !== undefined) return showAmong(shown, source, at, true);
  return last === undefined ? showAlone(shown) : showAmong(shown, source, last.at, false);
}

/**
 * Keeps the list loaded around the shown file. If the file is not in the loaded part, searches for it once.
 */
function useLoadedAround(
  id: number | undefined,
  drive: DriveId,
  source: EntrySource<EntryRecord>,
  at: number | undefined,
): void {
  const latest = useRef(source);
  useEffect(() => {
    latest.current = source;
    if (at !== undefined) source.look(at, at, 'preview');
  });
  const canFind = at === undefined && source.findByPrefix !== undefined && source.total > 0;
  useEffect(() => {
    if (id === undefined || !canFind) return;
    let isOver = false;
    findIndex({ id, drive }, latest.current).then(
      (found) => {
        if (!isOver && found !== undefined) latest.current.look(found, found, 'preview');
      },
      // The query of the file reports the error.
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [id, drive, canFind]);
  const isOpen = id !== undefined;
  useEffect(() => {
    if (isOpen) return () => latest.current.look(0, -1, 'preview');
    return undefined;
  }, [isOpen]);
}

/** Moves to the next or previous file, if necessary once that file is loaded. */
function useStep(files: ShownFiles | undefined, go: (entry: EntryRecord) => void): (step: number) => void {
  const [waiting, setWaiting] = useState<{ readonly id: number; readonly step: number }>();
  const next = (step: number) => (step > 0 ? files?.after[0] : files?.before.at(-1));
  const move = (step: number) => {
    const entry = next(step);
    if (entry !== undefined) go(entry);
    else if (files !== undefined) setWaiting({ id: files.entry.id, step });
  };
  const awaited = waiting?.id === files?.entry.id && waiting !== undefined ? next(waiting.step) : undefined;
  const latest = useRef(go);
  useEffect(() => {
    latest.current = go;
  });
  useEffect(() => {
    if (awaited === undefined) return;
    setWaiting(undefined);
    latest.current(awaited);
  }, [awaited]);
  return move;
}

function isNotFound(error: unknown): boolean {
  return error instanceof HoldallError && error.status === 404;
}

function useAfterClose(id: number | undefined, onClosed: () => void): void {
  const latest = useRef(onClosed);
  const wasOpen = useRef(false);
  useEffect(() => {
    latest.current = onClosed;
  });
  useEffect(() => {
    if (wasOpen.current && id === undefined) requestAnimationFrame(() => latest.current());
    wasOpen.current = id !== undefined;
  }, [id]);
}
