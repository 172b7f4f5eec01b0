import type { QueryExecutorProvider } from 'kysely';

/** Delivers messages to every instance that uses the database, including the one that sends them. */
export interface NotificationChannel {
  /** Sends a `wakeup` message when the transaction commits; sends nothing when it is rolled back. */
  publishOnCommit(tx: QueryExecutorProvider, message: string): Promise<void>;
  /**
   * Sends a `topic` message soon, outside any transaction. While messages wait to be sent, a newer one
   * replaces an older one under the same key. A message that cannot be sent is retried, and lost if this
   * instance stops first.
   */
  publish(key: string, message: string): void;
  /** The subscription lasts until the channel is closed. */
  subscribe(subscriber: ChannelSubscriber): void;
  /** Sends the waiting messages, for at most one second, then disconnects. */
  close(): Promise<void>;
}

export interface ChannelSubscriber {
  readonly kind: 'wakeup' | 'topic';
  /** Called with every message that was sent while the channel was connected. */
  readonly onMessage: (message: string) => void;
  /**
   * Called each time the channel has connected, including the first: earlier messages may have been missed.
   */
  readonly onReconnect: () => void;
}
