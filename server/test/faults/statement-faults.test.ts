// runs on: sqlite, postgres
// needs: process
// Lets each SQL statement of every request fail once, `begin` and `commit` too. The response is correct, the
// same request or a new one succeeds afterwards, and the books balance.
import { test } from 'node:test';
import { isPostgres } from '../support/database/test-database.ts';
import { Campaign } from '../support/faults/campaign.ts';
import { nameOf } from '../support/faults/fault-case.ts';
import { FAULT_CASES } from '../support/faults/fault-cases.ts';
import { FaultInjector, type FaultKind, listKinds } from '../support/faults/fault-injector.ts';
import type { FaultScope } from '../support/faults/fault-scope.ts';
import {
  injectPostgresFaults,
  POSTGRES_FAULTS,
  type PostgresFault,
} from '../support/faults/postgres-faults.ts';
import { createScene } from '../support/faults/scene.ts';
import { injectSqliteFaults, SQLITE_FAULTS, type SqliteFault } from '../support/faults/sqlite-faults.ts';

const { scene, scope } = await createScene();
const campaign = new Campaign(scene);
const kinds = isPostgres ? postgresKinds(scope) : sqliteKinds(scope);

for (const tested of FAULT_CASES) {
  if (tested.needs === 'direct' || tested.needs === 's3') continue;
  test(`${nameOf(tested)} survives the failure of any statement`, (t) => campaign.run(t, tested, kinds));
}

test('afterwards the books balance, and the doctor finds nothing but unused objects', (t) =>
  campaign.finish(t));

function postgresKinds(of: FaultScope): readonly FaultKind[] {
  const injector = new FaultInjector<PostgresFault>(of);
  injectPostgresFaults(scene.holdall.databaseUrl ?? '', injector);
  return listKinds(injector, POSTGRES_FAULTS);
}

function sqliteKinds(of: FaultScope): readonly FaultKind[] {
  const injector = new FaultInjector<SqliteFault>(of);
  injectSqliteFaults(injector);
  return listKinds(injector, SQLITE_FAULTS);
}
