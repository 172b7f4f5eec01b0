import { CursorTooOldError, ExpiredError, UnreachableError } from '../errors/errors.ts';
import type { Changes, FileEventRecord } from '../generated/records.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';
import { type DriveEvent, followEvents } from './event-stream.ts';

export interface WatchOptions {
  /** Only changes at or below this path; `/` if absent. */
  readonly path?: string | undefined;
  /** `cursor` of the last handled event, possibly from another run. If absent, from now on. */
  readonly cursor?: number | undefined;
  /** Ends the iteration; it then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** After this many milliseconds of silence, the stream is opened again; 45,000 if absent. */
  readonly silenceMs?: number | undefined;
}

/** The service writes a comment every 15 seconds. */
const DEFAULT_SILENCE_MS = 45_000;

const CHANGES_PER_REQUEST = 1_000;

/** For a single request, because a caller waits for its result. */
const MAX_FAILURES = 3;

/** The changes in the drive. */
export class Events {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /**
   * Yields all changes, endlessly and without a gap: the stream is opened again whenever it breaks.
   *
   * ```ts
   * for await (const event of holdall.events.watch({ signal })) {
   *   if (event.kind === 'resync') await listEverythingAgain();
   *   if (event.kind === 'change') console.log(event.change.eventType, event.change.toPath);
   * }
   * ```
   *
   * Changes made with the `clientId` of this `Holdall` are left out.
   * @throws HoldallError for a permanent error, such as `UnauthenticatedError`
   */
  watch(options: WatchOptions = {}): AsyncGenerator<DriveEvent, void, undefined> {
    return this.#follow(options, undefined);
  }

  /**
   * Requests one page of past events, at most 1,000.
   * @param cursor `nextCursor` of the previous request; undefined for the oldest stored events
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

  /** Yields all events after a cursor, up to now. @throws HoldallError: `CursorTooOldError` */
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

  /**
   * The cursor of the newest event. Get it before you list the drive, and watch from there.
   * @throws HoldallError
   */
  async newestCursor(options: Pick<CallOptions, 'signal'> = {}): Promise<number> {
    for await (const { cursor } of this.#follow(options, MAX_FAILURES)) return cursor;
    throw new UnreachableError(undefined);
  }

  #follow(
    { path, cursor, signal, silenceMs = DEFAULT_SILENCE_MS }: WatchOptions,
    maxFailures: number | undefined,
  ) {
    const { headers } = this.#requester.settings;
    return followEvents(
      (request) => this.#requester.open('GET /api/v2/files/events', { query: { path } }, request),
      { cursor, signal, silenceMs, maxFailures, isPersonal: !('x-service-drive' in headers) },
    );
  }
}
