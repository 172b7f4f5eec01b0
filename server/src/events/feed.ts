import type { StoredEvent } from './file-event.ts';
import { LiveEvent, type Subscription } from './subscription.ts';

/** The number of events per page. It is small because writing a page to all streams blocks the event loop. */
const PAGE_SIZE = 100;

type ReadEvents = (afterId: number, limit: number) => Promise<readonly StoredEvent[]>;

/**
 * The events of one drive, for its streams on this instance. A stream is live once it has received everything
 * that the feed has read: each new event is read once and written to all live streams. A stream may be
 * behind, because it missed events or its client reads slowly. It then gets its own pages until it has caught
 * up, each after the client has read the one before. So no stream buffers much.
 */
export class Feed {
  readonly #read: ReadEvents;
  readonly #onFault: (error: unknown) => void;
  /** The live subscriptions, each with a callback for when it falls behind. */
  readonly #live = new Map<Subscription, () => void>();
  /** The id up to which live subscriptions have received all events; undefined while there are none. */
  #position: number | undefined;
  /** The id of the newest event that the feed was notified of. */
  #newestId = 0;
  #isReading = false;

  constructor(read: ReadEvents, onFault: (error: unknown) => void) {
    this.#read = read;
    this.#onFault = onFault;
  }

  /** Must be called when the drive gets an event with this id. */
  noteEvent(id: number): void {
    this.#newestId = Math.max(this.#newestId, id);
    this.readIfBehind();
  }

  /** Reads new events, if there are any. After an error, the next call tries again. */
  readIfBehind(): void {
    if (!this.#isReading && this.#isBehind()) void this.#readNew();
  }

  /**
   * Serves a subscription until its stream ends.
   * @param mayHaveMissed whether there may be events after its position that the feed was not notified of
   */
  async serve(subscription: Subscription, mayHaveMissed: boolean): Promise<void> {
    const { stream } = subscription;
    const closed = stream.closed();
    for (let mustRead = mayHaveMissed; stream.isOpen; ) {
      if (mustRead || !this.#mayJoin(subscription)) {
        mustRead = !(await this.#catchUp(subscription));
        continue;
      }
      const { promise: fallenBehind, resolve } = Promise.withResolvers<void>();
      this.#live.set(subscription, resolve);
      this.readIfBehind();
      await Promise.race([closed, fallenBehind]);
      this.#leave(subscription);
      mustRead = true;
    }
  }

  #mayJoin({ position, stream }: Subscription): boolean {
    if (stream.isFull) return false;
    this.#position ??= position;
    return position >= this.#position;
  }

  #leave(subscription: Subscription): void {
    this.#live.delete(subscription);
    if (this.#live.size === 0) this.#position = undefined;
  }

  /**
   * Sends the next page.
   * @returns whether the subscription has caught up; the feed is notified of later events
   */
  async #catchUp(subscription: Subscription): Promise<boolean> {
    await subscription.stream.drained();
    if (!subscription.stream.isOpen) return false;
    const feedPosition = this.#position ?? 0;
    const found = await this.#read(subscription.position, PAGE_SIZE);
    if (!subscription.deliver(found.map(toLive)) || found.length === PAGE_SIZE) return false;
    // The drive has no further events up to the feed's position.
    subscription.skipTo(feedPosition);
    return true;
  }

  #isBehind(): boolean {
    return this.#position !== undefined && this.#position < this.#newestId;
  }

  async #readNew(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#position !== undefined && this.#isBehind()) {
        const [from, newestId] = [this.#position, this.#newestId];
        const found = await this.#read(from, PAGE_SIZE);
        // During the read, all subscriptions may have left, and new ones may have joined at another position.
        if (this.#position !== from) continue;
        const last = found.at(-1)?.id ?? from;
        this.#position = found.length < PAGE_SIZE ? Math.max(last, newestId) : last;
        this.#deliver(found.map(toLive));
      }
    } catch (error) {
      this.#onFault(error);
    } finally {
      this.#isReading = false;
    }
  }

  #deliver(events: readonly LiveEvent[]): void {
    for (const [subscription, onFallenBehind] of this.#live) {
      if (subscription.deliver(events)) continue;
      this.#leave(subscription);
      onFallenBehind();
    }
  }
}

function toLive(event: StoredEvent): LiveEvent {
  return new LiveEvent(event);
}
