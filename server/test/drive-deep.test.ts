import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EntryRecord } from '../src/drive/contract.ts';
import { checkBooks } from './support/books.ts';
import { startHoldall } from './support/holdall.ts';

const holdall = await startHoldall();

/** Moves can make what is deeper than any path that a caller may send. */
describe('a tree that is deeper than a path may be', () => {
  it('can be recycled, restored where it was, copied and purged', async () => {
    const alice = await holdall.register('alice');
    const deep = (letter: string) => `/${Array(100).fill(letter).join('/')}`;
    await alice.mkdir(deep('a'));
    await alice.mkdir(deep('b'));
    const file = await alice.upload(`${deep('b')}/file`, 'at the bottom');
    const top = (await alice.list()).items.find((entry) => entry.filename === 'b');
    assert.ok(top);
    await alice.ask('PATCH', `/api/files/${top.id}/move`, { body: { path: deep('a') } });

    const path = `${deep('a')}${deep('b')}/file`;
    const found = await alice.ask<EntryRecord>('GET', `/api/v2/files/${file.id}`);
    assert.equal(found.path, path);

    await alice.recycle(file);
    const restored = await alice.ask<EntryRecord>('POST', `/api/files/recycle-bin/${file.id}/restore`);
    assert.equal(restored.path, path);
    assert.equal(String(await alice.download(file)), 'at the bottom');

    const copy = await alice.ask<EntryRecord>('POST', `/api/files/${top.id}/copy`, { body: { path: '/' } });
    await alice.recycle(copy);
    await alice.ask('DELETE', `/api/files/recycle-bin/${copy.id}`);
    await checkBooks(holdall);
  });

  it('is made anew above something that is restored when it is gone', async () => {
    const bob = await holdall.register('bob');
    const deep = (letter: string) => `/${Array(70).fill(letter).join('/')}`;
    await bob.mkdir(deep('a'));
    const file = await bob.upload(`${deep('b')}/file`, 'x');
    const tops = (await bob.list()).items.filter((entry) => 'ab'.includes(entry.filename));
    const [a, b] = tops;
    assert.ok(a && b);
    await bob.ask('PATCH', `/api/files/${b.id}/move`, { body: { path: deep('a') } });
    await bob.recycle(file);
    await bob.recycle(a);
    const restored = await bob.ask<EntryRecord>('POST', `/api/files/recycle-bin/${file.id}/restore`);
    assert.equal(restored.path, `${deep('a')}${deep('b')}/file`);
    await checkBooks(holdall);
  });
});
