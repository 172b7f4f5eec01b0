import type { EventStream } from '../http/event-stream.ts';
import type { LiveEvent } from './live-event.ts';

/** Which events somebody wants. */
export interface Interest {
  readonly ownerId: number;
  /** A logical path: events at it and below it. */
  readonly path: string;
  /** Of whoever listens: its own deeds it knows. */
  readonly clientId: string | null;
}

/** Somebody's stream, and how far it has come. */
export class Subscription {
  readonly interest: Interest;
  readonly stream: EventStream;
  /** Everything up to this number was sent, or is not of interest. */
  position: number;

  constructor(stream: EventStream, interest: Interest, position: number) {
    this.stream = stream;
    this.interest = interest;
    this.position = position;
  }

  /**
   * Sends what is of interest and was not sent yet, as far as the reader keeps up.
   * @param events in order, and all that there are behind the position
   * @returns whether all of them were dealt with
   */
  deliver(events: readonly LiveEvent[]): boolean {
    for (const event of events) {
      if (event.id <= this.position) continue;
      if (this.stream.isFull) return false;
      if (concerns(event, this.interest)) this.stream.write(event.frame);
      this.position = event.id;
    }
    return true;
  }

  /** To be called when nothing is there up to a number. */
  skipTo(id: number): void {
    this.position = Math.max(this.position, id);
  }
}

/** Whether an event is of interest: by whole segments, `/a` is not above `/ab`; either of its paths will do. */
export function concerns(
  event: Pick<LiveEvent, 'fromPath' | 'toPath' | 'clientId'>,
  { path, clientId }: Pick<Interest, 'path' | 'clientId'>,
): boolean {
  if (clientId !== null && clientId === event.clientId) return false;
  return isAtOrBelow(event.fromPath, path) || isAtOrBelow(event.toPath, path);
}

function isAtOrBelow(path: string | null, directory: string): boolean {
  if (path === null) return false;
  return directory === '/' || path === directory || path.startsWith(`${directory}/`);
}
