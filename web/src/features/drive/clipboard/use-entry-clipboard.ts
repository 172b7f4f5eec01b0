import { useEffect, useEffectEvent } from 'react';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { messages } from '../../../messages/i18n.ts';
import { belongsToField } from '../../../ui/fields/belongs-to-field.ts';
import { notify, notifyError } from '../../../ui/notifications/notify.ts';
import type { Chosen } from '../../entries/entry-source.ts';
import { type CopiedEntries, isCopiedText, putIntoClipboard, takeFromClipboard } from './entry-clipboard.ts';

interface ClipboardOptions {
  /** The directory into which entries are pasted; undefined if the list shows several directories. */
  readonly directory: string | undefined;
  /** Whether the entries may leave the list. */
  readonly canCut: (chosen: Chosen<EntryRecord>) => boolean;
  readonly chosen: () => Chosen<EntryRecord>;
  readonly onPaste: (copied: CopiedEntries, directory: string) => void;
}

/**
 * Copies, cuts and pastes entries with the browser's own events, so that the usual keys and menus work. The
 * drop target handles files pasted from other programs.
 */
export function useEntryClipboard(options: ClipboardOptions): void {
  const { directory, canCut, chosen: findChosen, onPaste } = options;
  const take = useEffectEvent((event: ClipboardEvent, kind: CopiedEntries['kind']) => {
    const chosen = findChosen();
    if (chosen.count === 0 || isForAnother(event) || (kind === 'cut' && !canCut(chosen))) return;
    event.preventDefault();
    // The text must be written during the event, when some names may not be loaded.
    const text = chosen.only?.filename ?? messages.t('drive.selected', { count: chosen.count });
    event.clipboardData?.setData('text/plain', text);
    void collect(kind, chosen, text);
  });
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (directory === undefined || isForAnother(event) || (event.clipboardData?.files.length ?? 0) > 0)
      return;
    if (!isCopiedText(text)) return;
    const copied = takeFromClipboard();
    if (copied === undefined) return;
    event.preventDefault();
    onPaste(copied, directory);
  });
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    window.addEventListener('copy', (event) => take(event, 'copy'), { signal });
    window.addEventListener('cut', (event) => take(event, 'cut'), { signal });
    window.addEventListener('paste', (event) => paste(event), { signal });
    return () => listeners.abort();
  }, []);
}

async function collect(
  kind: CopiedEntries['kind'],
  chosen: Chosen<EntryRecord>,
  text: string,
): Promise<void> {
  try {
    const entries = await chosen.collect();
    putIntoClipboard(kind, entries, text);
    notify(
      messages.t(`drive.clipboard.${kind}`, { count: entries.length, name: entries[0]?.filename ?? '' }),
    );
  } catch (error) {
    notifyError(error);
  }
}

/** Whether the event belongs to a field, selected text or a dialog. */
function isForAnother(event: ClipboardEvent): boolean {
  return belongsToField(event) || document.getSelection()?.isCollapsed === false;
}
