import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestDurations } from './request-durations.ts';

test('each bucket holds what is below its bound, those below it included', () => {
  const durations = new RequestDurations();
  for (const seconds of [0.0005, 0.001, 0.3, 61]) durations.observe('GET', '/api/x', 200, seconds);
  durations.observe('GET', '/api/x', 404, 0.002);
  const lines = durations.toText().trimEnd().split('\n');
  const of = (status: number) => lines.filter((line) => line.includes(`status="${status}"`));
  assert.deepEqual(
    of(200).map((line) => line.split('} ')[1]),
    ['2', '2', '2', '2', '3', '3', '3', '3', '4', '61.3015', '4'],
  );
  assert.match(
    of(404)[1] ?? '',
    /^holdall_http_request_duration_seconds_bucket\{method="GET",route="\/api\/x",status="404",le="0.005"\} 1$/,
  );
  assert.match(lines[1] ?? '', /^# TYPE \S+ histogram$/);
});
