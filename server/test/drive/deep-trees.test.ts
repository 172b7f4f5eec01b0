// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { formOf, type Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';

const MAX_LEVELS = 128;
const MAX_BYTES = 4_096;

const holdall = await startHoldall();

/** Returns a path of that many levels. */
const deep = (letter: string, levels: number) => `/${letter}`.repeat(levels);

afterEach(() => checkBooks(holdall));

describe('no entry is deeper than 128 levels', () => {
  it('a file can be uploaded to the last level, but no deeper', async () => {
    const alice = await holdall.register('alice');
    await alice.upload(`${deep('a', MAX_LEVELS - 1)}/file`, 'x');
    await alice.mkdir(deep('b', MAX_LEVELS));
    const body = formOf(`${deep('b', MAX_LEVELS)}/file`, 'x');
    await assertRejected(alice, 'POST', '/api/files/upload', body);
    assert.equal(await alice.usedBytes(), 1);
  });

  for (const what of ['a file', 'a directory'] as const) {
    const options = what === 'a file' ? {} : inFull;
    it(
      `a tree whose deepest entry is ${what} can be moved and copied down to the last level, but no deeper`,
      options,
      async () => {
        const alice = await holdall.register('alice');
        const tree = await alice.mkdir('/tree');
        await alice.mkdir('/tree/short');
        // The tree has a hundred levels below its root.
        if (what === 'a file') await alice.upload(`/tree${deep('t', 99)}/file`, 'x');
        else await alice.mkdir(`/tree${deep('t', 100)}`);
        await alice.mkdir(deep('d', 28));
        const body = { path: deep('d', 28) };
        await assertRejected(alice, 'PATCH', `/api/files/${tree.id}/move`, body);
        await assertRejected(alice, 'POST', `/api/files/${tree.id}/copy`, body);
        const copy = await alice.copy(tree, deep('d', 27));
        await alice.recycle(copy);
        await alice.restore(copy);
        await alice.recycle(copy);
        await alice.purge(copy);
        const moved = await alice.move(tree, deep('d', 27));
        await assertRejected(alice, 'PATCH', `/api/files/${moved.id}/move`, body);
        assert.equal((await alice.move(moved, deep('d', 26))).parentPath, deep('d', 26));
      },
    );
  }

  it('an empty directory and a file can be moved to the last level, but no deeper', async () => {
    const alice = await holdall.register('alice');
    await alice.mkdir(deep('d', MAX_LEVELS));
    for (const entry of [await alice.mkdir('/empty'), await alice.upload('/file', 'x')]) {
      await assertRejected(alice, 'PATCH', `/api/files/${entry.id}/move`, { path: deep('d', MAX_LEVELS) });
      await assertRejected(alice, 'POST', `/api/files/${entry.id}/copy`, { path: deep('d', MAX_LEVELS) });
      await alice.move(entry, deep('d', MAX_LEVELS - 1));
    }
  });
});

describe('a path of more than 4,096 bytes', () => {
  // Sixteen names of 250 bytes, each after a slash.
  const directory = `/${'x'.repeat(250)}`.repeat(16);
  const room = MAX_BYTES - directory.length - 1;
  const [fits, tooLong] = ['f'.repeat(room), 'f'.repeat(room + 1)];

  it('cannot be given to an entry by an upload, a rename, a move or a copy', async () => {
    const alice = await holdall.register('alice');
    await alice.upload(`${directory}/${fits}`, 'x');
    await assertRejected(alice, 'POST', '/api/files/upload', formOf(`${directory}/${tooLong}`, 'x'));
    const file = await alice.upload(`/${tooLong}`, 'x');
    await assertRejected(alice, 'PATCH', `/api/files/${file.id}/move`, { path: directory });
    await assertRejected(alice, 'POST', `/api/files/${file.id}/copy`, { path: directory });
    const short = await alice.upload(`${directory}/short`, 'x');
    await assertRejected(alice, 'PATCH', `/api/files/${short.id}/rename`, { filename: tooLong });
    await alice.rename(short, 'g'.repeat(room));
  });

  it('can result when a parent is renamed; the entry can still be restored and moved', async () => {
    const alice = await holdall.register('alice');
    const top = await alice.mkdir('/a');
    const file = await alice.upload(`/a${directory}/file`, 'far away');
    const below = `/${'b'.repeat(250)}${directory}`;
    await alice.rename(top, 'b'.repeat(250));
    assert.equal((await alice.details(file)).path, `${below}/file`);
    assert.equal(String(await alice.download(file)), 'far away');
    await alice.recycle(file);
    assert.equal((await alice.restore(file)).path, `${below}/file`);
    await assertRejected(alice, 'PATCH', `/api/files/${file.id}/rename`, { filename: 'file2' });
    assert.equal((await alice.move(file, '/')).path, '/file');
  });
});

function assertRejected(
  person: Person,
  method: string,
  path: string,
  body: FormData | object,
): Promise<unknown> {
  return person.refused(400, 1000, method, path, { body });
}
