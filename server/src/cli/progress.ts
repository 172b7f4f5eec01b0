const SHOWN_EVERY_MS = 100;
const LOGGED_EVERY_MS = 5_000;

/** Where progress is shown: standard error. */
export interface ProgressScreen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** One line that changes on a terminal, and elsewhere a line every few seconds. */
export class ProgressLine {
  readonly #screen: ProgressScreen;
  readonly #now: () => number;
  #shownAt: number;
  #isShown = false;

  constructor(screen: ProgressScreen, now: () => number = () => performance.now()) {
    this.#screen = screen;
    this.#now = now;
    // A short command has nothing to tell a log.
    this.#shownAt = screen.isTTY === true ? Number.NEGATIVE_INFINITY : now();
  }

  show(sentence: string): void {
    const isTerminal = this.#screen.isTTY === true;
    if (this.#now() - this.#shownAt < (isTerminal ? SHOWN_EVERY_MS : LOGGED_EVERY_MS)) return;
    this.#shownAt = this.#now();
    this.#isShown = isTerminal;
    this.#screen.write(isTerminal ? `\r\u001b[K${sentence}` : `${sentence}\n`);
  }

  /** Makes room for something that stays. */
  clear(): void {
    if (this.#isShown) this.#screen.write('\r\u001b[K');
    this.#isShown = false;
  }
}
