import type { QueryExecutorProvider } from 'kysely';

/** Carries what transactions tell from each instance to all of them, itself included. */
export interface Wire {
  /** Sends the word if and when the transaction commits. */
  send(tx: QueryExecutorProvider, word: string): Promise<void>;
  /** Begins to listen, the first time it is called, and goes on until it is closed. */
  listen(listener: WireListener): void;
  close(): Promise<void>;
}

export interface WireListener {
  /** Called with every word that was sent while the wire stood. */
  readonly hear: (word: string) => void;
  /** Called each time the wire stands (again): words may have been missed before. */
  readonly lookAgain: () => void;
}
