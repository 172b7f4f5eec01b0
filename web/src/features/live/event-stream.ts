import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { errorOf } from '../../../../client/src/errors/read-error.ts';
import { fetchAnswer } from '../../api/ask.ts';
import { newMessageReader, type StreamMessage } from './stream-message.ts';

const EVENTS = '/api/v2/files/events?devices=true';

/**
 * The service sends a message or comment every 15 seconds. Silence for longer than this means a lost
 * connection.
 */
const SILENCE_MS = 40_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/**
 * A stream that lived this long ended for a reason that does not affect a new one, such as an expired token.
 */
const LASTING_MS = 5_000;
/** One break is not reported: a service that restarts is back before anybody notices. */
const BREAKS_UNTIL_REPORTED = 2;

export interface StreamReader {
  /** The id of the last event that is known; undefined if nothing is known. */
  readonly lastEventId: string | undefined;
  onMessage(message: StreamMessage): void;
  /** The last known event is too old to resume from. */
  onMissedEvents(): void;
  onReachability(isAway: boolean): void;
}

/** Follows the events of the drive until the signal aborts, and reconnects after every break. */
export async function followEvents(reader: StreamReader, signal: AbortSignal): Promise<void> {
  let breaks = 0;
  while (!signal.aborted) {
    const began = Date.now();
    let pauseMs = 0;
    try {
      await readOnce(reader, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof HoldallError) {
        if (error.status === 410) reader.onMissedEvents();
        pauseMs = (error.retryAfterSeconds ?? 0) * 1_000;
      }
    }
    breaks = Date.now() - began > LASTING_MS ? 0 : breaks + 1;
    if (breaks >= BREAKS_UNTIL_REPORTED || !navigator.onLine) reader.onReachability(true);
    if (breaks > 0)
      pauseMs = Math.max(pauseMs, Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (breaks - 1)));
    // Spread out, so that many clients do not reconnect to a restarted service at the same moment.
    await pause(pauseMs * (0.75 + Math.random() / 2), signal);
  }
}

/** Reads one stream to its end. */
async function readOnce(reader: StreamReader, signal: AbortSignal): Promise<void> {
  const end = new AbortController();
  const stop = () => end.abort();
  signal.addEventListener('abort', stop, { once: true });
  window.addEventListener('offline', stop);
  let silence = setTimeout(stop, SILENCE_MS);
  try {
    const response = await fetchAnswer(EVENTS, {
      headers: {
        accept: 'text/event-stream',
        ...(reader.lastEventId === undefined ? {} : { 'last-event-id': reader.lastEventId }),
      },
      signal: end.signal,
    });
    if (!response.ok || response.body === null) {
      const retryAfterSeconds = Number(response.headers.get('retry-after')) || undefined;
      throw errorOf(response.status, 'There is no event stream.', { retryAfterSeconds });
    }
    reader.onReachability(false);
    const push = newMessageReader((message) => reader.onMessage(message));
    for await (const text of textOf(response.body)) {
      clearTimeout(silence);
      silence = setTimeout(stop, SILENCE_MS);
      push(text);
    }
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', stop);
    window.removeEventListener('offline', stop);
    end.abort();
  }
}

async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  // Not every browser supports asynchronous iteration of streams.
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
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
