import { isOver, nextPhase, type Phase, type PhaseEvent } from './phases.ts';
import { Speedometer } from './speedometer.ts';

/** The reason why a transfer ended before it was done. */
export type Ending =
  | { readonly kind: 'cancelled' | 'cancelled-there' | 'expired' | 'gone' | 'taken' }
  /** An error of the API, or a `TransferFault`. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** The state of a transfer that the page shows. */
export interface TransferState {
  readonly phase: Phase;
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** The completed bytes of each file. */
  readonly done: readonly number[];
  readonly doneBytes: number;
  readonly totalBytes: number;
  readonly bytesPerSecond: number | undefined;
  readonly pickupCode: string | undefined;
  /** The secret of an encrypted transfer, in its canonical form. */
  readonly secret: string | undefined;
  /** Without a secret: words that are the same on both pages, unless someone intercepts the connection. */
  readonly words: readonly string[] | undefined;
  /** Milliseconds since 1970, by this machine's clock. */
  readonly expiresAt: number | undefined;
  /** The name of the other user, if that user is logged in. */
  readonly peerName: string | undefined;
  /**
   * Sender: whether the page is asking the service to store the files. Receiver: whether the sender is
   * uploading them to the service.
   */
  readonly isStoring: boolean;
  /** Receiver: the number of bytes that the service has stored already. */
  readonly storedBytes: number;
  /** Sender: the user's other device that was asked to receive the transfer. */
  readonly offer: { readonly device: string; readonly isDeclined: boolean } | undefined;
  /** Whether the service has a relay for pages that cannot reach each other; undefined while unknown. */
  readonly hasRelay: boolean | undefined;
  /** Sender: whether the user has declined to store the files. Then the pages keep trying to connect. */
  readonly refusesStoring: boolean;
  /** Sender: whether the last receiver has left. The code still works. */
  readonly hasPeerLeft: boolean;
  readonly ending: Ending | undefined;
}

/** The interval at which a page shows the progress. */
const SHOW_MS = 200;

/**
 * Stores the state and notifies React of changes: immediately, except that progress is shown at intervals.
 */
export class TransferStore {
  readonly #speed = new Speedometer();
  readonly #listeners = new Set<() => void>();
  #state: TransferState;
  #shownAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #measure: (() => readonly number[]) | undefined;

  constructor(files: TransferState['files']) {
    this.#state = {
      phase: 'preparing',
      files,
      done: files.map(() => 0),
      doneBytes: 0,
      totalBytes: files.reduce((sum, { size }) => sum + size, 0),
      ...{ bytesPerSecond: undefined, pickupCode: undefined, expiresAt: undefined, peerName: undefined },
      ...{ isStoring: false, storedBytes: 0, ending: undefined, secret: undefined, words: undefined },
      ...{ offer: undefined, hasRelay: undefined, refusesStoring: false, hasPeerLeft: false },
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): TransferState => this.#state;

  get phase(): Phase {
    return this.#state.phase;
  }

  get isOver(): boolean {
    return isOver(this.#state.phase);
  }

  /** Returns whether the event has changed the phase. */
  enter(event: PhaseEvent, change: Partial<TransferState> = {}): boolean {
    const phase = nextPhase(this.#state.phase, event);
    if (phase === this.#state.phase) return false;
    // The time between two phases must not count as slow progress.
    this.#speed.reset();
    this.change({ bytesPerSecond: undefined, ...change, phase });
    return true;
  }

  change(change: Partial<TransferState>): void {
    this.#flush();
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }

  /** @param measure returns the bytes of each file; called when it is time to show them */
  progress(measure: () => readonly number[]): void {
    this.#measure = measure;
    const wait = this.#shownAt + SHOW_MS - performance.now();
    if (wait <= 0) this.change({});
    else this.#timer ??= setTimeout(() => this.change({}), wait);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#measure === undefined) return;
    const done = this.#measure();
    this.#measure = undefined;
    this.#shownAt = performance.now();
    const doneBytes = done.reduce((sum, bytes) => sum + bytes, 0);
    this.#speed.addSample(doneBytes, this.#shownAt);
    this.#state = { ...this.#state, done, doneBytes, bytesPerSecond: this.#speed.bytesPerSecond() };
  }
}
