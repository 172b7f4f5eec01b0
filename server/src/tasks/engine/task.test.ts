// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskStatus } from '../../base/domain/tasks.ts';
import { statusesBefore } from './task.ts';

const PREDECESSORS: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  QUEUED: ['RUNNING', 'FAILED'],
  RUNNING: ['QUEUED'],
  COMPLETED: ['RUNNING'],
  FAILED: ['QUEUED', 'RUNNING'],
  CANCELLED: ['QUEUED', 'RUNNING'],
};

for (const [status, before] of Object.entries(PREDECESSORS)) {
  test(`a task becomes ${status} from ${before.join(' or ')} only`, () => {
    assert.deepEqual(statusesBefore(status as TaskStatus), before);
  });
}
