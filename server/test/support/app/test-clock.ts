import type { Clock, Instant } from '../../../src/base/clock.ts';

/** A clock that runs in real time, and that tests can advance. */
export class TestClock implements Clock {
  #offsetMs = 0;

  now(): Instant {
    return Date.now() + this.#offsetMs;
  }

  advance(milliseconds: number): void {
    this.#offsetMs += milliseconds;
  }
}
