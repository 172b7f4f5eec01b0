// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestDurations } from './request-durations.ts';

test('a bucket counts the requests that took at most as long as its limit', () => {
  const durations = new RequestDurations();
  for (const seconds of [0.0005, 0.001, 0.02, 5, 61]) {
    durations.observe({ method: 'GET', route: '/api/files/list', status: 200, seconds });
  }
  const labels = 'method="GET",route="/api/files/list",status="200"';
  assert.deepEqual(linesOf(durations), [
    `holdall_http_request_duration_seconds_bucket{le="0.001",${labels}} 2`,
    `holdall_http_request_duration_seconds_bucket{le="0.005",${labels}} 2`,
    `holdall_http_request_duration_seconds_bucket{le="0.025",${labels}} 3`,
    `holdall_http_request_duration_seconds_bucket{le="0.1",${labels}} 3`,
    `holdall_http_request_duration_seconds_bucket{le="0.5",${labels}} 3`,
    `holdall_http_request_duration_seconds_bucket{le="2.5",${labels}} 3`,
    `holdall_http_request_duration_seconds_bucket{le="10",${labels}} 4`,
    `holdall_http_request_duration_seconds_bucket{le="60",${labels}} 4`,
    `holdall_http_request_duration_seconds_bucket{le="+Inf",${labels}} 5`,
    `holdall_http_request_duration_seconds_sum{${labels}} 66.0215`,
    `holdall_http_request_duration_seconds_count{${labels}} 5`,
  ]);
});

test('requests are counted apart by method, route and status', () => {
  const durations = new RequestDurations();
  const request = { method: 'GET', route: '/health', status: 200, seconds: 1 };
  for (const other of [{}, {}, { method: 'HEAD' }, { route: '/' }, { status: 503 }]) {
    durations.observe({ ...request, ...other });
  }
  assert.deepEqual(
    linesOf(durations).filter((line) => line.includes('_count')),
    [
      'holdall_http_request_duration_seconds_count{method="GET",route="/health",status="200"} 2',
      'holdall_http_request_duration_seconds_count{method="HEAD",route="/health",status="200"} 1',
      'holdall_http_request_duration_seconds_count{method="GET",route="/",status="200"} 1',
      'holdall_http_request_duration_seconds_count{method="GET",route="/health",status="503"} 1',
    ],
  );
});

test('the name, the type and an end of the last line are there before the first request', () => {
  assert.match(
    new RequestDurations().toText(),
    /^# HELP holdall_http_request_duration_seconds .+\n# TYPE holdall_http_request_duration_seconds histogram\n$/,
  );
});

function linesOf(durations: RequestDurations): readonly string[] {
  return durations.toText().trimEnd().split('\n').slice(2);
}
