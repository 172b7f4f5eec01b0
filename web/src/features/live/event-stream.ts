import { ApiError } from '../../api/api-error.ts';
import { fetchAnswer } from '../../api/ask.ts';
import { newMessageReader, type StreamMessage } from './stream-message.ts';

const EVENTS = '/api/v2/files/events';

/** The service sends something every 15 seconds. Who hears nothing for that long is not connected any more. */
const SILENCE_MS = 40_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** A stream that lived so long has ended for a reason that a new one does not have, such as its token's time. */
const LASTING_MS = 5_000;
/** One break is nothing to speak of: a service that starts anew is back before anybody notices. */
const BREAKS_UNTIL_AWAY = 2;

export interface StreamReader {
  /** Up to where everything is known; undefined where nothing is. */
  readonly lastEventId: string | undefined;
  onMessage(message: StreamMessage): void;
  /** What was known before is too old to go on from. */
  onGone(): void;
  onReach(isAway: boolean): void;
}

/** Follows what happens in the drive until the signal, through all breaks. */
export async function followEvents(reader: StreamReader, signal: AbortSignal): Promise<void> {
  let breaks = 0;
  while (!signal.aborted) {
    const began = Date.now();
    let pauseMs = 0;
    try {
      await readOnce(reader, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError) {
        if (error.status === 410) reader.onGone();
        pauseMs = (error.retryAfter ?? 0) * 1_000;
      }
    }
    breaks = Date.now() - began > LASTING_MS ? 0 : breaks + 1;
    if (breaks >= BREAKS_UNTIL_AWAY || !navigator.onLine) reader.onReach(true);
    if (breaks > 0)
      pauseMs = Math.max(pauseMs, Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (breaks - 1)));
    // Not all at the same moment, when many have lost the same service.
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
    const response = await fetchAnswer('GET', EVENTS, {
      headers: {
        accept: 'text/event-stream',
        ...(reader.lastEventId === undefined ? {} : { 'last-event-id': reader.lastEventId }),
      },
      signal: end.signal,
    });
    if (!response.ok || response.body === null) {
      const retryAfter = Number(response.headers.get('retry-after')) || undefined;
      throw new ApiError(response.status, 'There is no event stream.', { retryAfter });
    }
    reader.onReach(false);
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
  // Not every browser can walk through a stream by itself.
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

/** Ends early when the browser says that there is a network again, or somebody looks at the page. */
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
