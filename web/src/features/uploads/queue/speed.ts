/** So far back the speed is looked at. */
const WINDOW_MS = 8_000;
/** More often a mark tells nothing new. */
const STEP_MS = 250;
/** Before that it is a guess. */
const LEAST_MS = 750;

/** How fast bytes go, over the last seconds. */
export class Speed {
  #marks: { readonly at: number; readonly bytes: number }[] = [];
  #bytes = 0;

  /** More bytes have gone. */
  add(bytes: number, now: number): void {
    this.#bytes += bytes;
    const last = this.#marks.at(-1);
    if (last !== undefined && now - last.at < STEP_MS) return;
    this.#marks.push({ at: now, bytes: this.#bytes });
    while (this.#marks.length > 2 && now - (this.#marks[1]?.at ?? now) > WINDOW_MS) this.#marks.shift();
  }

  /** Bytes a second; undefined as long as nobody can know. */
  at(now: number): number | undefined {
    const first = this.#marks[0];
    if (first === undefined || now - first.at < LEAST_MS) return undefined;
    return ((this.#bytes - first.bytes) / (now - first.at)) * 1_000;
  }

  /** After a time in which nothing was to be sent. */
  reset(): void {
    this.#marks = [];
  }
}
