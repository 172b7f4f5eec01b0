import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL_MS = 10;
/** Only reached in a failure. Generous, because a busy machine may take many times as long as an idle one. */
const PATIENCE_MS = 120_000;

/**
 * Waits until a condition holds, for work that does not report its end. A test that waits for a fixed time
 * instead would fail on a slow machine.
 * @param what completes the sentence "It never happened that …"
 * @throws AssertionError after two minutes
 */
export async function waitUntil(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    assert.ok(performance.now() < endMs, `It never happened that ${what}.`);
    await sleep(INTERVAL_MS);
  }
}
