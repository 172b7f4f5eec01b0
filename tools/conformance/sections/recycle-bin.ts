import assert from 'node:assert/strict';
import { refuse } from '../refusals.ts';
import type { Section } from '../suite.ts';

const DAY_MS = 86_400_000;

export const recycleBin: Section = {
  title: 'Recycle bin',
  checks: {
    'a deleted tree is one entry with its times': async ({ newcomer }) => {
      const alice = await newcomer();
      const directory = await alice.mkdir('/a');
      await alice.upload('/a/b/c.txt', 'c');
      await alice.recycle(directory);
      const { items } = await alice.bin();
      assert.equal(items.length, 1);
      const [entry] = items;
      assert.ok(entry !== undefined);
      assert.deepEqual([entry.id, entry.originalPath], [directory.id, '/a']);
      assert.equal(Date.parse(entry.expiresAt) - Date.parse(entry.deletedAt), 10 * DAY_MS);
      assert.ok(!(await alice.names()).includes('a'));
      await refuse('not-found', alice, 'GET', '/api/files/list?path=/a');
    },
    'a restored tree is where it was, with missing parents': async ({ newcomer }) => {
      const alice = await newcomer();
      await alice.upload('/a/b/c.txt', 'c');
      const [outer] = (await alice.list('/')).items.filter(({ filename }) => filename === 'a');
      const [inner] = (await alice.list('/a')).items;
      assert.ok(outer !== undefined && inner !== undefined);
      await alice.recycle(inner);
      await alice.recycle(outer);
      await alice.restore(inner);
      assert.deepEqual(await alice.names('/a/b'), ['c.txt']);
    },
    'a restore is refused if the name is taken, and leaves the entry in the bin': async ({ newcomer }) => {
      const alice = await newcomer();
      const file = await alice.upload('/a.txt', 'old');
      await alice.recycle(file);
      await alice.upload('/a.txt', 'new');
      await refuse('conflict', alice, 'POST', `/api/files/recycle-bin/${file.id}/restore`);
      assert.equal((await alice.bin()).total, 1);
    },
    'a restore is refused without enough space, and leaves the entry in the bin': async (scene) => {
      const alice = await scene.newcomer();
      const admin = await scene.admin();
      const file = await alice.upload('/a.txt', '12345');
      await alice.recycle(file);
      const body = { storageQuotaBytes: 4 };
      await admin.ask('PATCH', `/api/admin/users/${alice.id}/storage-quota`, { body });
      await refuse('over-limit', alice, 'POST', `/api/files/recycle-bin/${file.id}/restore`);
      assert.equal((await alice.bin()).total, 1);
      assert.equal(await alice.usedBytes(), 0);
    },
    'the bin of others is closed': async ({ person, newcomer }) => {
      const alice = await newcomer();
      const file = await alice.upload('/a.txt', 'a');
      await alice.recycle(file);
      const bob = await person('bob');
      await refuse('not-found', bob, 'POST', `/api/files/recycle-bin/${file.id}/restore`);
      assert.equal((await bob.bin()).total, 0);
    },
  },
};
