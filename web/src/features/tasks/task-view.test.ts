// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TaskRecord } from '../../../../client/src/client.ts';
import { isGoing, toRows, viewOf } from './task-view.ts';

const TASK: TaskRecord = {
  id: 3,
  userId: 2,
  type: 'ARCHIVE',
  status: 'QUEUED',
  correlationId: null,
  errorMessage: null,
  failureCategory: null,
  publicStateJson: { path: '/trips/Rome', filename: 'Rome', phase: 'queued' },
  createdAt: '2026-07-01T10:00:00Z',
  updatedAt: '2026-07-01T10:00:00Z',
  finishedAt: null,
};

function automatic(id: number, status = 'COMPLETED') {
  return viewOf({ ...TASK, id, type: 'MEDIA_META', status, correlationId: `media-meta:auto:${id}` });
}

describe('a task', () => {
  test('shows the name and location of its file', () => {
    const { kind, state, name, place } = viewOf(TASK);
    assert.deepEqual(
      { kind, state, name, place },
      { kind: 'ARCHIVE', state: 'waiting', name: 'Rome', place: '/trips' },
    );
    assert.equal(viewOf({ ...TASK, publicStateJson: { path: '/Rome', filename: 'Rome' } }).place, '/');
  });

  test('shows its progress', () => {
    const progress = { progressPercent: 40, processedFileCount: 2, totalFileCount: 5 };
    const view = viewOf({
      ...TASK,
      status: 'RUNNING',
      publicStateJson: { ...TASK.publicStateJson, ...progress },
    });
    assert.equal(view.state, 'running');
    assert.equal(view.percent, 40);
    assert.deepEqual(view.files, { done: 2, all: 5 });
  });

  test('shows the last failure while it waits for its next attempt', () => {
    const view = viewOf({
      ...TASK,
      failureCategory: 'TRANSIENT_INFRASTRUCTURE',
      publicStateJson: {
        retryScheduled: true,
        nextRetryAt: '2026-07-01T10:00:30Z',
        lastFailureMessage: 'Away.',
      },
    });
    assert.equal(view.state, 'retrying');
    assert.equal(view.failureMessage, 'Away.');
    assert.equal(view.nextAt, '2026-07-01T10:00:30Z');
    assert.ok(isGoing(view));
  });

  test('is shown even if its type is unknown', () => {
    const view = viewOf({
      ...TASK,
      type: 'BAKE',
      status: 'FAILED',
      failureCategory: 'BURNT',
      publicStateJson: {},
    });
    assert.deepEqual(
      [view.kind, view.state, view.reason, view.name],
      ['OTHER', 'failed', 'OTHER', undefined],
    );
    assert.ok(!isGoing(view));
  });
});

test('automatic tasks share one row, and each failure has its own', () => {
  const asked = viewOf(TASK);
  const tasks = [automatic(1), automatic(2), asked, automatic(3), automatic(4, 'FAILED'), automatic(5)];
  assert.deepEqual(
    toRows(tasks).map((row) => ('task' in row ? row.task.id : row.quiet.map(({ id }) => id))),
    [[1, 2], 3, [3], 4, [5]],
  );
});
