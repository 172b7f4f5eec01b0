// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { type Attempt, JobFailure } from '../../../src/tasks/engine/job.ts';
import type { Person } from '../../support/app/person.ts';
import { makePng } from '../../support/media/pictures.ts';
import { queueTask, ScriptedJob, untilAborted, waitForStatus } from '../../support/tasks/tasks.ts';
import { startVisits, type VisitOptions } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const [archiving, reading] = [new ScriptedJob(), new ScriptedJob('MEDIA_META')];
const { holdall, begin } = await startVisits({ holdall: { jobs: [archiving, reading] } });
let visit: Visit;

const complete = (attempt: Attempt) =>
  holdall.app.database.transact((tx) => attempt.complete(tx, { progressPercent: 100 }));

async function openTasks(options: VisitOptions = {}) {
  const person = await holdall.register('worker');
  visit = await (await begin(options)).logIn(person, '/tasks');
  return { person, page: visit.page, tasks: visit.page.getByRole('main').getByRole('listitem') };
}

async function archiveFolder(person: Person, path: string): Promise<{ id: number }> {
  return queueTask(person, await person.mkdir(path));
}

describe('the page of the tasks', () => {
  test('explains itself while there are no tasks', inFull, async () => {
    const { page } = await openTasks();
    await page.getByRole('heading', { name: 'No tasks' }).waitFor();
    await visit.checkAccessible();
  });

  test('shows the progress of a task, its end, and the location of the result', async () => {
    archiving.does(async (attempt) => {
      attempt.report({ processedFileCount: 3, totalFileCount: 12, progressPercent: 25 });
      await untilGo.promise;
      await complete(attempt);
    });
    const untilGo = Promise.withResolvers<void>();
    const { person, page, tasks } = await openTasks();
    await archiveFolder(person, '/trips/Rome');
    await page.reload();
    await tasks.filter({ hasText: 'Compressing Rome' }).getByText('25 % · 3 of 12 files').waitFor();
    assert.equal(await page.getByRole('progressbar', { name: 'Compressing Rome' }).count(), 1);
    const avatar = page.getByRole('button', { name: `${person.username} 1 task running` });
    await avatar.click();
    await page.getByRole('menuitem', { name: 'Tasks' }).getByLabel('1 task running').waitFor();
    await visit.checkAccessible();
    await page.getByRole('menuitem', { name: 'Tasks' }).click();
    untilGo.resolve();
    await page.getByText('Created Rome').waitFor();
    await avatar.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Show in folder: Created Rome' }).click();
    await page.waitForURL('**/drive/trips');
  });

  test('cancels a task', inFull, async () => {
    archiving.does(untilAborted);
    const { person, page } = await openTasks();
    const task = await archiveFolder(person, '/Long');
    await page.reload();
    await page.getByRole('button', { name: 'Cancel: Compressing Long' }).click();
    await page.getByText(/^Cancelled · /).waitFor();
    await waitForStatus(person, task, 'CANCELLED');
  });

  test('shows why a task failed, and retries it', inFull, async () => {
    archiving.does(async () => {
      throw new JobFailure('DATA_STATE', 'The name "Rome.zip" is taken.');
    });
    const { person, page, tasks } = await openTasks({ colorScheme: 'dark' });
    const task = await archiveFolder(person, '/Rome');
    await waitForStatus(person, task, 'FAILED');
    await page.reload();
    const row = tasks.filter({ hasText: 'Compress Rome' });
    await row.getByText('The name "Rome.zip" is taken.').waitFor();
    await row.getByText(/Name in use, drive full/).waitFor();
    await visit.checkAccessible();
    archiving.does(complete);
    await row.getByRole('button', { name: 'Try again: Compress Rome' }).click();
    await tasks.filter({ hasText: 'Created Rome' }).waitFor();
  });

  test('shows automatic tasks in one row', inFull, async () => {
    reading.does(complete);
    const { person, page } = await openTasks(PHONE);
    for (const name of ['a', 'b', 'c']) await person.upload(`/${name}.png`, makePng(), 'image/png');
    await page.getByText('Analysed 3 photos, videos and audio files').waitFor();
    await visit.checkAccessible();
    assert.equal(await page.locator(':root').evaluate((root) => root.scrollWidth), 360);
  });
});

test('a user on another page is notified when a task ends', inFull, async () => {
  const untilGo = Promise.withResolvers<void>();
  archiving.does(async (attempt) => {
    await untilGo.promise;
    await complete(attempt);
  });
  const { person, page } = await openTasks();
  await archiveFolder(person, '/Album');
  await page.goto('/recent');
  await page.getByLabel('1 task running').waitFor();
  untilGo.resolve();
  const alert = page.getByRole('alert').filter({ hasText: '“Album.zip” is ready.' });
  await alert.getByRole('button', { name: 'Show', exact: true }).click();
  await page.waitForURL('**/drive');
});
