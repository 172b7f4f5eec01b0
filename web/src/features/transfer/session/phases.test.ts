import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isOver, nextPhase, PHASE_EVENTS, PHASES, type Phase, type PhaseEvent } from './phases.ts';

function follow(events: readonly PhaseEvent[]): Phase {
  return events.reduce<Phase>(nextPhase, 'preparing');
}

test('a transfer that goes well', () => {
  assert.equal(follow(['made', 'joined', 'opened', 'lost', 'opened', 'finished']), 'done');
});

test('a sender without a direct way stores, and the receiver fetches', () => {
  assert.equal(follow(['made', 'joined', 'tooLong', 'store', 'stored']), 'stored');
  assert.equal(follow(['joined', 'tooLong', 'store', 'fetch', 'finished']), 'done');
});

test('a direct way that opens late is taken, unless the files are on their way to the service', () => {
  assert.equal(follow(['made', 'joined', 'tooLong', 'opened']), 'running');
  assert.equal(follow(['made', 'joined', 'tooLong', 'store', 'opened']), 'storing');
});

test('what is over stays so, and everything else can be ended', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PHASES), fc.constantFrom(...PHASE_EVENTS), (phase, event) => {
      if (isOver(phase)) assert.equal(nextPhase(phase, event), phase);
      else assert.equal(nextPhase(phase, 'end'), 'ended');
    }),
  );
});
