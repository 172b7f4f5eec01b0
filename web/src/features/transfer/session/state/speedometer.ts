const WINDOW_MS = 5_000;
/** The minimum time of a measurement. Any earlier speed would be a guess. */
const MIN_MS = 500;

/** The speed over the last seconds. */
export class Speedometer {
  readonly #samples: { readonly at: number; readonly bytes: number }[] = [];

  /** @param bytes the total so far @param at milliseconds */
  addSample(bytes: number, at: number): void {
    const last = this.#samples.at(-1);
    // A smaller total means that bytes are being sent again.
    if (last !== undefined && bytes < last.bytes) this.#samples.length = 0;
    this.#samples.push({ at, bytes });
    while (this.#samples.length > 2 && at - (this.#samples[1]?.at ?? at) >= WINDOW_MS) this.#samples.shift();
  }

  /** Starts again after a pause. */
  reset(): void {
    this.#samples.length = 0;
  }

  /** Undefined while there is too little to measure. */
  bytesPerSecond(): number | undefined {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < MIN_MS) return undefined;
    return ((last.bytes - first.bytes) * 1_000) / (last.at - first.at);
  }
}
