import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { ask } from '../../../api/ask.ts';
import type { EntryDetails, EntryRecord } from '../../../api/contract.ts';
import { KEYS } from '../../../api/keys.ts';
import { lazyPart } from '../../../common/timing/lazy-part.ts';
import { notifyError } from '../../../ui/notifications/notify.ts';

const Preview = lazyPart(async () => (await import('../../preview/preview.tsx')).Preview);

/** An action of the user on the shown file. */
export type PreviewAction = 'share' | 'recycle';

interface PreviewOptions {
  /** An entry of the list, if it is loaded. */
  readonly find: (id: number) => EntryRecord | undefined;
  /** The loaded neighbours of an entry, in the order of the list. */
  readonly around: (entry: EntryRecord) => readonly EntryRecord[];
  /** Called when the preview shows another entry. */
  readonly onSeen: (entry: EntryRecord) => void;
  readonly onClosed: () => void;
  readonly onAct: (action: PreviewAction, entry: EntryRecord) => void;
  /** Another dialog is open above the preview. */
  readonly isCovered: boolean;
}

interface PreviewControl {
  readonly open: (entry: EntryRecord) => void;
  readonly preview: ReactNode;
}

/**
 * The preview of a file of a list. The file is part of the address of the page, so that the browser's back
 * button closes the preview, and a reload or a bookmark opens it again.
 */
export function usePreview({
  find,
  around,
  onSeen,
  onClosed,
  onAct,
  isCovered,
}: PreviewOptions): PreviewControl {
  const navigate = useNavigate();
  const router = useRouter();
  const search = useSearch({ strict: false });
  const id = typeof search.preview === 'number' ? search.preview : undefined;
  // Whether the back button leads to the list without a preview.
  const isOpenedHere = useRef(false);
  const show = (next: number | undefined, isReplaced: boolean) =>
    void navigate({ to: '.', search: (before) => ({ ...before, preview: next }), replace: isReplaced });
  const close = () => {
    if (isOpenedHere.current) router.history.back();
    else show(undefined, true);
    isOpenedHere.current = false;
  };
  const entries = useShownEntries({ id, find, around, onFailed: close });
  useAfterClose(id, () => {
    isOpenedHere.current = false;
    onClosed();
  });
  const at = entries.findIndex((entry) => entry.id === id);
  const act = (action: PreviewAction, entry: EntryRecord) => {
    const next = entries[at + 1] ?? entries[at - 1];
    if (action === 'recycle' && next === undefined) close();
    else if (action === 'recycle') show(next?.id, true);
    onAct(action, entry);
  };
  return {
    open: (entry) => {
      isOpenedHere.current = true;
      show(entry.id, false);
    },
    preview: at >= 0 && (
      <Suspense fallback={null}>
        <Preview
          entries={entries}
          at={at}
          isCovered={isCovered}
          onMove={(to) => {
            const entry = entries[to];
            if (entry === undefined) return;
            show(entry.id, true);
            onSeen(entry);
          }}
          onAct={act}
          onClose={close}
        />
      </Suspense>
    ),
  };
}

/**
 * The files to page through: the neighbours when the preview was opened, even if the list changes meanwhile.
 * A file that is not in the list, such as one from a bookmark, is shown alone.
 */
function useShownEntries({
  id,
  find,
  around,
  onFailed,
}: {
  readonly id: number | undefined;
  readonly find: PreviewOptions['find'];
  readonly around: PreviewOptions['around'];
  readonly onFailed: () => void;
}): readonly EntryRecord[] {
  const shown = useRef<readonly EntryRecord[]>([]);
  const isKnown = (wanted: number) => shown.current.some((entry) => entry.id === wanted);
  const listed = id === undefined ? undefined : find(id);
  const { data, error } = useQuery({
    queryKey: KEYS.entry(id ?? 0),
    queryFn: ({ signal }) => ask<EntryDetails>('GET', `/api/v2/files/${id}`, { signal }),
    enabled: id !== undefined && listed === undefined && (!isKnown(id) || shown.current.length === 1),
  });
  const fail = useRef(onFailed);
  useEffect(() => {
    fail.current = onFailed;
  });
  useEffect(() => {
    if (error === null) return;
    notifyError(error);
    fail.current();
  }, [error]);
  if (id === undefined) shown.current = [];
  else if (!isKnown(id) || (shown.current.length === 1 && listed !== undefined)) {
    if (listed !== undefined) shown.current = around(listed).filter(({ directory }) => !directory);
    else if (data?.id === id && !data.directory) shown.current = [data];
  }
  // It may have been renamed, or have other content.
  const latest = listed ?? (data?.id === id ? data : undefined);
  const at = shown.current.findIndex((entry) => entry.id === id);
  if (latest !== undefined && at >= 0 && shown.current[at] !== latest) {
    shown.current = shown.current.with(at, latest);
  }
  return shown.current;
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
