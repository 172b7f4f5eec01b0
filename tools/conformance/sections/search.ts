import assert from 'node:assert/strict';
import type { EntryRecord } from '../../../server/src/drive/contract.ts';
import type { Listing, Person } from '../../../server/test/support/app/person.ts';
import { refuse } from '../refusals.ts';
import type { Section } from '../suite.ts';

export const search: Section = {
  title: 'Search',
  checks: {
    'finds names that contain the text, regardless of case': async ({ newcomer }) => {
      const alice = await newcomer();
      await alice.upload('/a/Letter.txt', 'abc');
      await alice.mkdir('/b/old letters');
      await alice.upload('/100%.txt', 'a');
      assert.deepEqual(await find(alice, { name: 'LETTER' }), ['Letter.txt', 'old letters']);
      assert.deepEqual(await find(alice, { name: '%' }), ['100%.txt']);
    },
    'filters by type, size and time': async ({ newcomer }) => {
      const alice = await newcomer();
      const small = await alice.upload('/match-small', '1');
      await alice.upload('/match-large', '1'.repeat(100));
      await alice.mkdir('/match-directory');
      const name = 'match';
      assert.deepEqual(await find(alice, { name, type: 'directory' }), ['match-directory']);
      assert.deepEqual(await find(alice, { name, type: 'folder' }), ['match-directory']);
      assert.deepEqual(await find(alice, { name, type: 'file', sizeGte: 2 }), ['match-large']);
      assert.deepEqual(await find(alice, { name, type: 'file', sizeLte: 1 }), ['match-small']);
      assert.equal((await find(alice, { name, type: 'all' })).length, 3);
      const withoutZone = small.createdAt.slice(0, -1);
      assert.ok((await find(alice, { name, createdLte: withoutZone })).includes('match-small'));
      assert.deepEqual(await find(alice, { name, createdGte: '2999-01-01T00:00:00' }), []);
      assert.deepEqual(await find(alice, { name, updatedLte: '2000-01-01T00:00:00' }), []);
      assert.equal((await find(alice, { name, updatedGte: '2000-01-01T00:00:00' })).length, 3);
    },
    'refuses an unknown type and unreadable times': async ({ person }) => {
      const alice = await person();
      for (const query of ['type=photo', 'sizeGte=many', 'createdGte=yesterday']) {
        await refuse('invalid', alice, 'GET', `/api/v2/files/search?${query}`);
      }
    },
    'finds neither deleted files nor those of others': async ({ newcomer, person }) => {
      const alice = await newcomer();
      const file = await alice.upload('/hidden.txt', 'a');
      assert.deepEqual(await find(await person('bob'), { name: 'hidden' }), []);
      await alice.recycle(file);
      assert.deepEqual(await find(alice, { name: 'hidden' }), []);
    },
    'gives pages with items, total, page and size': async ({ newcomer }) => {
      const alice = await newcomer();
      for (const name of ['n1', 'n2', 'n3']) await alice.mkdir(`/${name}`);
      const page = await alice.ask<Listing>(
        'GET',
        '/api/v2/files/search?name=n&size=2&page=1&type=directory',
      );
      assert.deepEqual(Object.keys(page).sort(), ['items', 'page', 'size', 'total']);
    },
  },
};

async function find(person: Person, query: Record<string, string | number>): Promise<readonly string[]> {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) parameters.set(key, String(value));
  const { items } = await person.ask<Listing<EntryRecord>>('GET', `/api/v2/files/search?${parameters}`);
  return items.map(({ filename }) => filename);
}
