// runs on: sqlite, postgres
// needs: process
// Lets each file system call and each SQL statement of changing requests fail once. The response is correct, the
// same request or a new one succeeds afterwards, and the books balance.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, mock, test } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { FaultInjector } from '../support/app/faults.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { formOf } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { diagnose } from '../support/checks/diagnose.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { TusUpload } from '../support/uploads/tus.ts';

const LARGE = 700_000;

const sql = new FaultInjector();
const files = new FaultInjector();
const holdall = await startHoldall({
  env: { HOLDALL_RATE_LIMITS: 'off' },
  onQuery: () => {
    const error = sql.next();
    if (error !== undefined) throw error;
  },
});
files.observeFiles(holdall.dataDir);
after(() => mock.restoreAll());
const alice = await holdall.register('alice');

/** Makes what the request needs, and returns the request. It can be sent again. */
type Prepare = (name: string) => Promise<() => Promise<number>>;

const status = async (answer: Promise<{ status: number }>) => (await answer).status;
const send = (method: string, path: string, body?: unknown) => () =>
  status(alice.call(method, path, { body }));
const upload = (at: string, bytes: Uint8Array<ArrayBuffer>) => () =>
  status(alice.call('POST', '/api/files/upload', { body: formOf(at, bytes) }));

async function recycled(name: string): Promise<EntryRecord> {
  const file = await alice.upload(`/${name}`, name);
  await alice.recycle(file);
  return file;
}

const REQUESTS: Readonly<Record<string, Prepare>> = {
  mkdir: async (name) => send('POST', '/api/files/mkdir', { path: `/${name}/below` }),
  'a small upload': async (name) => upload(`/${name}/new/file`, randomBytes(100)),
  'a large upload': async (name) => upload(`/${name}`, randomBytes(LARGE)),
  'a tus chunk': async (name) => {
    const tus = await TusUpload.create(alice, name, LARGE);
    const bytes = randomBytes(LARGE);
    return async () => {
      const head = await tus.head();
      const offset = Number(head.headers.get('upload-offset'));
      return status(head.status === 200 ? tus.patch(offset, bytes.subarray(offset)) : tus.head());
    };
  },
  rename: async (name) => {
    const { id } = await alice.upload(`/${name}`, name);
    return send('PATCH', `/api/files/${id}/rename`, { filename: `${name} renamed` });
  },
  move: async (name) => {
    const { id } = await alice.upload(`/${name}/file`, name);
    await alice.mkdir(`/${name}/target`);
    return send('PATCH', `/api/files/${id}/move`, { path: `/${name}/target` });
  },
  copy: async (name) => {
    const { id } = await alice.mkdir(`/${name}`);
    await alice.upload(`/${name}/file`, name);
    return send('POST', `/api/files/${id}/copy`, { path: '/Documents' });
  },
  recycle: async (name) => send('DELETE', `/api/files/${(await alice.upload(`/${name}`, name)).id}`),
  restore: async (name) => send('POST', `/api/files/recycle-bin/${(await recycled(name)).id}/restore`),
  purge: async (name) => send('DELETE', `/api/files/recycle-bin/${(await recycled(name)).id}`),
  'a share': async (name) => {
    const { id: fileId } = await alice.upload(`/${name}`, name);
    return send('POST', '/api/v2/shares', { fileId, password: 'of a share' });
  },
};

const FAULTS: readonly (readonly [what: string, injector: FaultInjector, error: Error])[] = [
  ['statement', sql, withCode(isPostgres ? '57P01' : 'SQLITE_FULL')],
  ['file system call', files, withCode('ENOSPC')],
  ['file system call', files, withCode('EIO')],
  ['file system call', files, withCode('EMFILE')],
];

let points = 0;

for (const [what, prepare] of Object.entries(REQUESTS)) {
  test(`${what} survives any single failure`, async (t) => {
    for (const [kind, injector, error] of FAULTS) {
      const count = await countCalls(prepare, injector);
      for (let call = 1; call <= count; call += 1) await failOnce(prepare, { kind, injector, error, call });
      t.diagnostic(`${count} calls: ${kind}, ${error.message}`);
    }
  });
}

test('afterwards the books balance, and the doctor finds nothing but unused objects', async (t) => {
  t.diagnostic(`${points} failures were injected`);
  const { faults } = await diagnose(holdall.app, { isDeep: true, onRepair: async () => {} });
  assert.deepEqual(
    faults.filter(({ rule }) => rule !== 'orphan'),
    [],
  );
  await checkBooks(holdall);
  assert.ok(points > 100);
});

async function countCalls(prepare: Prepare, injector: FaultInjector): Promise<number> {
  const request = await prepare(`counted ${randomBytes(4).toString('hex')}`);
  injector.arm(0);
  assertSuccess(await request());
  const { count } = injector;
  injector.disarm();
  return count;
}

async function failOnce(
  prepare: Prepare,
  fault: { kind: string; injector: FaultInjector; error: Error; call: number },
): Promise<void> {
  const { kind, injector, error, call } = fault;
  const name = `failed ${randomBytes(4).toString('hex')}`;
  const request = await prepare(name);
  injector.arm(call, error);
  const answer = await request();
  const { hasFailed } = injector;
  injector.disarm();
  if (hasFailed) points += 1;
  const where = `${kind} ${call}, ${error.message}: ${answer}`;
  assert.ok(answer < 300 || [413, 500, 503].includes(answer), where);
  if (answer < 300) return;
  // What has failed after the commit is there: then the name is taken, or the entry is gone.
  const again = await request();
  assert.ok(again < 300 || [404, 409].includes(again), `${where}, and then ${again}`);
  assertSuccess(await (await prepare(`${name} again`))());
}

function assertSuccess(answer: number): void {
  assert.ok(answer < 300, `${answer}`);
}

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}
