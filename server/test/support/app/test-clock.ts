import type { Clock, Instant } from '../../../src/base/clock.ts';

/** A clock that runs like any other until a test moves its hands. */
export class TestClock implements Clock {
  #offsetMs = 0;

  now(): Instant {
    return Date.now() + this.#offsetMs;
  }

  advance(milliseconds: number): void {
    this.#offsetMs += milliseconds;
  }
}
