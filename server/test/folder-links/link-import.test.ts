// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { afterEach, before, describe, test } from 'node:test';
import { Failure } from '../../src/base/failure.ts';
import { toLogicalPath } from '../../src/base/text/names/logical-path.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { FolderLinkRecord } from '../../src/folder-links/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { FOLDER_LINKS, linkFolder, Visitor } from '../support/folder-links/folder-links.ts';

const holdall = await startHoldall({ maxTreeEntries: 150 });
let alice: Person;
let bob: Person;
let link: FolderLinkRecord;

before(async () => {
  alice = await holdall.register('alice');
  bob = await holdall.register('bob');
  await alice.upload('/secret-name/a.txt', 'a');
  await alice.upload('/secret-name/sub/b.txt', 'bb');
  await alice.upload('/beside.txt', 'not shared');
  const { items } = await alice.list('/');
  const directory = items.find(({ filename }) => filename === 'secret-name') ?? assert.fail();
  link = await linkFolder(alice, directory, { title: 'Public/name', mode: 'BOTH' });
});
afterEach(() => checkBooks(holdall));

const importFrom = ({ token }: FolderLinkRecord, body: object, person = bob) =>
  person.call<EntryRecord>('POST', `${FOLDER_LINKS}/${token}/import`, { body });

describe('an import', () => {
  test('copies a file or a directory into the drive of the caller', async () => {
    const used = await bob.usedBytes();
    const file = await importFrom(link, { path: '/sub/b.txt', targetPath: '/new/place' });
    assert.deepEqual([file.status, file.data.path], [200, '/new/place/b.txt']);
    assert.equal((await bob.download(file.data)).toString(), 'bb');
    const directory = await importFrom(link, { path: 'sub' });
    assert.equal(directory.data.path, '/sub');
    assert.deepEqual(await bob.names('/sub'), ['b.txt']);
    assert.equal(await bob.usedBytes(), used + 4);
    assert.equal((await importFrom(link, { path: 'sub' })).status, 409);
    assert.equal((await importFrom(link, { path: 'sub', onConflict: 'RENAME' })).data.filename, 'sub (2)');
  });

  test('of the whole link is named after the title', async () => {
    const { data } = await importFrom(link, { path: '/' });
    assert.equal(data.path, '/Public_name');
    assert.deepEqual(await bob.names('/Public_name'), ['sub', 'a.txt']);
    assert.equal((await importFrom(link, { path: '/' })).status, 409);
    assert.equal((await importFrom(link, { path: '/', onConflict: 'REPLACE' })).data.path, '/Public_name');
  });

  test('of a whole drive can go into other drives, but not into itself', async () => {
    const carol = await holdall.register('carol');
    await carol.upload('/of-carol/c.txt', 'c');
    const all = await linkFolder(carol, null, { title: 'All' });
    const { data } = await importFrom(all, { path: '/' });
    assert.equal(data.path, '/All');
    assert.deepEqual(await bob.names('/All/of-carol'), ['c.txt']);
    for (const targetPath of ['/', '/of-carol']) {
      assert.equal((await importFrom(all, { path: '/', targetPath }, carol)).status, 400);
    }
  });

  test('by the owner copies within the drive', async () => {
    const { data } = await importFrom(link, { path: '/', targetPath: '/copies' }, alice);
    assert.equal(data.path, '/copies/Public_name');
    const body = { path: '/', targetPath: '/secret-name/sub' };
    assert.equal((await importFrom(link, body, alice)).status, 400);
  });

  test('of a drive respects the limit of depth', async () => {
    const deep = await holdall.register('deep');
    const all = await linkFolder(deep, null, { title: 'Deep' });
    await deep.mkdir(`/${Array.from({ length: 127 }, () => 'd').join('/')}`);
    assert.equal((await importFrom(all, { path: '/', targetPath: '/one' })).status, 400);
    assert.equal((await importFrom(all, { path: '/' })).status, 200);
    await deep.mkdir(`/${Array.from({ length: 128 }, () => 'd').join('/')}`);
    assert.equal((await importFrom(all, { path: '/', onConflict: 'RENAME' })).status, 400);
  });

  test('is rejected without a login, or with a wrong mode, password, path or size', async () => {
    const body = { path: '/a.txt', targetPath: '/refused' };
    await holdall.anonymous.refused(401, 2401, 'POST', `${FOLDER_LINKS}/${link.token}/import`, { body });
    const blind = await linkFolder(alice, { id: link.directoryId }, { mode: 'UPLOAD' });
    assert.equal((await importFrom(blind, body)).status, 403);
    const locked = await linkFolder(alice, { id: link.directoryId }, { password: 'sesame' });
    assert.equal((await importFrom(locked, body)).status, 403);
    const visitor = await new Visitor(holdall.url, locked).enterPassword('sesame');
    visitor.login = bob.login;
    await visitor.ask('POST', visitor.at('/import'), { body });
    assert.deepEqual(await bob.names('/refused'), ['a.txt']);
    for (const path of ['/nothing', '/a.txt/x', '/beside.txt']) {
      assert.equal((await importFrom(link, { path })).status, 404, path);
    }
    for (const path of ['/../beside.txt', '..', '/./a.txt']) {
      assert.equal((await importFrom(link, { path })).status, 400, path);
    }
    assert.equal((await importFrom(link, {})).status, 400);
    for (let index = 0; index < 151; index += 1) await alice.mkdir(`/secret-name/many/${index}`);
    assert.equal((await importFrom(link, { path: '/many' })).status, 413);
  });

  test('that races with the deletion of the link results in a copy or a 404', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ending = await linkFolder(alice, { id: link.directoryId });
      const [answer] = await Promise.all([
        importFrom(ending, { path: '/a.txt', targetPath: `/race-${round}` }),
        alice.ask('DELETE', `${FOLDER_LINKS}/${ending.id}`),
      ]);
      assert.ok([200, 404].includes(answer.status));
      assert.equal((await importFrom(ending, { path: '/a.txt' })).status, 404);
    }
  });

  test('is rejected if the password of the link changed after the request opened it', async () => {
    const { folderLinks, linkImport } = holdall.app;
    const own = await linkFolder(alice, { id: link.directoryId }, { password: 'sesame' });
    const opened = await folderLinks.get(own.token);
    await alice.ask('PATCH', `${FOLDER_LINKS}/${own.id}`, { body: { password: 'another' } });
    const actor = { driveId: bob.driveId, accountId: bob.id, clientId: null };
    const target = { targetPath: toLogicalPath('/too-late'), onConflict: 'FAIL' as const };
    await assert.rejects(
      linkImport.import(actor, opened, toLogicalPath('/a.txt'), target),
      (error) => error instanceof Failure && error.kind === 'forbidden',
    );
    assert.ok(!(await bob.names('/')).includes('too-late'));
  });

  test('does not copy what was moved out of the directory meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const file = await alice.upload(`/secret-name/moving-${round}.txt`, 'x');
      const [answer] = await Promise.all([
        importFrom(link, { path: `/moving-${round}.txt`, targetPath: `/moved-${round}` }),
        alice.move(file, '/'),
      ]);
      assert.ok([200, 404].includes(answer.status));
      assert.equal((await importFrom(link, { path: `/moving-${round}.txt` })).status, 404);
    }
  });
});
