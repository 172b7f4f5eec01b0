// tier: full
// runs on: sqlite
// needs: process
// Lets each flush of SQLite's write-ahead log fail once. The request must then fail, and so must later
// changes until the service is restarted.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Random } from '../../../tools/fuzz/requests/random.ts';
import { isLong } from '../../../tools/testing/tiers.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { diagnose } from '../support/checks/diagnose.ts';
import { type FaultCase, nameOf, type ReadyRequest, type Scene } from '../support/faults/fault-case.ts';
import { listFaultCases } from '../support/faults/fault-cases.ts';
import { FaultScope } from '../support/faults/fault-scope.ts';
import { injectLogFaults } from '../support/faults/file-faults.ts';
import { newFaultEnvironment, populate } from '../support/faults/scene.ts';

/** The number of cases that the short form tests, because every failure takes a restart of the service. */
const SAMPLE = 4;

/**
 * Statements that may be lost although the request succeeds: what they release expires or ends later
 * anyway.
 */
const RELEASES = [
  // The writer of a session and the holder of a lease expire.
  /^update "upload_session" set "writer" = /,
  /^(insert into|update|delete from) "lease"/,
  // Maintenance also cancels the uploads of a link or transfer that accepts no more files.
  /^update "upload_session" set "status" = .* where "(folder_link_id|transfer_id)" = /,
];

const seed = randomBytes(4).readUInt32LE();
const random = new Random(seed);
/** Owns the data directory. The services that fail run on the same directory. */
const base = await startHoldall({ env: await newFaultEnvironment() });
let port = 0;
const scope = new FaultScope(() => port);
const unflushed: string[] = [];
const [kind] = await injectLogFaults(scope, unflushed);
assert.ok(kind);
let points = 0;

const all = listFaultCases(base.app.server).filter(({ needs }) => needs !== 'direct' && needs !== 's3');
/** After a failure it reads the session again, and may see data that is visible but not yet durable. */
const COMPLETION = 'POST /api/v2/files/upload-sessions/{sessionId}/complete';
const [completions, others] = [
  all.filter(({ route }) => route === COMPLETION),
  all.filter(({ route }) => route !== COMPLETION),
];
for (const tested of [...completions, ...(isLong ? others : sample(others))]) {
  test(`${nameOf(tested)} does not succeed when a flush of its commits fails`, async (t) => {
    const before = points;
    const most = isLong || completions.includes(tested) ? Number.POSITIVE_INFINITY : 2;
    for (let call = 1; call <= most && (await failOnce(tested, call)); call += 1);
    t.diagnostic(`${points - before} points`);
  });
}

test('after all failures the books balance, and the doctor finds only unused objects', async (t) => {
  t.diagnostic(`${points} failures were injected, seed ${seed}`);
  // One case deletes an account, and its job may have been interrupted.
  await base.app.cleanUp();
  const { faults } = await diagnose(base.app, { isDeep: true, onRepair: async () => {} });
  assert.deepEqual(
    faults.filter(({ rule }) => rule !== 'orphan'),
    [],
  );
  await checkBooks(base);
  assert.ok(points > 0);
});

/** Lets one flush fail. Returns false when the request makes fewer flushes. */
async function failOnce(tested: FaultCase, call: number): Promise<boolean> {
  const holdall = await start();
  port = Number(new URL(holdall.url).port);
  const scene = await populate(holdall, false);
  const request = await prepare(scene, tested);
  kind?.arm('requests', call);
  const { status } = await request.send();
  const hasFailed = kind?.injector.hasFailed === true;
  kind?.injector.disarm();
  if (hasFailed) {
    points += 1;
    const essential = unflushed.filter((statement) => !RELEASES.some((release) => release.test(statement)));
    const where = `${nameOf(tested)}, flush ${call}: ${status} without ${essential}`;
    assert.ok(status === 503 || (status < 300 && essential.length === 0), where);
    const later = await scene.bob.call('POST', '/api/files/mkdir', { body: { path: '/later' } });
    assert.equal(later.status, 503);
  }
  await holdall.app.close();
  if (!hasFailed) return false;
  const again = await start({ HOLDALL_PORT: String(port) });
  // Changes that were committed without the flush may be there.
  const { status: repeated } = await request.send();
  const isSuccess = repeated >= 200 && repeated < 300;
  const expected = [404, 409, ...(tested.repeated ?? [])];
  assert.ok(isSuccess || expected.includes(repeated), `${nameOf(tested)} after a restart: ${repeated}`);
  const next = await prepare({ ...scene, holdall: again }, tested);
  assert.ok((await next.send()).status < 300);
  await next.check?.();
  await again.app.close();
  return true;
}

async function start(more: Readonly<Record<string, string>> = {}) {
  return startHoldall({ beside: base, env: { ...(await newFaultEnvironment()), ...more } });
}

async function prepare(scene: Scene, tested: FaultCase): Promise<ReadyRequest> {
  const ready = await tested.prepare(scene, `n${randomBytes(6).toString('hex')}`);
  return typeof ready === 'function' ? { send: ready } : ready;
}

function sample(cases: readonly FaultCase[]): readonly FaultCase[] {
  const rest = [...cases];
  return Array.from({ length: SAMPLE }, () => rest.splice(random.below(rest.length), 1)).flat();
}
