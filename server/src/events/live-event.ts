import { toTimestamp } from '../base/dates.ts';
import { toFrame } from '../http/event-stream.ts';
import type { StoredEvent } from './file-event.ts';

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

  get clientId(): string | null {
    return this.#stored.clientId;
  }

  get frame(): Buffer {
    this.#frame ??= toFrame(this.id, this.#stored.eventType, toJson(this.#stored));
    return this.#frame;
  }
}

function toJson({ eventType, entryId, fromPath, toPath, clientId, payload, createdAt }: StoredEvent): string {
  const [before, after] = [
    { eventType, fileId: entryId, fromPath, toPath, clientId },
    { createdAt: toTimestamp(createdAt) },
  ].map((part) => JSON.stringify(part).slice(1, -1));
  // The payload is JSON already.
  return `{${before},"payload":${payload},${after}}`;
}
