/** Counts events by one label, such as refusals by the limit that refused. */
export class EventCounts {
  readonly #counts: Map<string, number>;

  /** @param labels those that are there before the first event, so that alerts see the step from 0 to 1 */
  constructor(labels: readonly string[] = []) {
    this.#counts = new Map(labels.map((label) => [label, 0]));
  }

  /** @param label of a small fixed set: each is kept for ever */
  count(label: string): void {
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + 1);
  }

  list(): readonly (readonly [label: string, count: number])[] {
    return [...this.#counts];
  }
}
