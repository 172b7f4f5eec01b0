import { formatBytes, formatCount } from './format.ts';

const BAR_WIDTH = 30;
const TERMINAL_INTERVAL_MS = 100;
const LINE_INTERVAL_MS = 3_000;

/** The expected total, as far as it is known. */
export interface Amount {
  readonly count: number;
  readonly bytes?: number;
}

/** Shows the progress of a step: a bar on a terminal, otherwise a line every few seconds. */
export class Progress {
  #label = '';
  #whole: Amount | undefined;
  #count = 0;
  #bytes = 0;
  #shownAt = 0;
  readonly #output: NodeJS.WriteStream;

  constructor(output: NodeJS.WriteStream) {
    this.#output = output;
  }

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#bytes;
  }

  start(label: string, whole?: Amount): void {
    this.#label = label;
    this.#whole = whole;
    this.#count = 0;
    this.#bytes = 0;
    this.#shownAt = performance.now();
    if (this.#output.isTTY) this.#show();
  }

  addCount(count = 1): void {
    this.#count += count;
    this.#showSometimes();
  }

  addBytes(bytes: number): void {
    this.#bytes += bytes;
    this.#showSometimes();
  }

  /** Removes the bar and writes one line in its place. */
  finish(line: string): void {
    this.#output.write(this.#output.isTTY ? `\r\u001b[2K${line}\n` : `${line}\n`);
  }

  #showSometimes(): void {
    const interval = this.#output.isTTY ? TERMINAL_INTERVAL_MS : LINE_INTERVAL_MS;
    if (performance.now() - this.#shownAt < interval) return;
    this.#shownAt = performance.now();
    this.#show();
  }

  #show(): void {
    const part = this.#part();
    const percent = part === undefined ? '' : `${String(Math.floor(part * 100)).padStart(3)}% `;
    const amounts = [
      ...(this.#count > 0 ? [formatCount(this.#count)] : []),
      ...(this.#bytes > 0 ? [formatBytes(this.#bytes)] : []),
    ];
    const text = `${this.#label}: ${percent}${amounts.join(', ')}`;
    if (!this.#output.isTTY) {
      this.#output.write(`  ${text}\n`);
      return;
    }
    const filled = Math.floor((part ?? 0) * BAR_WIDTH);
    const bar = part === undefined ? '' : `[${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] `;
    this.#output.write(`\r\u001b[2K${`${bar}${text}`.slice(0, (this.#output.columns ?? 80) - 1)}`);
  }

  // By bytes if they are known, because a count says little when one file is as large as all others.
  #part(): number | undefined {
    const { bytes, count } = this.#whole ?? { count: 0 };
    if (bytes !== undefined && bytes > 0) return Math.min(1, this.#bytes / bytes);
    return count > 0 ? Math.min(1, this.#count / count) : undefined;
  }
}
