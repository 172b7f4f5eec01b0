// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { FAULT_CASES, listChangingRoutes } from '../support/faults/fault-cases.ts';

test('every route that changes something has a case in the fault tests', async () => {
  const { app } = await startHoldall({ env: { HOLDALL_DEV_LOGIN: 'true' } });
  const changing = new Set(listChangingRoutes(app.server));
  const tested = new Set(FAULT_CASES.map(({ route }) => route));
  assert.ok(changing.size > 60, `${changing.size} routes`);
  assert.deepEqual(
    [...changing].filter((route) => !tested.has(route)),
    [],
  );
  const mounted = new Set(app.server.listMountedRoutes().map(({ method, url }) => `${method} ${url}`));
  assert.deepEqual(
    [...tested].filter((route) => !mounted.has(route)),
    [],
  );
});
