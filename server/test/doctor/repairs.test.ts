// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../../src/doctor/doctor.ts';
import { entryRules } from '../../src/doctor/entries/rules.ts';
import { RowCheck } from '../../src/doctor/row-check.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { sabotage } from '../support/checks/sabotage.ts';

const holdall = await startHoldall();
const { database } = holdall.app;
const alice = await holdall.register('alice');
const directory = await alice.mkdir('/directory');
const { id } = await alice.upload('/directory/file.txt', 'content');
const check = new RowCheck(database, entryRules);

async function findFaults(): Promise<readonly Fault[]> {
  const found: Fault[] = [];
  for await (const { faults } of check.findFaults(new AbortController().signal)) found.push(...faults);
  return found;
}

test('a fault that has disappeared since it was found is not repaired', async () => {
  await sabotage(holdall, `update entry set child_count = child_count + 1 where id = ${directory.id}`);
  const [fault] = await findFaults();
  assert.equal(fault?.rule, 'child-count');
  await sabotage(holdall, `update entry set child_count = child_count - 1 where id = ${directory.id}`);
  const audited: Fault[] = [];
  assert.equal(await check.repair(fault, async (_tx, each) => void audited.push(each)), false);
  assert.deepEqual([audited, await findFaults()], [[], []]);
});

test('a recycled entry is reported if its deletion time differs from that of its directory', async () => {
  await alice.recycle(directory);
  assert.deepEqual(await findFaults(), []);
  await sabotage(holdall, `update entry set deleted_at = deleted_at - 1 where id = ${id}`);
  assert.deepEqual(
    (await findFaults()).map((fault) => [fault.rule, fault.id]),
    [['bin', id]],
  );
  await sabotage(holdall, `update entry set deleted_at = deleted_at + 1 where id = ${id}`);
});
