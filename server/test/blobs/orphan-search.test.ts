// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemIds } from '../../src/base/ids.ts';
import { newObjectKey } from '../../src/blobs/object-key.ts';
import { OrphanSearch } from '../../src/blobs/sweep/orphans.ts';
import { openTestDatabase } from '../support/database/open-database.ts';

const { database } = await openTestDatabase();

/** Creates a search whose claims answer its first question with the first list of keys, and so on. */
function makeSearch(...answers: readonly (readonly string[])[]): OrphanSearch {
  let asked = 0;
  const claims = {
    findClaimedKeys: async () => answers[asked++] ?? [],
    findOldest: async () => undefined,
  };
  return new OrphanSearch({ database, uploadSessionTtlMs: 0, claims: [claims] });
}

test('an object that neither a blob nor a claim refers to is an orphan', async () => {
  const key = newObjectKey(systemIds, Date.now());
  assert.deepEqual(await makeSearch().findOrphans(1, [key]), [key]);
});

test('a claimed object is not an orphan, whenever the claim is made', async () => {
  const key = newObjectKey(systemIds, Date.now());
  assert.deepEqual(await makeSearch([key]).findOrphans(1, [key]), []);
  // The first question misses the claim: a policy migration moves its blob between the questions.
  assert.deepEqual(await makeSearch([], [key]).findOrphans(1, [key]), []);
});
