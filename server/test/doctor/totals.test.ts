// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { diagnose } from '../support/checks/diagnose.ts';
import { sabotage } from '../support/checks/sabotage.ts';
import { isPostgres } from '../support/database/test-database.ts';

const holdall = await startHoldall();
const person = await holdall.register();
await person.upload('/file.txt', 'bytes');
await person.mkdir('/kept/in a directory');
const recycled = await person.mkdir('/recycled');
await person.upload('/recycled/file.txt', 'bytes');
await person.recycle(recycled);

const DAMAGES: readonly (readonly [rule: string, statement: string])[] = [
  ['file-count', `update account set file_count = 7 where username = '${person.username}'`],
  ['entry-count', `update account set entry_count = 7 where username = '${person.username}'`],
  ['stored-total', 'update blob_total set objects = objects + 1, bytes = bytes + 5'],
  ...(isPostgres
    ? []
    : [
        ['search-index', `delete from unindexed_entry where entry_id = (select max(id) from entry)`] as const,
      ]),
];

for (const [rule, statement] of DAMAGES) {
  test(`the doctor reports and repairs: ${rule}`, async () => {
    await sabotage(holdall, statement);
    const { faults } = await diagnose(holdall.app, { onRepair: async () => {} });
    assert.deepEqual(
      faults.map((fault) => [fault.rule, fault.isRepaired]),
      [[rule, true]],
    );
    await checkBooks(holdall);
  });
}
