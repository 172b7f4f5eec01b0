// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../base/clock.ts';
import { LocalCalendar, QUARTER, startOfQuarter } from './local-calendar.ts';

const at = (text: string) => Date.parse(text);

describe('in UTC', () => {
  const calendar = new LocalCalendar('UTC');

  test('a day begins at midnight and has 24 hours', () => {
    const now = at('2026-11-21T07:42:10.5Z');
    assert.equal(calendar.dayOf(now), '2026-11-21');
    assert.equal(calendar.startOfDay(now), at('2026-11-21T00:00Z'));
    assert.equal(calendar.endOfDay(now), at('2026-11-22T00:00Z'));
    assert.equal(calendar.hoursUntil(at('2026-11-21T23:59:59.999Z')).length, 24);
  });

  test('at 07:xx the hours run from 00:00 to 07:00', () => {
    const hours = calendar.hoursUntil(at('2026-11-21T07:42Z'));
    assert.deepEqual(
      hours.map(({ label }) => label),
      ['00:00', '01:00', '02:00', '03:00', '04:00', '05:00', '06:00', '07:00'],
    );
    assert.deepEqual(hours[7], {
      hour: 7,
      label: '07:00',
      start: at('2026-11-21T07:00Z'),
      end: at('2026-11-21T07:45Z'),
    });
  });

  test('at midnight there is one hour', () => {
    assert.deepEqual(
      calendar.hoursUntil(at('2026-11-21T00:00Z')).map(({ hour }) => hour),
      [0],
    );
  });

  test('seven days end with today, over the ends of months and years', () => {
    const days = calendar.daysUntil(at('2027-01-03T12:00Z'), 7);
    assert.deepEqual(
      days.map(({ date }) => date),
      ['2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02', '2027-01-03'],
    );
    assert.equal(days[6]?.label, 'Sun 01-03');
  });
});

describe('when clocks change', () => {
  const berlin = new LocalCalendar('Europe/Berlin');

  test('a day on which they go forward has 23 hours, and no 02:00', () => {
    const hours = berlin.hoursUntil(at('2026-03-29T23:59+02:00'));
    assert.equal(hours.length, 23);
    assert.ok(!hours.some(({ hour }) => hour === 2));
    assert.equal(berlin.endOfDay(hours[5]?.start ?? 0) - berlin.startOfDay(hours[5]?.start ?? 0), 23 * HOUR);
  });

  test('a day on which they go back has 25 hours, and 02:00 twice', () => {
    const hours = berlin.hoursUntil(at('2026-10-25T23:59+01:00'));
    assert.equal(hours.length, 25);
    assert.deepEqual(
      hours.filter(({ hour }) => hour === 2).map(({ label }) => label),
      ['02:00', '02:00 (UTC+01:00)'],
    );
    assert.equal(
      berlin.endOfDay(at('2026-10-25T12:00Z')) - berlin.startOfDay(at('2026-10-25T12:00Z')),
      25 * HOUR,
    );
  });

  test('at midnight, the day begins at 01:00', () => {
    const santiago = new LocalCalendar('America/Santiago');
    const noon = at('2026-09-06T12:00-03:00');
    assert.equal(santiago.dayOf(noon), '2026-09-06');
    assert.deepEqual(santiago.hoursUntil(noon)[0]?.label, '01:00');
    assert.equal(santiago.startOfDay(noon), at('2026-09-06T01:00-03:00'));
  });

  test('by half an hour, the shortened hour is listed separately', () => {
    const lordHowe = new LocalCalendar('Australia/Lord_Howe');
    const labels = lordHowe.hoursUntil(at('2026-04-05T04:00+10:30')).map(({ label }) => label);
    assert.deepEqual(labels, ['00:00', '01:00', '01:00 (UTC+10:30)', '02:00', '03:00', '04:00']);
  });
});

for (const zone of [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Pacific/Chatham',
]) {
  test(`in ${zone} every 15 minutes of a year belong to one hour and one day`, () => {
    const calendar = new LocalCalendar(zone);
    for (let noon = at('2026-01-01T12:00Z'); noon < at('2027-01-01T12:00Z'); noon += 11 * DAY + 5 * MINUTE) {
      const [start, end] = [calendar.startOfDay(noon), calendar.endOfDay(noon)];
      assert.ok(start <= noon && noon < end);
      assert.equal(start % QUARTER, 0);
      assert.notEqual(calendar.dayOf(start - 1), calendar.dayOf(start));
      assert.equal(calendar.dayOf(end - 1), calendar.dayOf(start));
      assert.equal(calendar.startOfDay(end), end);
      const hours = calendar.hoursUntil(end - 1);
      assert.equal(hours[0]?.start, start);
      assert.equal(hours.at(-1)?.end, end);
      for (const [index, hour] of hours.entries()) assert.equal(hours[index + 1]?.start ?? end, hour.end);
    }
  });
}

test('in a time zone with a half-hour offset, hours begin at half past of UTC', () => {
  const kolkata = new LocalCalendar('Asia/Kolkata');
  const now = at('2026-11-21T07:42:00Z');
  assert.equal(kolkata.startOfDay(now), at('2026-11-20T18:30Z'));
  assert.equal(kolkata.hoursUntil(now).length, 14);
  assert.equal(startOfQuarter(now), at('2026-11-21T07:30Z'));
});
