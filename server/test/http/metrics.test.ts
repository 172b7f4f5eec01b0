// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';

const holdall = await startHoldall();

test('the metrics count requests by method, route pattern and status, never by the URL as it was sent', async () => {
  const ann = await holdall.register('ann');
  await ann.fetch('GET', '/api/v2/files/1234567');
  await ann.fetch('GET', '/api/no-such-route');
  const response = await holdall.anonymous.fetch('GET', '/metrics');
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  assert.match(text, /^# TYPE holdall_http_request_duration_seconds histogram$/m);
  const counts = [...text.matchAll(/^holdall_http_request_duration_seconds_count\{(.+)\} (\d+)$/gm)];
  const byLabels = new Map(counts.map(([, labels, count]) => [labels, Number(count)]));
  assert.equal(byLabels.get('method="GET",route="/api/v2/files/:fileId",status="404"'), 1, text);
  assert.doesNotMatch(text, /1234567|no-such-route/);
});

test('the metrics have those of the process', async () => {
  const text = await (await holdall.anonymous.fetch('GET', '/metrics')).text();
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_seconds',
  ]) {
    assert.match(text, new RegExp(`^holdall_${name} [\\d.e-]+$`, 'm'));
  }
});
