import type { StoredEvent } from './file-event.ts';
import { LiveEvent } from './live-event.ts';
import type { Subscription } from './subscription.ts';

/** In one go: writing them to everybody keeps the event loop. */
const MOST_AT_ONCE = 100;

export type ReadEvents = (behind: number, most: number) => Promise<readonly StoredEvent[]>;

/**
 * What happens in one drive, for those here who follow it. Those who have come as far as the feed are live: what is new
 * is read once and written to all of them. Whoever is behind, because of what was missed or by reading slowly, is given
 * its own pages, each when the one before is read, until it has caught up. So nobody's stream holds more than a little.
 */
export class Feed {
  readonly #read: ReadEvents;
  readonly #onFault: (error: unknown) => void;
  /** Those who are live, and what tells them that they have fallen behind. */
  readonly #live = new Map<Subscription, () => void>();
  /** How far those who are live have come; undefined while there are none. */
  #position: number | undefined;
  /** There is something up to this number, as we were told. */
  #toldUpTo = 0;
  #isReading = false;

  constructor(read: ReadEvents, onFault: (error: unknown) => void) {
    this.#read = read;
    this.#onFault = onFault;
  }

  /** To be called when there is an event of that number. */
  noteEvent(id: number): void {
    this.#toldUpTo = Math.max(this.#toldUpTo, id);
    this.readIfBehind();
  }

  /** Reads what is new, if there is something. After a fault the next call tries again. */
  readIfBehind(): void {
    if (!this.#isReading && this.#isBehind()) void this.#readNew();
  }

  /**
   * Serves a subscription until its stream is over.
   * @param isBehind whether there may be events behind its position of which the feed was not told
   */
  async serve(subscription: Subscription, isBehind: boolean): Promise<void> {
    const { stream } = subscription;
    const closed = stream.closed();
    for (let mustRead = isBehind; stream.isOpen; ) {
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

  /** Sends the next page. @returns whether nothing was left behind it: of what comes now, the feed is told */
  async #catchUp(subscription: Subscription): Promise<boolean> {
    await subscription.stream.drained();
    if (!subscription.stream.isOpen) return false;
    const feedPosition = this.#position ?? 0;
    const found = await this.#read(subscription.position, MOST_AT_ONCE);
    if (!subscription.deliver(found.map(toLive)) || found.length === MOST_AT_ONCE) return false;
    // Nothing else is there up to where the feed was.
    subscription.skipTo(feedPosition);
    return true;
  }

  #isBehind(): boolean {
    return this.#position !== undefined && this.#position < this.#toldUpTo;
  }

  async #readNew(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#position !== undefined && this.#isBehind()) {
        const [from, toldUpTo] = [this.#position, this.#toldUpTo];
        const found = await this.#read(from, MOST_AT_ONCE);
        // Meanwhile all may have left, and others come who begin elsewhere.
        if (this.#position !== from) continue;
        const last = found.at(-1)?.id ?? from;
        this.#position = found.length < MOST_AT_ONCE ? Math.max(last, toldUpTo) : last;
        this.#deliver(found.map(toLive));
      }
    } catch (error) {
      this.#onFault(error);
    } finally {
      this.#isReading = false;
    }
  }

  #deliver(events: readonly LiveEvent[]): void {
    for (const [subscription, fallBehind] of this.#live) {
      if (subscription.deliver(events)) continue;
      this.#leave(subscription);
      fallBehind();
    }
  }
}

function toLive(event: StoredEvent): LiveEvent {
  return new LiveEvent(event);
}
