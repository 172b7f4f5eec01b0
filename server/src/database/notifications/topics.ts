import type { NotificationChannel } from './notification-channel.ts';

interface TopicSubscriber {
  /** Called with each message on the topic. A message may arrive twice, or after a newer one. */
  readonly onMessage: (message: string) => void;
  /** Called when messages may have been missed. */
  readonly onReconnect: () => void;
}

/**
 * Publishes messages about committed changes to subscribers on every instance. Publishing neither delays the
 * request nor takes part in its transaction. A message is lost when the instance crashes before it is sent,
 * so messages are only hints to read the database. Subscribers also read it from time to time without one.
 */
export class Topics {
  readonly #channel: NotificationChannel | undefined;
  readonly #subscribers = new Map<string, TopicSubscriber>();
  #isConnected = false;

  /** @param channel undefined when only one instance can use the database */
  constructor(channel: NotificationChannel | undefined) {
    this.#channel = channel;
  }

  /** Each topic has one subscriber per instance. */
  subscribe(topic: string, subscriber: TopicSubscriber): void {
    if (this.#subscribers.has(topic)) throw new Error(`The topic ${topic} already has a subscriber.`);
    this.#subscribers.set(topic, subscriber);
  }

  /**
   * Starts to receive messages from other instances, and calls `onReconnect` once, because earlier ones were
   * missed. Until then, subscribers only get messages from this instance. Further calls do nothing.
   */
  connect(): void {
    if (this.#isConnected) return;
    this.#isConnected = true;
    this.#channel?.subscribe({
      kind: 'topic',
      onMessage: (envelope) => this.#deliver(envelope),
      onReconnect: () => {
        for (const { onReconnect } of this.#subscribers.values()) onReconnect();
      },
    });
  }

  /**
   * Call it after the commit of the change that the message is about.
   * @param key a newer message with the same topic and key replaces this one if it has not been sent yet
   * @param message at most a few hundred bytes
   */
  publish(topic: string, key: string | number, message: string): void {
    // Subscribers on this instance get the message immediately, and again through the channel.
    this.#subscribers.get(topic)?.onMessage(message);
    this.#channel?.publish(`${topic} ${key}`, `${topic} ${message}`);
  }

  #deliver(envelope: string): void {
    const space = envelope.indexOf(' ');
    this.#subscribers.get(envelope.slice(0, space))?.onMessage(envelope.slice(space + 1));
  }
}
