// tier: full
// runs on: sqlite, postgres
// needs: disk
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLong } from '../../../tools/testing/tiers.ts';
import { LocalDiskStore } from '../../src/storage/disk/local-disk.ts';
import { type LoginState, Person } from '../support/app/person.ts';
import { ServiceProcess } from '../support/app/service-process.ts';
import { checkBooks } from '../support/checks/books.ts';
import { diagnose } from '../support/checks/diagnose.ts';
import { atEveryInstance } from '../support/checks/race.ts';
import { openTestDatabase } from '../support/database/open-database.ts';
import { DriveWorker } from '../support/drive/drive-worker.ts';
import { waitFor } from '../support/tasks/tasks.ts';

const ROUNDS = isLong ? 20 : 2;
const PEOPLE = 4;
const WORKERS = 16;

const { directory, url, openSecondHandle } = await openTestDatabase({ migrated: false });
const objects = path.join(directory, 'objects');
const env = {
  HOLDALL_DATA_DIR: directory,
  HOLDALL_DEV_LOGIN: 'true',
  HOLDALL_RATE_LIMITS: 'off',
  ...(url === undefined ? {} : { HOLDALL_DATABASE_URL: url }),
};

let service: ServiceProcess | undefined;
after(() => service?.kill());

it('a service that is killed repeatedly keeps every acknowledged change, and no change in part', async () => {
  service = await ServiceProcess.start(env);
  const firstUrl = service.url;
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, (_, index) => logIn(`worker-${index}`, firstUrl)),
  );
  const workers = Array.from({ length: WORKERS }, (_, index) => {
    const person = people[index % PEOPLE] as Person;
    return new DriveWorker(person, `/home-${index}`);
  });

  for (let round = 0; round < ROUNDS; round += 1) {
    const working = Promise.all(workers.map((worker) => worker.work()));
    const targetSteps = countSteps(workers) + randomInt(WORKERS, 4 * WORKERS);
    await Promise.race([working, waitForSteps(workers, targetSteps)]);
    await sleep(randomInt(30));
    await service.kill();
    await working;
    service = await ServiceProcess.start(env);
    // The logins were also acknowledged, so no one has to log in again.
    const { url } = service;
    const peopleAfterRestart = people.flatMap((person) => atEveryInstance(person, [url]));
    await Promise.all(
      workers.map((worker, index) => worker.compare(peopleAfterRestart[index % PEOPLE] as Person)),
    );
  }
  await service.stop();
  service = await ServiceProcess.start({
    ...env,
    HOLDALL_SWEEP_GRACE: '1s',
    HOLDALL_CLEANUP_INTERVAL: '300ms',
  });
  const audited = { database: openSecondHandle(), store: new LocalDiskStore(objects) };
  await waitFor(
    () => Promise.all([readdir(path.join(objects, '.incoming')), diagnose(audited)]),
    ([incoming, { faults }]) => incoming.length === 0 && faults.length === 0,
    'the sweeper',
  );
  await service.stop();
  assert.deepEqual(await readdir(path.join(objects, '.incoming')), []);
  await checkBooks({ app: audited });
});

function countSteps(workers: readonly DriveWorker[]): number {
  return workers.reduce((sum, worker) => sum + worker.acknowledged, 0);
}

async function waitForSteps(workers: readonly DriveWorker[], targetSteps: number): Promise<void> {
  const timeout = AbortSignal.timeout(60_000);
  while (countSteps(workers) < targetSteps) await sleep(3, undefined, { signal: timeout });
}

async function logIn(username: string, url: string): Promise<Person> {
  const person = new Person(username, url);
  person.login = await person.ask<LoginState>('POST', '/api/auth/dev-login', {
    body: { username, role: 'USER' },
  });
  return person;
}
