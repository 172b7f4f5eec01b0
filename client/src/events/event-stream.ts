import { HoldallError, ProtocolError, TimeoutError, UnreachableError } from '../errors/errors.ts';
import type { FileEventRecord } from '../generated/records.ts';
import type { RequestOptions } from '../requests/operation-types.ts';
import { backoffMs, wait } from '../requests/waiting.ts';
import { type Message, MessageReader } from './server-sent-events.ts';

/**
 * What `Events.watch` yields. Store `cursor` once the event has been handled: it says where to continue, also
 * in another run of the program.
 */
export type DriveEvent =
  /** The stream is open, and all changes from now on will arrive. This is the moment to list the drive. */
  | { readonly kind: 'ready'; readonly cursor: number }
  /** Something changed. */
  | { readonly kind: 'change'; readonly cursor: number; readonly change: FileEventRecord }
  /** Changes are missing, because the cursor was too old: list the drive again. The stream continues. */
  | { readonly kind: 'resync'; readonly cursor: number }
  /**
   * Only in the personal drive: the list of the user's drives, a name or a role in it may have changed. It is
   * in `drives.list`.
   */
  | { readonly kind: 'drives'; readonly cursor: number }
  /**
   * Only in the personal drive: the user may have got or read notifications. They are in
   * `notifications.list`.
   */
  | { readonly kind: 'notifications'; readonly cursor: number };

// The events of a drive as one endless sequence, over as many connections as needed.

/** Opens the stream. @throws HoldallError */
type OpenEvents = (options: RequestOptions) => Promise<Response>;

interface EventStreamOptions {
  /** Yields the events after this one. Undefined means from now on. */
  readonly cursor: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** After this many milliseconds of silence, the stream is opened again. */
  readonly silenceMs: number;
  /** After more connections than this without an event, the error is thrown. By default, never. */
  readonly maxFailures?: number | undefined;
  /** Whether the service announces changes of the user's drives, and notifications, on this stream. */
  readonly isPersonal: boolean;
}

/**
 * Yields the events in order, each once. Opens the stream again when it ends, unless the error is permanent.
 * @throws HoldallError, such as `UnauthenticatedError` when the login has ended; the reason of the signal
 */
export async function* followEvents(
  open: OpenEvents,
  {
    cursor: start,
    signal,
    silenceMs,
    maxFailures = Number.POSITIVE_INFINITY,
    isPersonal,
  }: EventStreamOptions,
): AsyncGenerator<DriveEvent, void, undefined> {
  let cursor = start;
  let failures = 0;
  let isFirst = true;
  for (;;) {
    try {
      for await (const message of readMessages(open, cursor, { signal, silenceMs })) {
        failures = 0;
        const event = toEvent(message);
        if (event === undefined) continue;
        // On each new connection, the service sends its start cursor again. The reader does not need that.
        const isNew =
          event.kind === 'change' ? event.cursor > (cursor ?? 0) : isFirst || event.kind !== 'ready';
        const hasCursor = event.kind === 'change' || event.kind === 'resync';
        cursor = hasCursor ? event.cursor : (cursor ?? event.cursor);
        // The service does not repeat what it announced while the stream was broken.
        if (event.kind === 'ready' && !isFirst && isPersonal) {
          yield { kind: 'drives', cursor };
          yield { kind: 'notifications', cursor };
        }
        isFirst = false;
        if (isNew) yield isAnnouncement(event) ? { ...event, cursor } : event;
      }
      // The service ends a stream when its token expires, and when it shuts down.
      failures += 1;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof HoldallError) || !error.isPassing) throw error;
      failures += 1;
      if (failures > maxFailures) throw error;
      await wait(backoffMs(failures, error.retryAfterSeconds), signal);
      continue;
    }
    if (failures > 1) await wait(backoffMs(failures, undefined), signal);
  }
}

/**
 * Yields the messages of one connection, and the comments between them.
 * @param cursor the id of the last known message
 * @throws HoldallError; the reason of the signal
 */
export async function* readMessages(
  open: OpenEvents,
  cursor: number | string | undefined,
  { signal, silenceMs }: Pick<EventStreamOptions, 'signal' | 'silenceMs'>,
): AsyncGenerator<Message, void, undefined> {
  const ending = new AbortController();
  const signals = signal === undefined ? [ending.signal] : [signal, ending.signal];
  const headers = cursor === undefined ? {} : { 'last-event-id': `${cursor}` };
  const end = () => ending.abort(new TimeoutError(`The event stream was silent for ${silenceMs / 1_000} s.`));
  let silence: ReturnType<typeof setTimeout> | undefined;
  try {
    const { body } = await open({ signal: AbortSignal.any(signals), retries: 0, headers });
    if (body === null) return;
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    const messages = new MessageReader();
    for (;;) {
      silence = setTimeout(end, silenceMs);
      const { done, value } = await reader.read();
      clearTimeout(silence);
      if (done) return;
      yield* messages.read(value);
    }
  } catch (error) {
    if (ending.signal.aborted) throw ending.signal.reason;
    if (error instanceof HoldallError || signal?.aborted === true) throw error;
    if (error instanceof RangeError) throw new ProtocolError(error.message);
    throw new UnreachableError(error);
  } finally {
    clearTimeout(silence);
    // Closes the connection when the reader stops.
    ending.abort(new UnreachableError(undefined));
  }
}

/** Whether the event has no place among the changes of the drive. */
function isAnnouncement({ kind }: DriveEvent): boolean {
  return kind === 'drives' || kind === 'notifications';
}

/** Undefined for comments, and for message types of later versions. */
function toEvent(message: Message): DriveEvent | undefined {
  if (message.type === 'comment') return undefined;
  const cursor = Number(message.id);
  if (message.id === '' || !Number.isSafeInteger(cursor))
    throw new ProtocolError('An event of the stream has no number.');
  if (message.event === 'READY') return { kind: 'ready', cursor };
  if (message.event === 'RESYNC') return { kind: 'resync', cursor };
  if (message.event === 'DRIVES_CHANGED') return { kind: 'drives', cursor };
  if (message.event === 'NOTIFICATION') return { kind: 'notifications', cursor };
  const data: unknown = JSON.parse(message.data);
  if (typeof data !== 'object' || data === null || !('payload' in data)) return undefined;
  // The data contains the members of a record except for its id, which is that of the message.
  return { kind: 'change', cursor, change: { id: cursor, ...data } as FileEventRecord };
}
