import { CursorTooOldError, ExpiredError, UnreachableError } from '../errors/errors.ts';
import type { Changes, FileEventRecord } from '../generated/records.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';
import { type DriveEvent, followEvents } from './event-stream.ts';

export interface WatchOptions {
  /** Only what happens at or below this path; `/` if absent. */
  readonly path?: string | undefined;
  /** `cursor` of the last event that was dealt with, also in another run. Without it, from now on. */
  readonly cursor?: number | undefined;
  /** Ends the iteration; it then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds without a sign of life after which the stream is opened anew; 45,000 if absent. */
  readonly silenceMs?: number | undefined;
}

/** The service writes a comment every 15 seconds. */
const DEFAULT_SILENCE_MS = 45_000;

const CHANGES_PER_REQUEST = 1_000;

/** For a single answer, which somebody waits for. */
const MAX_FAILURES = 3;

/** What happens in the drive. */
export class Events {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /**
   * Everything that happens, without end and without a gap: the stream is opened again whenever it breaks.
   *
   * ```ts
   * for await (const event of holdall.events.watch({ signal })) {
   *   if (event.kind === 'resync') await listEverythingAgain();
   *   if (event.kind === 'change') console.log(event.change.eventType, event.change.toPath);
   * }
   * ```
   *
   * Changes that were made with the `clientId` of this `Holdall` are left out.
   * @throws HoldallError that does not pass, such as `UnauthenticatedError`
   */
  watch(options: WatchOptions = {}): AsyncGenerator<DriveEvent, void, undefined> {
    return this.#follow(options, undefined);
  }

  /**
   * One request for past events, at most 1,000.
   * @param cursor `nextCursor` of the request before; undefined: the oldest events that are kept
   * @throws HoldallError: `CursorTooOldError`
   */
  async changesAfter(
    cursor: number | undefined,
    options: CallOptions & { readonly limit?: number | undefined } = {},
  ): Promise<Changes> {
    const { limit = CHANGES_PER_REQUEST } = options;
    try {
      return await this.#requester.ask('GET /api/v2/files/changes', { query: { cursor, limit } }, options);
    } catch (error) {
      if (!(error instanceof ExpiredError)) throw error;
      const { status, code, requestId, data } = error;
      throw new CursorTooOldError(error.message, { status, code, requestId, data, cause: error });
    }
  }

  /** All past events after a cursor, up to now. @throws HoldallError: `CursorTooOldError` */
  async *changes(
    cursor: number | undefined,
    options: CallOptions = {},
  ): AsyncGenerator<FileEventRecord, void, undefined> {
    for (let after = cursor; ; ) {
      const { items, nextCursor, hasMore } = await this.changesAfter(after, options);
      yield* items;
      if (!hasMore) return;
      after = nextCursor;
    }
  }

  /** The number of the newest event: where to begin before the drive is listed. @throws HoldallError */
  async newestCursor(options: Pick<CallOptions, 'signal'> = {}): Promise<number> {
    for await (const { cursor } of this.#follow(options, MAX_FAILURES)) return cursor;
    throw new UnreachableError(undefined);
  }

  #follow(
    { path, cursor, signal, silenceMs = DEFAULT_SILENCE_MS }: WatchOptions,
    maxFailures: number | undefined,
  ) {
    return followEvents(
      (request) => this.#requester.open('GET /api/v2/files/events', { query: { path } }, request),
      { cursor, signal, silenceMs, maxFailures },
    );
  }
}
