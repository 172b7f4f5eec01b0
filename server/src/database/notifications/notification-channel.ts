import type { QueryExecutorProvider } from 'kysely';

/** Carries words from each instance to all of them, itself included. */
export interface Wire {
  /** Sends the word if and when the transaction commits. For those who hear `wakeup`. */
  send(tx: QueryExecutorProvider, word: string): Promise<void>;
  /**
   * Sends a word soon, outside of any transaction, to those who hear `news`. Of the words under one key that wait to be
   * sent only the newest goes. What cannot be sent is kept until it can, and lost when this instance ends before.
   */
  post(key: string, word: string): void;
  /** Hears from now on, until the wire is closed. */
  listen(listener: WireListener): void;
  /** Sends what still waits, for a second at most, and ends. */
  close(): Promise<void>;
}

export interface WireListener {
  readonly to: 'wakeup' | 'news';
  /** Called with every word that was sent while the wire stood. */
  readonly hear: (word: string) => void;
  /** Called each time the wire stands (again): words may have been missed before. */
  readonly lookAgain: () => void;
}
