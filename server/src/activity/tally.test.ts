import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LocalCalendar } from './local-calendar.ts';
import { type Counted, Tally } from './tally.ts';

const at = (text: string) => Date.parse(`2026-11-${text}Z`);

test('requests are counted by the quarter of an hour', () => {
  const tally = new Tally(new LocalCalendar('UTC'));
  for (const time of ['21T07:00', '21T07:14:59.999', '21T07:15', '21T23:59', '22T00:00', '21T07:00:01']) {
    tally.countRequest(at(time));
  }
  assert.deepEqual(Object.fromEntries(tally.take().requests), {
    [at('21T07:00')]: 3,
    [at('21T07:15')]: 1,
    [at('21T23:45')]: 1,
    [at('22T00:00')]: 1,
  });
  assert.equal(tally.take().requests.size, 0);
});

test('who is active on both sides of midnight is active on both days', () => {
  const tally = new Tally(new LocalCalendar('UTC'));
  tally.noteActive(1, at('21T23:59:59'));
  tally.noteActive(2, at('21T23:59:59'));
  tally.noteActive(1, at('22T00:00:01'));
  assert.deepEqual(plain(tally.take()), {
    '2026-11-21': { 1: at('21T23:59:59'), 2: at('21T23:59:59') },
    '2026-11-22': { 1: at('22T00:00:01') },
  });
});

test('a clock that is put back a day counts for that day', () => {
  const tally = new Tally(new LocalCalendar('UTC'));
  tally.noteActive(1, at('22T10:00'));
  tally.noteActive(1, at('21T10:00'));
  assert.deepEqual(Object.keys(plain(tally.take())), ['2026-11-22', '2026-11-21']);
});

test('what is given back is there with the next, and the later time counts', () => {
  const tally = new Tally(new LocalCalendar('UTC'));
  tally.countRequest(at('21T07:00'));
  tally.noteActive(1, at('21T07:00'));
  tally.noteActive(2, at('21T07:01'));
  const taken = tally.take();
  tally.countRequest(at('21T07:00'));
  tally.noteActive(1, at('21T07:05'));
  tally.giveBack(taken);
  const again = tally.take();
  assert.deepEqual([...again.requests], [[at('21T07:00'), 2]]);
  assert.deepEqual(plain(again), { '2026-11-21': { 1: at('21T07:05'), 2: at('21T07:01') } });
});

function plain({ active }: Counted) {
  return Object.fromEntries([...active].map(([day, accounts]) => [day, Object.fromEntries(accounts)]));
}
