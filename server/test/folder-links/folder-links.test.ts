// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { FolderLinkRecord } from '../../src/folder-links/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Listing, Person } from '../support/app/person.ts';
import { FOLDER_LINKS, linkFolder, ownLink, Visitor } from '../support/folder-links/folder-links.ts';

const HOUR = 3_600_000;

const holdall = await startHoldall();
let alice: Person;
let bob: Person;

before(async () => {
  alice = await holdall.register('alice');
  bob = await holdall.register('bob');
});

const visit = (link: { token: string }) => new Visitor(holdall.url, link);
const change = (link: FolderLinkRecord, body: object, person = alice) =>
  person.call<FolderLinkRecord>('PATCH', `${FOLDER_LINKS}/${link.id}`, { body });

describe('a new link', () => {
  test('has the requested options, or the defaults', async () => {
    const directory = await alice.mkdir('/Trips/Norway');
    const { id, token, createdAt, ...rest } = await linkFolder(alice, directory);
    assert.match(token, /^[\w-]{22}$/);
    assert.ok(id > 0 && createdAt !== '');
    assert.deepEqual(rest, {
      directoryId: directory.id,
      directoryPath: '/Trips/Norway',
      inBin: false,
      mode: 'VIEW',
      title: 'Norway',
      note: null,
      passwordProtected: false,
      expiresAt: null,
      maxFiles: null,
      maxBytes: null,
      receivedFiles: 0,
      receivedBytes: 0,
    });
    const expiresAt = new Date(holdall.clock.now() + HOUR).toISOString();
    const options = { mode: 'BOTH', title: 'Our trip', note: 'All of us', maxFiles: 3, maxBytes: 1_000 };
    const full = await linkFolder(alice, directory, { ...options, expiresAt, password: 'sesame' });
    assert.deepEqual({ ...full, ...options, expiresAt, passwordProtected: true }, full);
    assert.deepEqual(await visit(full).see(), {
      token: full.token,
      mode: 'BOTH',
      title: 'Our trip',
      note: 'All of us',
      ownerName: alice.username,
      passwordRequired: true,
      passwordVerified: false,
      expiresAt,
      remainingFiles: 3,
      remainingBytes: 1_000,
    });
  });

  test('can lead to the root of the drive, and is then named after the owner', async () => {
    const carol = await holdall.register('carol');
    const link = await linkFolder(carol, null);
    assert.deepEqual([link.directoryPath, link.title], ['/', carol.username]);
    const again = await linkFolder(carol, { id: link.directoryId }, { mode: 'UPLOAD' });
    assert.equal(again.directoryPath, '/');
    await carol.ask('PUT', '/api/user/profile', { body: { displayName: 'Carol C.' } });
    assert.equal((await linkFolder(carol, null)).title, 'Carol C.');
    assert.equal((await visit(link).see()).ownerName, 'Carol C.');
  });

  test('is rejected for files, foreign directories and invalid options', async () => {
    const file = await alice.upload('/file.txt', 'x');
    const { id } = await alice.mkdir('/mine');
    const make = (body: object, person = alice) => person.call('POST', FOLDER_LINKS, { body });
    assert.equal((await make({ directoryId: file.id, mode: 'VIEW' })).status, 400);
    assert.equal((await make({ directoryId: id, mode: 'VIEW' }, bob)).status, 404);
    assert.equal((await make({ directoryId: 999_999_999, mode: 'VIEW' })).status, 404);
    assert.equal((await make({ directoryId: id })).status, 400);
    assert.equal((await make({ mode: 'VIEW' })).status, 400);
    for (const wrong of [
      { mode: 'EDIT' },
      { title: 'x'.repeat(129) },
      { note: 'x'.repeat(2_001) },
      { maxFiles: 0 },
      { maxBytes: 1.5 },
      { expiresAt: new Date(holdall.clock.now() - HOUR).toISOString() },
      { expiresAt: 'tomorrow' },
    ]) {
      assert.equal(
        (await make({ directoryId: id, mode: 'VIEW', ...wrong })).status,
        400,
        JSON.stringify(wrong),
      );
    }
  });
});

