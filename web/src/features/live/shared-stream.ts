import { followEvents, type StreamReader } from './event-stream.ts';
import type { StreamMessage } from './stream-message.ts';

/** What the tab that holds the stream says to the others of the same person. */
type Word = { readonly message: StreamMessage } | { readonly isGone: true } | { readonly isAway: boolean };

/** Hears what happens in the drive. */
export interface Listener {
  onMessage(message: StreamMessage): void;
  /** What happened before is not known: all may be different. */
  onGone(): void;
  onReach(isAway: boolean): void;
  /** Only one tab does what is to be done once. */
  onLead(isLeading: boolean): void;
}

/**
 * Follows the drive, with one stream for all tabs of one person: a browser opens six connections to a service and no more.
 * Whoever holds the lock holds the stream, and tells the others.
 */
export function shareStream(userId: number, listener: Listener): () => void {
  const end = new AbortController();
  const name = `holdall.live.${userId}`;
  let lastEventId: string | undefined;
  const hear = (word: Word) => {
    if ('isAway' in word) listener.onReach(word.isAway);
    else if ('isGone' in word) {
      lastEventId = undefined;
      listener.onGone();
    } else {
      const { id, type } = word.message;
      // A stream begins there. Unless it goes on where another one ended, something may have happened in between.
      if (type === 'READY' ? id !== lastEventId : type === 'RESYNC') listener.onGone();
      else if (type !== 'READY') listener.onMessage(word.message);
      lastEventId = id;
    }
  };
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name);
  // Nobody else speaks on a channel of our own origin and name.
  if (channel !== undefined) channel.onmessage = ({ data }) => hear(data as Word);
  const tell = (word: Word) => {
    if (end.signal.aborted) return;
    hear(word);
    channel?.postMessage(word);
  };
  const reader: StreamReader = {
    get lastEventId() {
      return lastEventId;
    },
    onMessage: (message) => tell({ message }),
    onGone: () => tell({ isGone: true }),
    onReach: (isAway) => tell({ isAway }),
  };
  const lead = async (signal: AbortSignal) => {
    listener.onLead(true);
    await followEvents(reader, signal);
    listener.onLead(false);
  };
  void takeLead(name, lead, end.signal);
  return () => {
    end.abort();
    channel?.close();
  };
}

/**
 * Leads when nobody else does, and takes the lead when somebody looks at this tab: one that nobody looks at may be asleep,
 * with the lock in its hand.
 */
async function takeLead(
  name: string,
  lead: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  // Locks are for secure contexts only: without, each tab has a stream of its own.
  if (navigator.locks === undefined) return lead(signal);
  let isLeading = false;
  let steal = document.visibilityState === 'visible';
  let waiting = new AbortController();
  const onLook = () => {
    if (document.visibilityState !== 'visible' || isLeading) return;
    steal = true;
    waiting.abort();
  };
  document.addEventListener('visibilitychange', onLook, { signal });
  while (!signal.aborted) {
    waiting = new AbortController();
    const lost = new AbortController();
    const options = steal ? { steal } : { signal: AbortSignal.any([signal, waiting.signal]) };
    steal = false;
    try {
      await navigator.locks.request(name, options, () => {
        isLeading = true;
        return lead(AbortSignal.any([signal, lost.signal]));
      });
    } catch {
      // Taken away by a tab that is looked at, or no longer waited for.
    }
    isLeading = false;
    lost.abort();
  }
}
