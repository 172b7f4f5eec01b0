import type { EntryRecord } from '../../api/contract.ts';
import { currentSession } from '../../api/session.ts';
import { type Chosen, chosenOf } from '../entries/entry-source.ts';

/** Entries that wait to be pasted. */
export interface CopiedEntries {
  readonly kind: 'cut' | 'copy';
  readonly chosen: Chosen<EntryRecord>;
  /** What the clipboard of the system got. While it has that text, nothing else was copied since. */
  readonly text: string;
}

let copied: CopiedEntries | undefined;
/** Who has copied them: another user may log in on the same page. */
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

/** Whether a text is what the last copied entries left in the clipboard of the system. */
export function isCopiedText(text: string): boolean {
  return current()?.text === text;
}
