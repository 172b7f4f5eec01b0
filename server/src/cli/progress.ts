import { escapeControlsInLines } from '../base/text/escapes.ts';

const SHOWN_EVERY_MS = 100;
const LOGGED_EVERY_MS = 5_000;

/** The stream that shows progress: standard error. */
interface ProgressScreen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows progress: on a terminal a line that is overwritten, elsewhere a new line every few seconds. */
export class ProgressLine {
  readonly #screen: ProgressScreen;
  readonly #now: () => number;
  #shownAt: number;
  #isShown = false;

  constructor(screen: ProgressScreen, now: () => number = () => performance.now()) {
    this.#screen = screen;
    this.#now = now;
    // In a log, the first line appears after a few seconds, so that short commands write none.
    this.#shownAt = screen.isTTY === true ? Number.NEGATIVE_INFINITY : now();
  }

  show(sentence: string): void {
    const isTerminal = this.#screen.isTTY === true;
    if (this.#now() - this.#shownAt < (isTerminal ? SHOWN_EVERY_MS : LOGGED_EVERY_MS)) return;
    this.#shownAt = this.#now();
    this.#isShown = isTerminal;
    const text = escapeControlsInLines(sentence);
    this.#screen.write(isTerminal ? `\r\u001b[K${text}` : `${text}\n`);
  }

  /** Removes the progress line, so that a permanent line can be printed. */
  clear(): void {
    if (this.#isShown) this.#screen.write('\r\u001b[K');
    this.#isShown = false;
  }
}
