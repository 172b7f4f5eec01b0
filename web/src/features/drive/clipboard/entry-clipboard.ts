import type { EntryRecord } from '../../../../../client/src/client.ts';
import { currentSession } from '../../../api/session.ts';
import { type Chosen, chosenOf } from '../../entries/entry-source.ts';

/** Entries that wait to be pasted. */
export interface CopiedEntries {
  readonly kind: 'cut' | 'copy';
  readonly chosen: Chosen<EntryRecord>;
  /**
   * The text that was put into the system clipboard. As long as the clipboard still contains it, the user has
   * not copied anything else.
   */
  readonly text: string;
}

const hasNone = (): boolean => false;
const listeners = new Set<() => void>();
let copied: CopiedEntries | undefined;
/** The user who has copied the entries, because another user may log in on the same page. */
let ownerId: number | undefined;

function current(): CopiedEntries | undefined {
  return ownerId === currentSession()?.user.id ? copied : undefined;
}

/** @param text as in {@link CopiedEntries} */
export function putIntoClipboard(
  kind: CopiedEntries['kind'],
  entries: readonly EntryRecord[],
  text: string,
): void {
  ownerId = currentSession()?.user.id;
  change({ kind, chosen: chosenOf(entries), text });
}

/** For `useSyncExternalStore`. */
export function onCutChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Returns a function that tells whether an entry is cut and not yet pasted. After each change, it is a new
 * function.
 */
export function findCut(): (id: number) => boolean {
  const now = current();
  return now?.kind === 'cut' ? now.chosen.has : hasNone;
}

/** Cancels a cut, so the entries stay where they are. Returns whether there was one. */
export function cancelCut(): boolean {
  if (current()?.kind !== 'cut') return false;
  change(undefined);
  return true;
}

export function hasCopiedEntries(): boolean {
  return current() !== undefined;
}

/** Returns the entries to paste. Cut entries can be pasted only once. */
export function takeFromClipboard(): CopiedEntries | undefined {
  const taken = current();
  if (taken?.kind === 'cut') change(undefined);
  return taken;
}

/** Whether a text is the one that the last copied entries put into the system clipboard. */
export function isCopiedText(text: string): boolean {
  return current()?.text === text;
}

function change(next: CopiedEntries | undefined): void {
  copied = next;
  for (const listener of listeners) listener();
}
