import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { readMessages } from '../../../../client/src/events/event-stream.ts';
import type { RequestOptions } from '../../../../client/src/requests/operation-types.ts';
import { open } from '../../api/ask.ts';
import type { DriveId } from '../../api/in-drive.ts';

/**
 * The service sends a message or comment every 15 seconds. Silence for longer than this means a lost
 * connection.
 */
const SILENCE_MS = 40_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/**
 * If a stream lived this long, the reason for its end does not affect a new one. An example: an expired
 * token.
 */
const LASTING_MS = 5_000;
/** A single break is not reported, because a restarting service is back before anyone notices. */
const BREAKS_UNTIL_REPORTED = 2;

/** One message of the stream. */
export interface StreamMessage {
  /** The latest event id: of this message, or of an earlier one. */
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

export interface StreamReader {
  /** The id of the last known event; undefined if there is none. */
  readonly lastEventId: string | undefined;
  onMessage(message: StreamMessage): void;
  /** Called if the last known event is too old to resume from. */
  onMissedEvents(): void;
  onReachability(isAway: boolean): void;
}

/** Follows the events of a drive until the signal aborts, and reconnects after every break. */
export async function followEvents(drive: DriveId, reader: StreamReader, signal: AbortSignal): Promise<void> {
  let breaks = 0;
  while (!signal.aborted) {
    const began = Date.now();
    let pauseMs = 0;
    try {
      await readOnce(drive, reader, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof HoldallError) {
        if (error.status === 410) reader.onMissedEvents();
        // The user has lost the drive. Its page finds out when its lists are requested again.
        if (drive !== undefined && error.status === 404) {
          reader.onMissedEvents();
          return;
        }
        pauseMs = (error.retryAfterSeconds ?? 0) * 1_000;
      }
    }
    breaks = Date.now() - began > LASTING_MS ? 0 : breaks + 1;
    if (breaks >= BREAKS_UNTIL_REPORTED || !navigator.onLine) reader.onReachability(true);
    if (breaks > 0)
      pauseMs = Math.max(pauseMs, Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (breaks - 1)));
    // Randomised, so that clients do not all reconnect to a restarted service at the same moment.
    await pause(pauseMs * (0.75 + Math.random() / 2), signal);
  }
}

/** Reads one stream to its end. */
async function readOnce(drive: DriveId, reader: StreamReader, signal: AbortSignal): Promise<void> {
  const offline = new AbortController();
  const stop = () => offline.abort();
  window.addEventListener('offline', stop);
  const openStream = async (options: RequestOptions) => {
    const headers = { ...options.headers, accept: 'text/event-stream' };
    const call = { query: { devices: drive === undefined }, drive, timeoutMs: SILENCE_MS };
    const response = await open('GET /api/v2/files/events', { ...options, ...call, headers });
    reader.onReachability(false);
    return response;
  };
  try {
    const watch = { signal: AbortSignal.any([signal, offline.signal]), silenceMs: SILENCE_MS };
    for await (const message of readMessages(openStream, reader.lastEventId, watch)) {
      if (message.type !== 'event') continue;
      const { id, event, data } = message;
      reader.onMessage({ id, type: event, data });
    }
  } finally {
    window.removeEventListener('offline', stop);
  }
}

/** Ends early when the browser is online again or the page becomes visible. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      document.removeEventListener('visibilitychange', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    window.addEventListener('online', done);
    document.addEventListener('visibilitychange', done);
    signal.addEventListener('abort', done);
  });
}
