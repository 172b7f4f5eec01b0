// tier: default
// runs on: postgres
// runs on, with --full: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { atEveryInstance, countStatuses, race } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';

const env = { HOLDALL_RATE_LIMITS: 'off' };
const holdall = await startHoldall({ env });
const another = isPostgres ? await startHoldall({ beside: holdall, env }) : undefined;
const urls = [holdall, another].flatMap((one) => one?.url ?? []);
const { database } = holdall.app;

/** Copies the only row of a table of links until there are `count`. */
async function fillTable(table: 'share' | 'folder_link', count: number): Promise<void> {
  const { id: _id, ...link } = await database.db.selectFrom(table).selectAll().executeTakeFirstOrThrow();
  const copies = Array.from({ length: count - 1 }, (_, index) => ({ ...link, token: `copy ${index}` }));
  await database.transact(async (tx) => {
    for (let from = 0; from < copies.length; from += 500) {
      await tx
        .insertInto(table)
        .values(copies.slice(from, from + 500))
        .execute();
    }
  });
}

test('an account has at most 2,000 shares and 2,000 folder links', async () => {
  const alice = await holdall.register('alice');
  const { id: fileId } = await alice.upload('/a.txt', 'a');
  const { id: directoryId } = await alice.mkdir('/shared');
  const kinds = [
    { table: 'share', path: '/api/v2/shares', body: { fileId } },
    { table: 'folder_link', path: '/api/v2/folder-links', body: { directoryId, mode: 'VIEW' } },
  ] as const;
  for (const { table, path, body } of kinds) {
    const { id } = await alice.ask<{ id: number }>('POST', path, { body });
    await fillTable(table, 1_997);
    const answers = await race(atEveryInstance(alice, urls), 10, (person) =>
      person.call('POST', path, { body }),
    );
    assert.deepEqual(countStatuses(answers), { 200: 3, 400: 7 }, table);
    await alice.ask('DELETE', `${path}/${id}`);
    await alice.ask('POST', path, { body });
  }
});