describe('the owner', () => {
  test('gets a list of links, newest first, with a mark if the directory is in the bin', async () => {
    const dave = await holdall.register('dave');
    const [one, two] = [await dave.mkdir('/one'), await dave.mkdir('/two')];
    const links = [await linkFolder(dave, one), await linkFolder(dave, two), await linkFolder(dave, one)];
    const mine = () => dave.ask<Listing<FolderLinkRecord>>('GET', `${FOLDER_LINKS}/mine?size=2`);
    assert.deepEqual(
      (await mine()).items.map(({ id }) => id),
      [links[2]?.id, links[1]?.id],
    );
    assert.equal((await mine()).total, 3);
    await dave.recycle(one);
    const { items, total } = await mine();
    assert.deepEqual(
      items.map(({ id, inBin, directoryPath }) => [id, inBin, directoryPath]),
      [
        [links[2]?.id, true, null],
        [links[1]?.id, false, '/two'],
      ],
    );
    assert.equal(total, 3);
    await dave.ask('DELETE', `${FOLDER_LINKS}/${links[2]?.id}`);
    assert.equal((await mine()).total, 2);
    assert.deepEqual((await bob.ask<Listing>('GET', `${FOLDER_LINKS}/mine`)).total, 0);
  });

  test('can change options, while others cannot; null restores a default', async () => {
    const link = await linkFolder(alice, await alice.mkdir('/changing'), {
      title: 'Old',
      note: 'x',
      maxFiles: 2,
    });
    assert.equal((await change(link, { title: 'New' }, bob)).status, 404);
    const options = { mode: 'BOTH', note: 'y', maxFiles: null, maxBytes: 5 };
    const changed = (await change(link, { ...options, title: null })).data;
    assert.deepEqual(changed, { ...link, ...options, title: 'changing' });
    assert.deepEqual((await change(link, {})).data, changed);
    assert.equal((await change(link, { mode: null })).status, 400);
    assert.equal((await change(link, { expiresAt: '2001-01-01T00:00:00Z' })).status, 400);
  });

  test('can delete a link, while others cannot; the link ends immediately', async () => {
    const link = await linkFolder(alice, await alice.mkdir('/deleting'));
    await bob.refused(404, 2404, 'DELETE', `${FOLDER_LINKS}/${link.id}`);
    assert.equal((await visit(link).entries()).total, 0);
    await alice.ask('DELETE', `${FOLDER_LINKS}/${link.id}`);
    assert.equal((await visit(link).call('GET', visit(link).at())).status, 404);
    await alice.refused(404, 2404, 'DELETE', `${FOLDER_LINKS}/${link.id}`);
  });
});

describe('a link', () => {
  test('follows its directory when that is renamed or moved', async () => {
    const directory = await alice.mkdir('/before/here');
    await alice.upload('/before/here/a.txt', 'a');
    const link = await linkFolder(alice, directory);
    await alice.mkdir('/after');
    await alice.move(await alice.rename(directory, 'there'), '/after');
    assert.deepEqual(await visit(link).namesAt(), ['a.txt']);
    assert.equal((await visit(link).see()).title, 'here');
    assert.equal((await ownLink(alice, link)).directoryPath, '/after/there');
  });

  test('is unavailable while its directory is in the bin, and deleted with it', async () => {
    const parent = await alice.mkdir('/binned');
    const directory = await alice.mkdir('/binned/inner');
    const link = await linkFolder(alice, directory);
    const visitor = visit(link);
    await alice.recycle(parent);
    for (const call of ['', '/entries', '/download?path=/']) {
      await visitor.refused(404, 2404, 'GET', visitor.at(call));
    }
    assert.equal((await change(link, { title: 'x' })).status, 404);
    await alice.restore(parent);
    assert.equal((await visitor.entries()).total, 0);
    await alice.recycle(directory);
    await alice.purge(directory);
    await visitor.refused(404, 2404, 'GET', visitor.at());
    await alice.refused(404, 2404, 'DELETE', `${FOLDER_LINKS}/${link.id}`);
  });

  test('is 410 once it has expired, even with the right password', async () => {
    const directory = await alice.mkdir('/expiring');
    const expiresAt = new Date(holdall.clock.now() + HOUR).toISOString();
    const link = await linkFolder(alice, directory, { expiresAt, password: 'sesame', mode: 'BOTH' });
    const visitor = await visit(link).enterPassword('sesame');
    await visitor.entries();
    holdall.clock.advance(HOUR + 1);
    await Promise.all([alice, bob].map((person) => person.logIn()));
    for (const call of ['', '/entries', '/download?path=/']) {
      await visitor.refused(410, 2410, 'GET', visitor.at(call));
    }
    const body = { password: 'sesame' };
    await visitor.refused(410, 2410, 'POST', visitor.at('/verify-password'), { body });
    const later = new Date(holdall.clock.now() + HOUR).toISOString();
    assert.equal((await change(link, { expiresAt: later })).status, 200);
    await (await visit(link).enterPassword('sesame')).entries();
  });

  test('is 404 while its owner is banned', async () => {
    const erin = await holdall.register('erin');
    const link = await linkFolder(erin, null);
    const admin = await holdall.admin();
    const ban = (banned: boolean) =>
      admin.ask('PATCH', `/api/admin/users/${erin.id}/status`, { body: { banned } });
    await ban(true);
    await visit(link).refused(404, 2404, 'GET', visit(link).at('/entries'));
    await ban(false);
    await visit(link).entries();
  });
});

