import type { EntryRecord } from '../../api/contract.ts';
import { currentSession } from '../../api/session.ts';
import { type Chosen, chosenOf } from '../entries/entry-source.ts';

/** Entries that wait to be pasted. */
export interface CopiedEntries {
  readonly kind: 'cut' | 'copy';
  readonly chosen: Chosen<EntryRecord>;
  /**
   * The text that was put into the system's clipboard. While the clipboard still has it, nothing else was
   * copied since.
   */
  readonly text: string;
}

let copied: CopiedEntries | undefined;
/** The user who has copied them: another user may log in on the same page. */
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
  copied = { kind, chosen: chosenOf(entries), text };
  ownerId = currentSession()?.user.id;
}

export function hasCopiedEntries(): boolean {
  return current() !== undefined;
}

/** The entries to paste. What was cut can be pasted once. */
export function takeFromClipboard(): CopiedEntries | undefined {
  const taken = current();
  if (taken?.kind === 'cut') copied = undefined;
  return taken;
}

/** Whether a text is the one that the last copied entries left in the system's clipboard. */
export function isCopiedText(text: string): boolean {
  return current()?.text === text;
}
