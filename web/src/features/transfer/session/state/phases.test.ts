// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../../../tools/testing/fast-check.ts';
import { isOver, nextPhase, PHASE_EVENTS, PHASES, type Phase, type PhaseEvent } from './phases.ts';

function follow(events: readonly PhaseEvent[]): Phase {
  return events.reduce<Phase>(nextPhase, 'preparing');
}

test('a transfer whose line breaks once still succeeds', () => {
  assert.equal(follow(['made', 'joined', 'opened', 'lost', 'opened', 'finished']), 'done');
});

test('without a direct connection the sender stores the files and the receiver downloads them', () => {
  assert.equal(follow(['made', 'joined', 'tooLong', 'store', 'stored']), 'stored');
  assert.equal(follow(['joined', 'tooLong', 'store', 'fetch', 'finished']), 'done');
});

test('a sender whose receiver leaves waits for another one', () => {
  for (const before of [
    ['joined'],
    ['joined', 'opened'],
    ['joined', 'tooLong'],
    ['joined', 'store'],
  ] as const) {
    assert.equal(follow(['made', ...before, 'left']), 'waiting');
    assert.equal(follow(['made', ...before, 'left', 'joined', 'opened', 'finished']), 'done');
  }
});

test('a direct connection that opens late is used, unless the files are already being stored', () => {
  assert.equal(follow(['made', 'joined', 'tooLong', 'opened']), 'running');
  assert.equal(follow(['made', 'joined', 'tooLong', 'store', 'opened']), 'storing');
});

test('an ended transfer stays ended, and every other one can be ended', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PHASES), fc.constantFrom(...PHASE_EVENTS), (phase, event) => {
      if (isOver(phase)) assert.equal(nextPhase(phase, event), phase);
      else assert.equal(nextPhase(phase, 'end'), 'ended');
    }),
  );
});
