/** Wakes the one who waits. Rung while nobody waits, it is heard by the next who does. */
export class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Gives false when so much time has passed without a ring. */
  async wait(milliseconds: number): Promise<boolean> {
    if (!this.#isRung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    const wasRung = this.#isRung;
    this.#isRung = false;
    return wasRung;
  }
}
