import { toTimestamp } from '../base/dates.ts';
import type { AccountInDrive } from '../base/domain/drives.ts';
import { isAtOrBelow } from '../base/text/names/logical-path.ts';
import { type EventStream, toFrame } from '../http/event-stream.ts';
import { isVisibleTo, type StoredEvent } from './file-event.ts';

/** Whose stream it is, and which events of the drive it gets. */
export interface EventFilter extends AccountInDrive {
  /** A logical path. The stream gets events at and below it. */
  readonly path: string;
  /** The client of the stream, which does not get the events that it caused itself. */
  readonly clientId: string | null;
  /** Whether the drive is a shared one. Its events name their actors, and the account must be a member. */
  readonly isShared: boolean;
}

/** A stream with its filter and position. */
export class Subscription {
  readonly filter: EventFilter;
  readonly stream: EventStream;
  /** All matching events up to this id were sent. */
  position: number;

  constructor(stream: EventStream, filter: EventFilter, position: number) {
    this.stream = stream;
    this.filter = filter;
    this.position = position;
  }

  /**
   * Sends matching events that were not sent yet, until the stream's buffer is full.
   * @param events in order and without gaps after the position
   * @returns whether all events were sent or skipped
   */
  deliver(events: readonly LiveEvent[]): boolean {
    for (const event of events) {
      if (event.id <= this.position) continue;
      if (this.stream.isFull) return false;
      if (matches(event, this.filter)) this.stream.write(event.toFrame(this.filter.isShared));
      this.position = event.id;
    }
    return true;
  }

  /** Must be called only if there are no further events up to the id. */
  skipTo(id: number): void {
    this.position = Math.max(this.position, id);
  }
}

/**
 * Whether one of the paths of an event is at or below the path of the filter. Compares whole segments: `/ab`
 * is not below `/a`.
 */
function matches(
  event: Pick<LiveEvent, 'fromPath' | 'toPath' | 'isVisibleTo' | 'isCausedBy'>,
  filter: EventFilter,
): boolean {
  const { path, accountId } = filter;
  if (!event.isVisibleTo(accountId) || event.isCausedBy(filter)) return false;
  return [event.fromPath, event.toPath].some(
    (concerned) => concerned !== null && isAtOrBelow(concerned, path),
  );
}

/** An event for any number of streams. Its frame is built once, and only if a stream needs it. */
export class LiveEvent {
  readonly #stored: StoredEvent;
  #frame: Buffer | undefined;

  constructor(stored: StoredEvent) {
    this.#stored = stored;
  }

  get id(): number {
    return this.#stored.id;
  }

  get fromPath(): string | null {
    return this.#stored.fromPath;
  }

  get toPath(): string | null {
    return this.#stored.toPath;
  }

  /**
   * Whether the client of that account made the change. Clients choose their ids, so in a shared drive
   * another account may have used the same one.
   */
  isCausedBy({ clientId, accountId }: Pick<EventFilter, 'clientId' | 'accountId'>): boolean {
    const { clientId: own, actorId } = this.#stored;
    // Personal drives store no actor.
    return clientId !== null && clientId === own && (actorId === null || actorId === accountId);
  }

  isVisibleTo(accountId: number): boolean {
    return isVisibleTo(this.#stored, accountId);
  }

  /** @param isShared the same for all streams of a drive */
  toFrame(isShared: boolean): Buffer {
    this.#frame ??= toFrame(this.id, this.#stored.eventType, toJson(this.#stored, isShared));
    return this.#frame;
  }
}

function toJson(stored: StoredEvent, isShared: boolean): string {
  const { eventType, entryId, fromPath, toPath, clientId, payload, createdAt, actorId, actorName } = stored;
  const [before, after] = [
    { eventType, fileId: entryId, fromPath, toPath, clientId },
    { createdAt: toTimestamp(createdAt), ...(isShared && { actorId, actorName }) },
  ].map((part) => JSON.stringify(part).slice(1, -1));
  // The payload is JSON already.
  return `{${before},"payload":${payload},${after}}`;
}
