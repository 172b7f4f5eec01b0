// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LocalCalendar } from './local-calendar.ts';
import { type Counted, Tally } from './tally.ts';

const at = (text: string) => Date.parse(`2026-11-${text}Z`);

test('requests are counted in 15-minute buckets', () => {
  const tally = new Tally(new LocalCalendar('UTC'));
  for (const time of ['21T07:00', '21T07:14:59.999', '21T07:15', '21T23:59', '22T00:00', '21T07:00:01']) {
    tally.countRequest(at(time));
  }
  assert.deepEqual(Object.fromEntries(tally.takeAll().requests), {
    [at('21T07:00')]: 3,
    [at('21T07:15')]: 1,
    [at('21T23:45')]: 1,
    [at('22T00:00')]: 1,
  });
  assert.equal(tally.takeAll().requests.size, 0);
});

test('an account that is active before and after midnight is active on both days', () => {
  const tally = new Tally(new LocalCalendar('UTC'));
  tally.recordActiveAccount(1, at('21T23:59:59'));
  tally.recordActiveAccount(2, at('21T23:59:59'));
  tally.recordActiveAccount(1, at('22T00:00:01'));
  assert.deepEqual(plain(tally.takeAll()), {
    '2026-11-21': { 1: at('21T23:59:59'), 2: at('21T23:59:59') },
    '2026-11-22': { 1: at('22T00:00:01') },
  });
});

test('when the clock is set back by a day, that day is counted', () => {
  const tally = new Tally(new LocalCalendar('UTC'));
  tally.recordActiveAccount(1, at('22T10:00'));
  tally.recordActiveAccount(1, at('21T10:00'));
  assert.deepEqual(Object.keys(plain(tally.takeAll())), ['2026-11-22', '2026-11-21']);
});

test('restored counts are added to newer ones, and the later time of activity is kept', () => {
  const tally = new Tally(new LocalCalendar('UTC'));
  tally.countRequest(at('21T07:00'));
  tally.recordActiveAccount(1, at('21T07:00'));
  tally.recordActiveAccount(2, at('21T07:01'));
  const taken = tally.takeAll();
  tally.countRequest(at('21T07:00'));
  tally.recordActiveAccount(1, at('21T07:05'));
  tally.restore(taken);
  const again = tally.takeAll();
  assert.deepEqual([...again.requests], [[at('21T07:00'), 2]]);
  assert.deepEqual(plain(again), { '2026-11-21': { 1: at('21T07:05'), 2: at('21T07:01') } });
});

function plain({ active }: Counted) {
  return Object.fromEntries([...active].map(([day, accounts]) => [day, Object.fromEntries(accounts)]));
}
