import { LATE_SILENCE_MS, PATIENCE_MS, SILENCE_MS } from './direct-times.ts';

interface WatchParts {
  readonly patienceMs?: number | undefined;
  /** Called if the receiver is present, but no line opens. */
  readonly onTooLong: () => void;
  /** Called if the receiver has been silent for so long that it must be gone. */
  readonly onSilence: () => void;
}

/**
 * While there is no line, a present receiver sends signals: answers, candidates, requests for another
 * attempt. By these, the sender can tell a receiver that cannot connect from one whose page or computer is
 * gone.
 */
export class ReceiverWatch {
  readonly #parts: WatchParts;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: 'off' | 'silent' | 'heard' | 'late-silent' | 'late-heard' = 'off';

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /** Begins to wait for a line. */
  start(): void {
    const patienceMs = this.#parts.patienceMs ?? PATIENCE_MS;
    this.#state = 'silent';
    this.#wait(patienceMs, () => {
      if (this.#state === 'heard') return this.#becomeLate();
      this.#state = 'late-silent';
      this.#wait(Math.max(0, SILENCE_MS - patienceMs), this.#parts.onSilence);
    });
  }

  /** A signal of the receiver has arrived. */
  noteSignal(): void {
    if (this.#state === 'silent') this.#state = 'heard';
    else if (this.#state === 'late-silent') this.#becomeLate();
    else if (this.#state === 'late-heard') this.#wait(LATE_SILENCE_MS, this.#parts.onSilence);
  }

  /** Waits again after a silence, because the receiver could not be removed and may still be present. */
  waitAgain(): void {
    if (this.#state === 'late-silent') this.#wait(SILENCE_MS, this.#parts.onSilence);
    else if (this.#state === 'late-heard') this.#wait(LATE_SILENCE_MS, this.#parts.onSilence);
  }

  stop(): void {
    this.#state = 'off';
    clearTimeout(this.#timer);
  }

  #becomeLate(): void {
    this.#state = 'late-heard';
    this.#wait(LATE_SILENCE_MS, this.#parts.onSilence);
    this.#parts.onTooLong();
  }

  #wait(ms: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms);
  }
}
