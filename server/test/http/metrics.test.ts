// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { sql } from 'kysely';
import { inFull } from '../../../tools/testing/tiers.ts';
import { MetricsPage } from '../../src/http/metrics/metrics-page.ts';
import { SocketTraffic } from '../../src/http/metrics/socket-traffic.ts';
import { startHoldall } from '../support/app/holdall.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');

const holdall = await startHoldall();

async function readMetrics(): Promise<string> {
  const response = await holdall.anonymous.fetch('GET', '/metrics');
  assert.equal(response.status, 200);
  return await response.text();
}

/** Returns the value of a line such as `holdall_tasks{status="queued"} 0`. */
function numberOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

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

test('the metrics include those of the process', async () => {
  const text = await (await holdall.anonymous.fetch('GET', '/metrics')).text();
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_seconds',
  ]) {
    assert.match(text, new RegExp(`^holdall_${name} [\\d.e-]+$`, 'm'));
  }
});

test('docs/operations.md lists every metric, and no others', async () => {
  await holdall.app.cleanUp();
  const known = [...(await readMetrics()).matchAll(/^# TYPE (holdall_\w+) /gm)].map(([, name]) => name ?? '');
  const own = known.filter((name) => !/^holdall_(process|nodejs)_/.test(name));
  const document = await readFile(path.join(ROOT, 'docs', 'operations.md'), 'utf8');
  const rows = document.split('\n').filter((line) => line.startsWith('| `holdall_'));
  const listed = rows.flatMap((row) => row.split('|')[1]?.match(/holdall_\w+/g) ?? []);
  assert.deepEqual(listed.toSorted(), own.toSorted());
});

test('docs/operations.md lists every limit whose rejections are counted, and no others', async () => {
  const text = await readMetrics();
  const counted = [...text.matchAll(/^holdall_limit_refusals_total\{limit="([\w-]+)"\}/gm)];
  const document = await readFile(path.join(ROOT, 'docs', 'operations.md'), 'utf8');
  const [, labels = ''] = /^\| `holdall_limit_refusals_total` \| `limit` \((.+?)\) \|/m.exec(document) ?? [];
  const listed = [...labels.matchAll(/`([\w-]+)`/g)];
  const names = (found: typeof counted) => found.map(([, name]) => name ?? '').toSorted();
  assert.ok(counted.length > 2);
  assert.deepEqual(names(listed), names(counted));
});

test('every metric of the alert rules exists', async () => {
  const rules = await readFile(path.join(ROOT, 'deploy', 'prometheus-alerts.yaml'), 'utf8');
  const text = await readMetrics();
  for (const [name] of rules.matchAll(/holdall_\w+/g)) {
    assert.ok(text.includes(`# TYPE ${name.replace(/_count$/, '')} `), name);
  }
});

test('the metrics show the state of the service', async () => {
  const before = await readMetrics();
  const bob = await holdall.register('bob');
  await bob.upload('/a', 'twelve bytes');
  const wrong = { body: { username: bob.username, password: 'a wrong one' } };
  await holdall.anonymous.refused(401, 1001, 'POST', '/api/auth/login', wrong);
  await holdall.app.jobRuns.record('backup', async () => {});
  const text = await readMetrics();
  assert.match(
    text,
    /^holdall_info\{version="[\d.]+",node="[\d.]+",database="(sqlite|postgres)",storage="local"\} 1$/m,
  );
  assert.equal(numberOf(text, 'holdall_ready{dependency="database"}'), 1);
  assert.equal(numberOf(text, 'holdall_ready{dependency="store"}'), 1);
  const failed = 'holdall_failed_logins_total{method="password"}';
  assert.equal(numberOf(text, failed), (numberOf(before, failed) ?? Number.NaN) + 1);
  assert.equal(numberOf(text, 'holdall_tasks{status="running"}'), 0);
  // A metric that cannot be read is left out of the page.
  for (const name of [
    'holdall_accounts',
    'holdall_shared_drives',
    'holdall_quota_bytes',
    'holdall_stored_bytes',
  ]) {
    assert.ok(numberOf(text, name) !== undefined, name);
  }
  for (const name of ['holdall_http_received_bytes_total', 'holdall_http_sent_bytes_total']) {
    assert.ok((numberOf(text, name) ?? 0) > (numberOf(before, name) ?? 0), name);
  }
  assert.ok((numberOf(text, 'holdall_disk_available_bytes') ?? 0) > 0);
  assert.ok((numberOf(text, 'holdall_database_transaction_duration_seconds_count{result="ok"}') ?? 0) > 0);
});

test(
  'a recent failure is counted among any number of tasks, which SQLite reads on a thread',
  inFull,
  async (t) => {
    const other = await startHoldall();
    const { database } = other.app;
    const { id, driveId } = await other.register('eva');
    const now = Date.now();
    await database.transact((tx) =>
      sql`with recursive number (n) as (select 1 union all select n + 1 from number where n < 10001)
      insert into task (drive_id, account_id, type, status, input, progress, attempt, attempt_count, max_attempts,
        unknown_failures, run_at, created_at, updated_at, finished_at)
      select ${driveId}, ${id}, 'ARCHIVE', case when n = 10001 then 'FAILED' else 'COMPLETED' end, '{}', '{}', 1, 1, 1, 0,
        1, 1, 1, cast(${now} as bigint) - 10001 + n from number`.execute(tx),
    );
    const readLong = t.mock.method(database, 'readLong');
    const text = await (await other.anonymous.fetch('GET', '/metrics')).text();
    assert.equal(numberOf(text, 'holdall_tasks{status="failed"}'), 1);
    // The drives also count as many, because the test runner lets their ids begin high.
    const expected = driveId > 10_000 ? 2 : 1;
    assert.equal(readLong.mock.callCount(), database.isShared ? 0 : expected);
  },
);

test('the number of sent bytes never decreases when a client leaves', async (t) => {
  const answered = Promise.withResolvers<ServerResponse>();
  const server = createHttpServer((_request, response) => {
    response.write(Buffer.alloc(16 * 2 ** 20));
    answered.resolve(response);
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const page = new MetricsPage(new SocketTraffic(server).listMetrics(), []);
  const readSent = async () => numberOf((await page.render()).text, 'holdall_http_sent_bytes_total') ?? 0;
  const address = server.address();
  if (typeof address !== 'object' || address === null) assert.fail();
  const client = connect(address.port, '127.0.0.1');
  client.pause();
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  const response = await answered.promise;
  await settle();
  // These bytes wait, because the first ones are still being sent.
  response.write(Buffer.alloc(2 ** 20));
  await settle();
  const { socket } = response;
  const sent = await readSent();
  // `once` would reject with the error of the broken connection.
  const closed = new Promise((resolve) => socket?.once('close', resolve));
  client.destroy();
  await closed;
  assert.ok((socket?.bytesWritten ?? 0) < sent, 'bytes that waited are forgotten');
  assert.equal(await readSent(), sent);
});

test('a metric with an invalid value is left out, and the others stay', async () => {
  const own = { help: 'A test.', type: 'gauge', labelNames: ['label'] } as const;
  const samples = (...values: number[]) => values.map((value) => ({ labels: { label: `${value}` }, value }));
  const page = new MetricsPage(
    [
      { ...own, name: 'refused', type: 'counter', read: () => samples(1, -1) },
      { ...own, name: 'fine', read: () => samples(5) },
    ],
    [],
  );
  const { text } = await page.render();
  assert.doesNotMatch(text, /^refused\{/m);
  assert.equal(numberOf(text, 'fine{label="5"}'), 5);
});

test('the metrics show that the database is unavailable, and leave out what is read from it', async (t) => {
  const away = () => Promise.reject(new Error('away'));
  const other = await startHoldall();
  t.mock.method(other.app.database, 'check', away);
  t.mock.method(other.app.blobTotal, 'find', away);
  t.mock.method(other.app.jobRuns, 'list', away);
  const response = await other.anonymous.fetch('GET', '/metrics');
  const text = await response.text();
  assert.equal(response.status, 200);
  assert.equal(numberOf(text, 'holdall_ready{dependency="database"}'), 0);
  assert.equal(numberOf(text, 'holdall_ready{dependency="store"}'), 1);
  assert.equal(numberOf(text, 'holdall_stored_bytes'), undefined);
  assert.equal(numberOf(text, 'holdall_job_last_result{name="backup"}'), undefined);
});

test('with an address of their own, the metrics are available nowhere else', async () => {
  const port = await freePort();
  const env = { HOLDALL_METRICS_ADDRESS: `127.0.0.1:${port}`, HOLDALL_METRICS_TOKEN: 'the token' };
  const other = await startHoldall({ env });
  const headers = { authorization: 'Bearer the token' };
  const address = `http://127.0.0.1:${port}`;
  const fetched = await fetch(`${address}/metrics`, { headers });
  assert.match(await fetched.text(), /^holdall_info\{/m);
  assert.equal((await fetch(`${address}/metrics`)).status, 404);
  assert.equal((await fetch(`${address}/api/v2/site/ping`, { headers })).status, 404);
  assert.equal((await other.anonymous.fetch('GET', '/metrics', { headers })).status, 404);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : assert.fail();
}
