// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { Writable } from 'node:stream';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';

interface Line {
  readonly msg: string;
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
  readonly account?: number;
  readonly aborted?: boolean;
  readonly address?: string;
  readonly limit?: string;
  readonly blocked?: boolean;
  readonly proxyRequestId?: string;
  readonly traceId?: string;
  readonly seconds?: number;
}

const ROOT = path.join(import.meta.dirname, '..', '..', '..');

const lines: Line[] = [];
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(JSON.parse(String(chunk)));
    done();
  },
});
const holdall = await startHoldall({
  logger: pino({ level: 'info' }, stream),
  env: { HOLDALL_TRUST_PROXY: '10.0.0.0/8,127.0.0.1', HOLDALL_SLOW_REQUEST: '100ms' },
});

/** Waits for the log line of a request. Returns what it says besides the route. */
async function lineOf(method: string, route: string) {
  const find = () =>
    lines.find((line) => line.msg === 'request' && line.method === method && line.route === route);
  await waitUntil(`the log has a line for ${method} ${route}`, () => find() !== undefined);
  const { status, account, aborted } = find() ?? {};
  return { status, account, aborted };
}

async function metrics(): Promise<string> {
  return await (await holdall.anonymous.fetch('GET', '/metrics')).text();
}

test('a request has a line, also if it is refused', async () => {
  await holdall.anonymous.refused(401, 1001, 'GET', '/api/files/recent');
  assert.deepEqual(await lineOf('GET', '/api/files/recent'), {
    status: 401,
    account: undefined,
    aborted: undefined,
  });
});

test('a request whose client leaves before the answer has a line, and is counted', async (t) => {
  const ann = await holdall.register('ann');
  const { id } = await ann.upload('/a.txt', 'a');
  const { bin } = holdall.app.drive;
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { recycle } = bin;
  t.mock.method(bin, 'recycle', async (...args: Parameters<typeof recycle>) => {
    begun.resolve();
    await gate.promise;
    await Reflect.apply(recycle, bin, args);
  });
  const headers = { authorization: `Bearer ${ann.login?.accessToken}` };
  const sent = request(new URL(`/api/files/${id}`, ann.url), { method: 'DELETE', headers });
  sent.on('error', () => {});
  sent.end();
  await begun.promise;
  // On a busy machine, other requests may have been slow before this one.
  await waitUntil('the log says that it is slow', () =>
    lines.some(
      ({ msg, method, route }) =>
        msg === 'a request is slow' && method === 'DELETE' && route === '/api/files/:fileId',
    ),
  );
  sent.destroy();
  assert.deepEqual(await lineOf('DELETE', '/api/files/:fileId'), {
    status: 499,
    account: ann.id,
    aborted: true,
  });
  gate.resolve();
  await waitUntil('the file is in the bin', async () => (await ann.bin()).items.length === 1);
  assert.match(await metrics(), /route="\/api\/files\/:fileId",status="499"\} 1$/m);
});

test('an answer that breaks off has a line, with its status and what broke it', async (t) => {
  const bob = await holdall.register('bob');
  const client = await asDavClient(bob);
  await bob.mkdir('/many');
  for (let index = 0; index < 3; index += 1) await bob.upload(`/many/${index}.txt`, 'x');
  const { listing } = holdall.app.drive;
  const { listAfter } = listing;
  let pages = 0;
  t.mock.method(listing, 'listAfter', async (...args: Parameters<typeof listAfter>) => {
    pages += 1;
    if (pages > 1) throw new Error('the disk is gone');
    const [id, after] = args;
    const page = await Reflect.apply(listAfter, listing, [id, after, 1_000]);
    // A full page, so that another one is read.
    return Array.from({ length: 1_000 }, (_, index) => page[index % page.length] ?? page[0]).flatMap(
      (each) => each ?? [],
    );
  });
  const { hostname, port } = new URL(bob.url);
  const sent = request({
    ...{ hostname, port, method: 'PROPFIND', path: '/dav/many/' },
    headers: { authorization: client.authorization, depth: '1' },
  });
  sent.end();
  const [response] = await once(sent, 'response');
  await assert.rejects(async () => {
    for await (const chunk of response) assert.ok(chunk);
  });
  assert.deepEqual(await lineOf('PROPFIND', '/dav/*'), { status: 207, account: bob.id, aborted: true });
  assert.ok(lines.some(({ msg }) => msg === 'an answer was interrupted'));
});

describe('the request id of a trusted proxy', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

  async function idsOf(headers: Record<string, string>) {
    const before = lines.length;
    const response = await holdall.anonymous.fetch('GET', '/health/live', { headers });
    const find = () => lines.slice(before).find(({ route }) => route === '/health/live');
    await waitUntil('the log has the line', () => find() !== undefined);
    const { proxyRequestId, traceId } = find() ?? {};
    return { proxyRequestId, traceId, answered: response.headers.get('x-request-id') };
  }

  test('is in the log line of the request and in the response', async () => {
    const headers = { 'x-request-id': 'abc-123', traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    assert.deepEqual(await idsOf(headers), {
      proxyRequestId: 'abc-123',
      traceId: trace,
      answered: 'abc-123',
    });
  });

  test('is ignored if it is too long or malformed', async () => {
    for (const headers of [
      { 'x-request-id': 'a'.repeat(129), traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` },
      { 'x-request-id': 'a b', traceparent: `${trace}` },
    ]) {
      const { answered, ...ids } = await idsOf(headers);
      assert.deepEqual(ids, { proxyRequestId: undefined, traceId: undefined });
      assert.match(answered ?? '', /^[\w-]+$/);
      assert.notEqual(answered, headers['x-request-id']);
    }
  });

  test('is ignored if it comes from anyone else', async () => {
    const other = await startHoldall({ env: { HOLDALL_TRUST_PROXY: '10.0.0.0/8' } });
    const headers = { 'x-request-id': 'abc-123' };
    const response = await other.anonymous.fetch('GET', '/health/live', { headers });
    assert.notEqual(response.headers.get('x-request-id'), 'abc-123');
  });
});

test('a rejected code has a log line with the address, which the fail2ban filter finds', async () => {
  const filter = await readFile(path.join(ROOT, 'deploy', 'fail2ban', 'filter-holdall.conf'), 'utf8');
  const expression = /^failregex = (.+)$/m.exec(filter)?.[1]?.replace('<ADDR>', '(?<address>[\\da-f.:]+)');
  const pattern = new RegExp(expression ?? assert.fail('the filter has an expression'));
  const code = 'ABCDEF';
  await holdall.anonymous.fetch('GET', `/api/transfer/sessions/lookup?pickupCode=${code}`);
  const refused = () => lines.find(({ msg }) => msg === 'a credential was refused');
  await waitUntil('the log has the line', () => refused() !== undefined);
  assert.equal(refused()?.limit, 'pickup-codes');
  assert.equal(pattern.exec(JSON.stringify(refused()))?.groups?.address, '127.0.0.1');
});
