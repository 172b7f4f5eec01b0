/** The period over which the speed is measured. */
const WINDOW_MS = 8_000;
/** The minimum interval between two samples. */
const STEP_MS = 250;
/** The minimum time of a measurement. Any earlier speed would be a guess. */
const MIN_MS = 750;

/** The speed over the last seconds. */
export class Speed {
  #marks: { readonly at: number; readonly bytes: number }[] = [];
  #bytes = 0;

  /** Adds bytes that were sent. */
  add(bytes: number, now: number): void {
    this.#bytes += bytes;
    const last = this.#marks.at(-1);
    if (last !== undefined && now - last.at < STEP_MS) return;
    this.#marks.push({ at: now, bytes: this.#bytes });
    while (this.#marks.length > 2 && now - (this.#marks[1]?.at ?? now) > WINDOW_MS) this.#marks.shift();
  }

  /** Bytes per second; undefined while there is too little to measure. */
  at(now: number): number | undefined {
    const first = this.#marks[0];
    if (first === undefined || now - first.at < MIN_MS) return undefined;
    return ((this.#bytes - first.bytes) / (now - first.at)) * 1_000;
  }

  /** Starts again after a pause. */
  reset(): void {
    this.#marks = [];
  }
}
