// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { nameOf } from '../support/faults/fault-case.ts';
import { listChangingOperations, listFaultCases, MORE_CASES, NEEDS } from '../support/faults/fault-cases.ts';
import { newFaultEnvironment, populate } from '../support/faults/scene.ts';

/** Operations that only look something up, although their methods are those of changes. */
const WITHOUT_EFFECT = [
  'POST /api/auth/invitation',
  'POST /api/auth/passkey/options',
  'POST /api/v2/shares/{token}/verify-password',
  'POST /api/v2/folder-links/{token}/verify-password',
];

const written: string[] = [];
const holdall = await startHoldall({
  env: await newFaultEnvironment(),
  onQuery: ({ sql }) => void (/^\s*(?:insert|update|delete)\b/i.test(sql) && written.push(sql)),
});
const scene = await populate(holdall, false);
const { server } = holdall.app;
const cases = listFaultCases(server);

test('every operation that changes something has a case in the fault tests', () => {
  const changing = listChangingOperations(server).map(({ name }) => name);
  const tested = new Set(cases.map(({ route }) => route));
  assert.ok(changing.length > 100, `${changing.length} operations`);
  assert.deepEqual(
    changing.filter((name) => !tested.has(name)),
    [],
  );
});

test('every operation that the fault tests name is mounted', () => {
  const routes = server.listMountedRoutes();
  const mounted = new Set(routes.map(({ method, url, operation }) => operation?.name ?? `${method} ${url}`));
  const named = [...Object.keys(NEEDS), ...MORE_CASES.map(({ route }) => route)];
  assert.deepEqual(
    named.filter((route) => !mounted.has(route)),
    [],
  );
});

for (const tested of cases) {
  if (tested.needs === 'direct' || tested.needs === 's3') continue;
  test(`${nameOf(tested)} has an effect if no fault is injected`, async () => {
    const ready = await tested.prepare(scene, `n${randomBytes(6).toString('hex')}`);
    const request = typeof ready === 'function' ? { send: ready } : ready;
    written.length = 0;
    const { status } = await request.send();
    assert.ok(status >= 200 && status < 300, `${status}`);
    const isWriting = !tested.route.startsWith('GET ') && !WITHOUT_EFFECT.includes(tested.route);
    assert.ok(!isWriting || written.length > 0, 'it writes nothing');
    await request.check?.();
  });
}
