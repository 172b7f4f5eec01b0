import type { Wire } from './notification-channel.ts';

export interface Follower {
  /** Called with each word on the topic. May come twice, and after a later one. */
  readonly hear: (word: string) => void;
  /** Called when words may have been missed. */
  readonly lookAgain: () => void;
}

/**
 * Tells followers on every instance of what has been committed, soon, without making the request wait and without taking
 * part in its transaction. A word may be lost when an instance dies, so it only says where to look: followers look now
 * and then by themselves.
 */
export class Announcements {
  readonly #wire: Wire | undefined;
  readonly #followers = new Map<string, Follower>();
  #isListening = false;

  /** @param wire undefined where there is no instance but this one */
  constructor(wire: Wire | undefined) {
    this.#wire = wire;
  }

  /** One for each topic. */
  follow(topic: string, follower: Follower): void {
    if (this.#followers.has(topic)) throw new Error(`Somebody follows ${topic} already.`);
    this.#followers.set(topic, follower);
  }

  /** From here on the words of other instances are heard too, and `lookAgain` is called once for what came before. */
  listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#wire?.listen({
      to: 'news',
      hear: (text) => this.#hear(text),
      lookAgain: () => {
        for (const { lookAgain } of this.#followers.values()) lookAgain();
      },
    });
  }

  /**
   * To be called when what is told of is committed.
   * @param key a later word with the same topic and key makes this one needless
   * @param word at most a few hundred bytes
   */
  announce(topic: string, key: string | number, word: string): void {
    // Our own followers need not wait for the wire, by which it comes to them again.
    this.#followers.get(topic)?.hear(word);
    this.#wire?.post(`${topic} ${key}`, `${topic} ${word}`);
  }

  #hear(text: string): void {
    const cut = text.indexOf(' ');
    this.#followers.get(text.slice(0, cut))?.hear(text.slice(cut + 1));
  }
}
