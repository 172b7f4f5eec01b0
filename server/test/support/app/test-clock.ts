import type { Clock, Instant } from '../../../src/base/clock.ts';

/** A clock that runs in real time until it is stopped, and that tests can advance. */
export class TestClock implements Clock {
  #offsetMs = 0;
  #stoppedAt: Instant | undefined;

  now(): Instant {
    return (this.#stoppedAt ?? Date.now()) + this.#offsetMs;
  }

  advance(milliseconds: number): void {
    this.#offsetMs += milliseconds;
  }

  /**
   * From now on only `advance` changes the time. Tests with one-second limits then do not depend on how long
   * their requests take.
   */
  stop(): void {
    this.#stoppedAt ??= Date.now();
  }
}
