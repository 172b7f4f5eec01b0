import { useRef } from 'react';
import type { EntryRecord } from '../../../../../../client/src/client.ts';
import { pause } from '../../../../common/timing/pause.ts';
import { findByPrefix } from '../../../../ui/grid/grid-moves.ts';
import { notifyError } from '../../../../ui/notifications/notify.ts';
import type { EntrySource } from '../../entry-source.ts';

/**
 * How many entries around the active one are searched for a typed name: the maximum that may be loaded.
 */
const TYPING_REACH = 5_000;
const TYPING_MS = 800;
/** The service is asked after this pause in typing. */
const PAUSE_MS = 200;

/** Finds an entry when the user types the beginning of its name. */
export function useTypeAhead<T extends EntryRecord>(
  source: EntrySource<T>,
  active: number,
  onFound: (index: number) => void,
) {
  const typed = useRef({ text: '', at: 0 });
  const type = (letter: string) => {
    const { text, at } = typed.current;
    const now = Date.now();
    const isMore = now - at < TYPING_MS;
    typed.current = { text: isMore ? text + letter : letter, at: now };
    const from = Math.max(0, active - TYPING_REACH);
    const to = Math.min(source.total, Math.max(active, 0) + TYPING_REACH);
    const names = Array.from({ length: to - from }, (_, step) => source.at(from + step)?.filename);
    // A new prefix searches from the next entry. An extended prefix stays on the entry if it still matches.
    const found = findByPrefix(names, typed.current.text, active - from + (isMore ? 0 : 1));
    if (found !== undefined) onFound(from + found);
    else if (source.whole === undefined) void findElsewhere(typed.current.text);
  };
  /** Searches the unloaded part of the list once the user has stopped typing for a moment. */
  const findElsewhere = async (text: string) => {
    await pause(PAUSE_MS);
    const isTyped = () => typed.current.text === text;
    if (!isTyped() || source.findByPrefix === undefined) return;
    try {
      const found = await source.findByPrefix(text);
      if (found !== undefined && isTyped()) onFound(found);
    } catch (error) {
      notifyError(error);
    }
  };
  return { type, isTyping: () => Date.now() - typed.current.at <= TYPING_MS };
}
