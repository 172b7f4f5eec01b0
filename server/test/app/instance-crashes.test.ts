// tier: full
// runs on: s3
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLong } from '../../../tools/testing/tiers.ts';
import { Cluster } from '../support/app/cluster.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { DriveWorker } from '../support/drive/drive-worker.ts';

const INSTANCES = 3;
const ROUNDS = isLong ? 12 : 2;
const WORKERS = 9;

const cluster = await Cluster.start(INSTANCES);

test('an instance that is killed under load loses nothing', async () => {
  const people = await Promise.all(['ann', 'ben', 'cleo'].map((name) => cluster.logIn(name)));
  const hands = people.flatMap((person) => [person, person, person]);
  const workers = hands.map((person, index) => new DriveWorker(person, `/home-${index}`));
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = countSteps(workers);
    const working = workers.map((worker) => worker.work(isInterruption));
    const patience = AbortSignal.timeout(60_000);
    while (countSteps(workers) < before + 3 * WORKERS) await sleep(3, undefined, { signal: patience });
    const victim = randomInt(INSTANCES);
    await cluster.kill(victim);
    // Clients of the other instances continue, and nginx sends new requests to those instances.
    await sleep(randomInt(300));
    for (const worker of workers) worker.rest();
    await Promise.all(working);
    await cluster.restart(victim);
    await Promise.all(workers.map((worker, index) => worker.compare(hands[index] as Person)));
  }
  await cluster.settle((app) => checkBooks({ app }));
});

/**
 * Whether the error means that nginx lost the instance during the request. nginx repeats a DELETE at another
 * instance, where the entry may already be gone.
 */
function isInterruption(error: unknown): boolean {
  return (
    error instanceof Error &&
    /\b50[24] (?:Bad Gateway|Gateway Time-out)|^DELETE \S+: 404 /.test(error.message)
  );
}

function countSteps(workers: readonly DriveWorker[]): number {
  return workers.reduce((sum, worker) => sum + worker.acknowledged, 0);
}
