// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Task } from './engine/task.ts';
import { toPublicState } from './task-record.ts';

const input = { fileId: 7, path: '/a', filename: 'a', directory: true, contentType: null, size: 0 };
const progress = { phase: 'archiving', processedFileCount: 3, progressPercent: 60 };
const run = { worker: 'one', startedAt: 1_000, heartbeatAt: 2_000, leaseExpiresAt: 3_000 };

const queued: Task = {
  isAutomatic: false,
  id: 1,
  driveId: 7,
  accountId: 2,
  type: 'ARCHIVE',
  status: 'QUEUED',
  entryId: 7,
  correlationId: null,
  input,
  progress: {},
  attempt: 0,
  attemptCount: 0,
  maxAttempts: 4,
  unknownFailures: 0,
  run: undefined,
  runAt: 0,
  retryDelayMs: null,
  lastFailure: undefined,
  errorMessage: null,
  failureCategory: null,
  createdAt: 0,
  updatedAt: 0,
  finishedAt: null,
};
const running: Task = { ...queued, status: 'RUNNING', attempt: 1, attemptCount: 1, run };
const runMembers = {
  workerOwner: 'one',
  startedAt: '1970-01-01T00:00:01.000Z',
  heartbeatAt: '1970-01-01T00:00:02.000Z',
  leaseExpiresAt: '1970-01-01T00:00:03.000Z',
};
const lastFailure = { message: 'gone', at: 4_000 };
const failureMembers = { lastFailureMessage: 'gone', lastFailureAt: '1970-01-01T00:00:04.000Z' };

describe('the public state', () => {
  it('of a new task contains its input', () => {
    assert.deepEqual(toPublicState(queued), { ...input, phase: 'queued', attemptCount: 0, maxAttempts: 4 });
  });

  it('shows up to 100 file ids, and only their number if there are more', () => {
    const archiving = (count: number) => {
      const fileIds = Array.from({ length: count }, (_, id) => id);
      return toPublicState({ ...queued, input: { fileIds, path: '/a.zip' } });
    };
    assert.equal((archiving(100).fileIds as readonly number[]).length, 100);
    const { fileIds, fileCount, path } = archiving(101);
    assert.deepEqual({ fileIds, fileCount, path }, { fileIds: undefined, fileCount: 101, path: '/a.zip' });
  });

  it('of a task that has just started names its worker', () => {
    assert.deepEqual(toPublicState(running), {
      ...input,
      phase: 'running',
      attemptCount: 1,
      maxAttempts: 4,
      ...runMembers,
    });
  });

  it('contains the progress reported by the job', () => {
    assert.deepEqual(toPublicState({ ...running, progress }), {
      ...input,
      ...progress,
      attemptCount: 1,
      maxAttempts: 4,
      ...runMembers,
    });
  });

  for (const [status, phase] of [
    ['COMPLETED', 'completed'],
    ['FAILED', 'failed'],
    ['CANCELLED', 'cancelled'],
  ] as const) {
    it(`of a ${status} task names neither worker nor retry`, () => {
      const ended = { ...running, status, run: undefined, progress, lastFailure };
      assert.deepEqual(toPublicState(ended), {
        ...input,
        ...progress,
        phase,
        attemptCount: 1,
        maxAttempts: 4,
      });
    });
  }

  it('of a task that waits for a retry says when and why', () => {
    const waiting = { ...queued, attemptCount: 1, retryDelayMs: 1_500, runAt: 5_500, lastFailure };
    assert.deepEqual(toPublicState(waiting), {
      ...input,
      phase: 'queued',
      attemptCount: 1,
      maxAttempts: 4,
      retryScheduled: true,
      nextRetryAt: '1970-01-01T00:00:05.500Z',
      retryDelaySeconds: 2,
      ...failureMembers,
    });
  });

  it('of a retried task still contains the last failure', () => {
    const again = { ...running, attemptCount: 2, lastFailure };
    assert.deepEqual(toPublicState(again), {
      ...input,
      phase: 'running',
      attemptCount: 2,
      maxAttempts: 4,
      ...runMembers,
      ...failureMembers,
    });
  });

  it('cannot be overridden by the progress of the job', () => {
    const reporting = { ...running, progress: { attemptCount: 9, workerOwner: 'other' } };
    const state = toPublicState(reporting);
    assert.deepEqual([state.attemptCount, state.workerOwner], [1, 'one']);
  });
});
