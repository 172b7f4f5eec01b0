import type { DriveId } from '../../api/in-drive.ts';
import { followEvents, type StreamMessage, type StreamReader } from './event-stream.ts';

/** A message from the tab that holds the stream to the user's other tabs. */
type TabMessage =
  | { readonly message: StreamMessage }
  | { readonly isGone: true }
  | { readonly isAway: boolean };

/** By stream: the last event that this tab has handled. The next stream of the drive resumes from there. */
const handledIds = new Map<string, string>();

/** Called with each event of the drive. */
export interface Listener {
  onMessage(message: StreamMessage): void;
  /** Called when events may have been missed, so anything may have changed. */
  onMissedEvents(): void;
  onReachability(isAway: boolean): void;
  /** Called when this tab starts or stops leading. The leading tab does work that must be done only once. */
  onLead(isLeading: boolean): void;
}

/**
 * Follows a drive with one stream for all tabs of a user that show it, because a browser opens at most six
 * connections to a service. The tab that holds the lock holds the stream and passes events on to the others.
 * @returns a function that stops it; unless `canResume` is set, the drive's next stream reports missed events
 */
export function shareStream(
  userId: number,
  drive: DriveId,
  listener: Listener,
): (options: { readonly canResume: boolean }) => void {
  const end = new AbortController();
  const name = `holdall.live.${userId}${drive === undefined ? '' : `.${drive}`}`;
  let lastEventId = handledIds.get(name);
  const handleMessage = (tabMessage: TabMessage) => {
    if ('isAway' in tabMessage) listener.onReachability(tabMessage.isAway);
    else if ('isGone' in tabMessage) {
      lastEventId = undefined;
      listener.onMissedEvents();
    } else {
      const { id, type } = tabMessage.message;
      // READY starts a stream. Unless it resumes an earlier one, events may have been missed in between.
      if (type === 'READY' ? id !== lastEventId : type === 'RESYNC') listener.onMissedEvents();
      else if (type !== 'READY') listener.onMessage(tabMessage.message);
      lastEventId = id;
    }
  };
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name);
  // Only our own tabs use this channel.
  if (channel !== undefined) channel.onmessage = ({ data }) => handleMessage(data as TabMessage);
  const publish = (tabMessage: TabMessage) => {
    if (end.signal.aborted) return;
    handleMessage(tabMessage);
    channel?.postMessage(tabMessage);
  };
  const reader: StreamReader = {
    get lastEventId() {
      return lastEventId;
    },
    onMessage: (message) => publish({ message }),
    onMissedEvents: () => publish({ isGone: true }),
    onReachability: (isAway) => publish({ isAway }),
  };
  const lead = async (signal: AbortSignal) => {
    listener.onLead(true);
    await followEvents(drive, reader, signal);
    listener.onLead(false);
  };
  void takeLead(name, lead, end.signal);
  return ({ canResume }) => {
    end.abort();
    channel?.close();
    if (canResume && lastEventId !== undefined) handledIds.set(name, lastEventId);
    else handledIds.delete(name);
  };
}

/**
 * Becomes the leader if there is none, and takes over when this tab becomes visible: a hidden tab may be
 * suspended while it holds the lock.
 */
async function takeLead(
  name: string,
  lead: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  // Locks need a secure context. Without them, every tab has its own stream.
  if (navigator.locks === undefined) return lead(signal);
  let isLeading = false;
  let steal = document.visibilityState === 'visible';
  let waiting = new AbortController();
  const onVisible = () => {
    if (document.visibilityState !== 'visible' || isLeading) return;
    steal = true;
    waiting.abort();
  };
  document.addEventListener('visibilitychange', onVisible, { signal });
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
      // A visible tab has taken over the lock, or this tab no longer waits for it.
    }
    isLeading = false;
    lost.abort();
  }
}