describe('a password', () => {
  test('is required once, for everything but the summary', async () => {
    const directory = await alice.mkdir('/protected');
    await alice.upload('/protected/a.txt', 'secret');
    const link = await linkFolder(alice, directory, { password: 'sesame' });
    const visitor = visit(link);
    for (const call of ['/entries', '/download?path=/a.txt']) {
      await visitor.refused(403, 2403, 'GET', visitor.at(call));
    }
    const wrong = { body: { password: 'simsim' } };
    await visitor.refused(403, 2403, 'POST', visitor.at('/verify-password'), wrong);
    assert.equal((await visitor.see()).passwordVerified, false);
    const answer = await visitor.call('POST', visitor.at('/verify-password'), {
      body: { password: 'sesame' },
    });
    const cookie = answer.headers.get('set-cookie') ?? '';
    assert.match(cookie, /; Max-Age=3600; .*HttpOnly.*SameSite=Strict/);
    assert.ok(cookie.includes(`Path=${visitor.at()};`), cookie);
    await visitor.enterPassword('sesame');
    assert.equal((await visitor.see()).passwordVerified, true);
    assert.equal((await visitor.read('/a.txt')).toString(), 'secret');
  });

  test('is remembered by a cookie until it changes, for at most an hour', async () => {
    const link = await linkFolder(alice, await alice.mkdir('/changed'), { password: 'sesame' });
    const visitor = await visit(link).enterPassword('sesame');
    await change(link, { title: 'another' });
    await visitor.entries();
    await change(link, { password: 'sesame' });
    await visitor.refused(403, 2403, 'GET', visitor.at('/entries'));
    await visitor.enterPassword('sesame');
    holdall.clock.advance(HOUR + 1);
    await visitor.refused(403, 2403, 'GET', visitor.at('/entries'));
    await alice.logIn();
    await change(link, { password: null });
    await visitor.entries();
  });

  test('does not open other links, or a share with the same id', async () => {
    const directory = await alice.mkdir('/other');
    const file = await alice.upload('/other/a.txt', 'a');
    const links = await Promise.all([1, 2].map(() => linkFolder(alice, directory, { password: 'sesame' })));
    const [one, two] = links.map(visit) as [Visitor, Visitor];
    const answer = await one.call('POST', one.at('/verify-password'), { body: { password: 'sesame' } });
    const [name = '', value = ''] = answer.headers.get('set-cookie')?.split(/[=;]/) ?? [];
    const share = await alice.ask<{ id: number; token: string }>('POST', '/api/v2/shares', {
      body: { fileId: file.id, password: 'sesame' },
    });
    const forged = [
      `${name.replace(/\d+$/, String(links[1]?.id))}=${value}`,
      `holdall_share_password_${share.id}=${value}`,
    ].join('; ');
    const headers = { cookie: forged };
    await two.refused(403, 2403, 'GET', two.at('/entries'), { headers });
    await bob.refused(403, 2403, 'GET', `/api/v2/shares/${share.token}?download`, { headers });
  });

  test('cannot be guessed: guesses are limited like those for shares', async () => {
    const link = await linkFolder(alice, await alice.mkdir('/guessed'), { password: 'sesame' });
    const visitor = visit(link);
    const guess = (password: string) =>
      visitor.call('POST', visitor.at('/verify-password'), { body: { password } });
    for (let count = 0; count < 10; count += 1) assert.equal((await guess(`guess ${count}`)).status, 403);
    assert.equal((await guess('sesame')).status, 429);
  });

  test('never appears in an answer', async () => {
    const link = await linkFolder(alice, await alice.mkdir('/hidden'), { password: 'open sesame' });
    const texts = [JSON.stringify(link), JSON.stringify(await visit(link).see())];
    for (const text of texts) assert.doesNotMatch(text, /sesame|argon2|passwordHash|"password"/);
  });
});
