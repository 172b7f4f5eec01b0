/** The attempts that run at the moment, each for an account. */
export class RunningAttempts {
  readonly #accounts = new Map<Promise<void>, number>();
  readonly #faults: unknown[] = [];

  get size(): number {
    return this.#accounts.size;
  }

  add(accountId: number, attempt: Promise<void>): void {
    const running = attempt
      .catch((error: unknown) => void this.#faults.push(error))
      .finally(() => this.#accounts.delete(running));
    this.#accounts.set(running, accountId);
  }

  countOf(accountId: number): number {
    return [...this.#accounts.values()].filter((each) => each === accountId).length;
  }

  /** The accounts with at least this many attempts. */
  listBusy(atLeast: number): readonly number[] {
    return [...new Set(this.#accounts.values())].filter((each) => this.countOf(each) >= atLeast);
  }

  /** Waits until an attempt or `other` ends. @throws the first fault */
  async waitForOne(other: Promise<void>): Promise<void> {
    await Promise.race([...this.#accounts.keys(), other]);
    this.#throwFault();
  }

  /** @throws the first fault */
  async waitForAll(): Promise<void> {
    await Promise.all(this.#accounts.keys());
    this.#throwFault();
  }

  #throwFault(): void {
    if (this.#faults.length > 0) throw this.#faults[0];
  }
}
