import type { EntryRecord } from '../../api/contract.ts';
import { type Chosen, chosenOf } from '../entries/entry-source.ts';

/** Entries that wait to be pasted. */
export interface CopiedEntries {
  readonly kind: 'cut' | 'copy';
  readonly chosen: Chosen<EntryRecord>;
  /** What the clipboard of the system got. While it has that text, nothing else was copied since. */
  readonly text: string;
}

let copied: CopiedEntries | undefined;

/** @param text as in {@link CopiedEntries} */
export function putIntoClipboard(
  kind: CopiedEntries['kind'],
  entries: readonly EntryRecord[],
  text: string,
): void {
  copied = { kind, chosen: chosenOf(entries), text };
}

export function hasCopiedEntries(): boolean {
  return copied !== undefined;
}

/** The entries to paste. What was cut can be pasted once. */
export function takeFromClipboard(): CopiedEntries | undefined {
  const taken = copied;
  if (taken?.kind === 'cut') copied = undefined;
  return taken;
}

/** Whether a text is what the last copied entries left in the clipboard of the system. */
export function isCopiedText(text: string): boolean {
  return copied !== undefined && copied.text === text;
}
