// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EndedTasks } from './ended-tasks.ts';
import type { TaskState } from './task-view.ts';

const ME = 2;
const toTask = (id: number, state: TaskState, userId: number | null = ME) => ({ id, state, userId });

test('each task of the user is reported once, and no task of another member', () => {
  const ended = new EndedTasks();
  const queued = new Map<number, number>();
  const take = (...tasks: ReturnType<typeof toTask>[]) =>
    ended.take(tasks, ({ userId }) => userId === ME, queued).map(({ id }) => id);
  // In the first list, only tasks that this page has queued are news.
  queued.set(3, 12);
  assert.deepEqual(take(toTask(3, 'done'), toTask(2, 'running'), toTask(1, 'done')), [3]);
  assert.deepEqual(take(toTask(3, 'done'), toTask(2, 'failed'), toTask(1, 'done')), [2]);
  // Short ones, of which one is another member's and one is nobody's.
  assert.deepEqual(
    take(toTask(6, 'done', null), toTask(5, 'done', 9), toTask(4, 'done'), toTask(2, 'failed')),
    [4],
  );
  // The answer to the request may arrive after the list.
  queued.set(4, 12);
  assert.deepEqual(take(toTask(4, 'done')), []);
  // A task that was retried ends again.
  assert.deepEqual([take(toTask(2, 'running')), take(toTask(2, 'done'))], [[], [2]]);
});
