// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FailureCategory, TaskType } from '../../base/domain/tasks.ts';
import { Failure } from '../../base/failure.ts';
import { classifyError, retryDelayMs } from './failures.ts';
import { JobFailure } from './job.ts';
import { MAX_ATTEMPTS } from './task.ts';

/** The retry delays, in seconds, of a task whose attempts all fail with the same category. */
function listDelays(type: TaskType, category: FailureCategory, scale = 1): readonly number[] {
  const delays: number[] = [];
  for (let attemptCount = 1; ; attemptCount += 1) {
    const unknownFailures = category === 'UNKNOWN' ? attemptCount - 1 : 0;
    const task = { type, attemptCount, maxAttempts: MAX_ATTEMPTS[type], unknownFailures };
    const delayMs = retryDelayMs(task, category, scale);
    if (delayMs === undefined) return delays;
    delays.push(delayMs / 1_000);
  }
}

describe('a task that fails repeatedly', () => {
  for (const [type, category, delays] of [
    ['ARCHIVE', 'TRANSIENT_INFRASTRUCTURE', [30, 60, 120]],
    ['ARCHIVE', 'RATE_LIMITED', [120, 240, 480]],
    ['ARCHIVE', 'UNKNOWN', [60]],
    ['EXTRACT', 'TRANSIENT_INFRASTRUCTURE', [45, 90]],
    ['EXTRACT', 'RATE_LIMITED', [180, 360]],
    ['EXTRACT', 'UNKNOWN', [90]],
    ['MEDIA_META', 'TRANSIENT_INFRASTRUCTURE', [15]],
    ['MEDIA_META', 'RATE_LIMITED', [60]],
    ['MEDIA_META', 'UNKNOWN', [30]],
    ['STORAGE_POLICY_MIGRATION', 'TRANSIENT_INFRASTRUCTURE', []],
    ['ARCHIVE', 'UNSUPPORTED_INPUT', []],
    ['EXTRACT', 'DATA_STATE', []],
  ] as const) {
    it(`${delays.length === 0 ? 'is not retried' : `is retried after ${delays.join(', ')} s`} (${type}, ${category})`, () => {
      assert.deepEqual(listDelays(type, category), delays);
    });
  }

  it('is retried after delays that the scale multiplies', () => {
    assert.deepEqual(listDelays('ARCHIVE', 'TRANSIENT_INFRASTRUCTURE', 0.01), [0.3, 0.6, 1.2]);
    assert.deepEqual(listDelays('EXTRACT', 'UNKNOWN', 0), [0]);
  });

  it('is retried once after an unknown failure, no matter what other failures came before', () => {
    const task = { type: 'ARCHIVE', attemptCount: 3, maxAttempts: 4, unknownFailures: 0 } as const;
    assert.equal(retryDelayMs(task, 'UNKNOWN', 1), 240_000);
    assert.equal(retryDelayMs({ ...task, unknownFailures: 1 }, 'UNKNOWN', 1), undefined);
  });
});

describe('an error', () => {
  it('is classified by its kind, and its message is shown to the owner', () => {
    for (const [kind, category] of [
      ['unavailable', 'TRANSIENT_INFRASTRUCTURE'],
      ['too-many', 'RATE_LIMITED'],
      ['over-limit', 'DATA_STATE'],
      ['conflict', 'DATA_STATE'],
      ['not-found', 'DATA_STATE'],
      ['rejected', 'DATA_STATE'],
      ['invalid', 'DATA_STATE'],
      ['expired', 'DATA_STATE'],
    ] as const) {
      assert.deepEqual(classifyError(new Failure(kind, 'why')), { category, message: 'why' });
    }
    const known = new JobFailure('UNSUPPORTED_INPUT', 'no zip');
    assert.deepEqual(classifyError(known), { category: 'UNSUPPORTED_INPUT', message: 'no zip' });
  });

  it('of an unexpected type reveals no internals', () => {
    for (const error of [new Error('select * from secret'), 'text', undefined]) {
      const { category, message } = classifyError(error);
      assert.equal(category, 'UNKNOWN');
      assert.doesNotMatch(message, /secret|text/);
    }
  });
});
