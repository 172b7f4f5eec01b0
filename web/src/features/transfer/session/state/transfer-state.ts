import { isOver, nextPhase, type Phase, type PhaseEvent } from './phases.ts';
import { Speedometer } from './speedometer.ts';

/** Why a transfer ended before it was done. */
export type Ending =
  | { readonly kind: 'cancelled' | 'cancelled-there' | 'expired' | 'gone' | 'taken' }
  /** Of the API, or a `TransferFault`. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** A transfer as a page shows it. */
export interface TransferState {
  readonly phase: Phase;
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** By file, in bytes. */
  readonly done: readonly number[];
  readonly doneBytes: number;
  readonly totalBytes: number;
  readonly bytesPerSecond: number | undefined;
  readonly pickupCode: string | undefined;
  /** The secret of an encrypted transfer, in its canonical form. */
  readonly secret: string | undefined;
  /** Without a secret: the words that the other page shows too if nobody is in between. */
  readonly words: readonly string[] | undefined;
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly expiresAt: number | undefined;
  /** The name of whoever is at the other end, if they have one here. */
  readonly peerName: string | undefined;
  /** Sender: the room for them is being asked for. Receiver: they are on their way to the service. */
  readonly isStoring: boolean;
  /** Receiver: how much of it is there already. */
  readonly storedBytes: number;
  /** Sender: the device of the same user that was asked to receive it. */
  readonly offer: { readonly device: string; readonly isDeclined: boolean } | undefined;
  /** Whether the service has a relay for pages that cannot reach each other; undefined while unknown. */
  readonly hasRelay: boolean | undefined;
  /** Sender: the user does not want the files to be stored, and goes on trying. */
  readonly refusesStoring: boolean;
  readonly ending: Ending | undefined;
}

/** So often a page shows how far it is. */
const SHOW_MS = 200;

/** Holds the state for React, and tells it of changes: at once those that matter, now and then those of progress. */
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
      ...{ offer: undefined, hasRelay: undefined, refusesStoring: false },
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

  /** Gives whether it means anything in the present phase. */
  enter(event: PhaseEvent, change: Partial<TransferState> = {}): boolean {
    const phase = nextPhase(this.#state.phase, event);
    if (phase === this.#state.phase) return false;
    // A pause is not slowness.
    this.#speed.reset();
    this.change({ bytesPerSecond: undefined, ...change, phase });
    return true;
  }

  change(change: Partial<TransferState>): void {
    this.#flush();
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }

  /** @param measure gives the bytes by file, when it is time to show them */
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
