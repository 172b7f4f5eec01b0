const WINDOW_MS = 5_000;
/** Before that much time any number would be a guess. */
const LEAST_MS = 500;

/** How fast something goes, over the last seconds. */
export class Speedometer {
  readonly #samples: { readonly at: number; readonly bytes: number }[] = [];

  /** @param bytes in all, up to now; @param at milliseconds */
  note(bytes: number, at: number): void {
    const last = this.#samples.at(-1);
    // It went back: something is sent once more.
    if (last !== undefined && bytes < last.bytes) this.#samples.length = 0;
    this.#samples.push({ at, bytes });
    while (this.#samples.length > 2 && at - (this.#samples[1]?.at ?? at) >= WINDOW_MS) this.#samples.shift();
  }

  /** Begins anew, behind a pause. */
  reset(): void {
    this.#samples.length = 0;
  }

  /** Undefined while there is nothing to tell yet. */
  bytesPerSecond(): number | undefined {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < LEAST_MS) return undefined;
    return ((last.bytes - first.bytes) * 1_000) / (last.at - first.at);
  }
}
