// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { PASSWORD } from '../../server/test/support/app/person.ts';
import { CountingProxy } from '../../server/test/support/network/counting-proxy.ts';
import { ConflictError, DamagedError, Holdall, MemoryTokenStore } from '../src/client.ts';
import {
  FileTokenStore,
  fileSource,
  NativeSha256,
  openFile,
  openUpload,
  saveDownload,
  saveFile,
} from '../src/node/files.ts';
import { logInNewUser, recordingFetch } from './logged-in.ts';

const service = await startHoldall();
const tokens = new MemoryTokenStore();
const { holdall } = await logInNewUser(service, { tokens });
const home = mkdtempSync(path.join(tmpdir(), 'holdall-client-files-'));
after(() => rmSync(home, { recursive: true, force: true }));
const content = new Uint8Array(randomBytes(3_000_000));

describe('a file on disk', () => {
  test('is uploaded with its name and modification time', async () => {
    const file = path.join(home, 'picture näme.png');
    writeFileSync(file, content);
    utimesSync(file, 1_600_000_000, 1_600_000_000.5);
    const record = await holdall.uploads.put(await openFile(file), { path: '/from-disk' });
    assert.equal(record.path, '/from-disk/picture näme.png');
    assert.equal(record.modifiedAt, '2020-09-13T12:26:40.500Z');
    const download = await holdall.downloads.open(record.id, { createHasher: () => new NativeSha256() });
    assert.deepEqual(await download.bytes(), content);
  });

  test('is uploaded piece by piece', async () => {
    const file = path.join(home, 'pieces.bin');
    writeFileSync(file, content);
    utimesSync(file, 1_600_000_000, 1_600_000_000.5);
    const record = await holdall.uploads.put(await openUpload(file), {}, { chunkBytes: 1_000_000 });
    assert.equal(record.path, '/pieces.bin');
    assert.equal(record.modifiedAt, '2020-09-13T12:26:40.500Z');
    assert.deepEqual(await holdall.downloads.bytes(record.id), content);
    writeFileSync(file, 'a few bytes');
    const small = await holdall.uploads.put(await openUpload(file), { filename: 'few.txt' });
    assert.deepEqual(await holdall.downloads.bytes(small.id), new TextEncoder().encode('a few bytes'));
  });

  test('is not stored if it changes while it is uploaded piece by piece', async () => {
    const file = path.join(home, 'edited.bin');
    for (const change of [
      () => writeFileSync(file, 'shorter'),
      () => writeFileSync(file, new Uint8Array(content.length)),
    ]) {
      writeFileSync(file, content);
      utimesSync(file, 1_600_000_000, 1_600_000_000);
      const source = await openUpload(file);
      change();
      await assert.rejects(holdall.uploads.put(source, { filename: 'edited.bin' }), /was changed/);
    }
    assert.equal(await holdall.drive.find('/edited.bin'), undefined);
  });

  test('is saved completely, and nothing is left next to it', async () => {
    const { id } = await holdall.uploads.put(content, { filename: 'whole.bin' });
    const target = path.join(home, 'whole.bin');
    writeFileSync(target, 'an older file');
    const modifiedAt = new Date('2020-02-02T02:02:02.000Z');
    assert.equal(await saveFile(holdall.downloads, id, target, { modifiedAt }), content.length);
    assert.equal(statSync(target).mtime.getTime(), modifiedAt.getTime());
    assert.ok(readFileSync(target).equals(content));
    assert.deepEqual(
      readdirSync(home).filter((name) => name.includes('.part')),
      [],
    );
    const empty = await holdall.uploads.put('', { filename: 'empty.bin' });
    assert.equal(await saveFile(holdall.downloads, empty.id, path.join(home, 'empty.bin')), 0);
    assert.equal(statSync(path.join(home, 'empty.bin')).size, 0);
  });

  test('is continued by another run, which receives only the rest', async () => {
    const { id } = await holdall.uploads.put(content, { filename: 'continued.bin' });
    const target = path.join(home, 'continued.bin');
    const controller = new AbortController();
    const { signal } = controller;
    const onProgress = ({ receivedBytes }: { receivedBytes: number }) =>
      void (receivedBytes > 1_000_000 && controller.abort(new Error('stopped')));
    await assert.rejects(saveFile(holdall.downloads, id, target, { signal, onProgress }), /stopped/);
    assert.equal(existsSync(target), false);
    const receivedBytes = await saveFile(holdall.downloads, id, target);
    assert.ok(receivedBytes > 0 && receivedBytes <= 2_000_000, String(receivedBytes));
    assert.ok(readFileSync(target).equals(content));
  });

  test('is downloaded from the start if its content has changed', async () => {
    const { id } = await holdall.uploads.put(content, { filename: 'changed.bin' });
    const target = path.join(home, 'changed.bin');
    const controller = new AbortController();
    const { signal } = controller;
    const onProgress = () => controller.abort(new Error('stopped'));
    await assert.rejects(saveFile(holdall.downloads, id, target, { signal, onProgress }), /stopped/);
    await holdall.versions.replace(id, 'short now');
    assert.equal(await saveFile(holdall.downloads, id, target), 9);
    assert.equal(readFileSync(target, 'utf8'), 'short now');
  });

  test('with a damaged part fails, and succeeds the next time', async () => {
    const { id } = await holdall.uploads.put(content, { filename: 'damaged.bin' });
    const target = path.join(home, 'damaged.bin');
    const { etag = '' } = await holdall.downloads.head(id);
    const name = createHash('sha256').update('damaged.bin').digest('hex').slice(0, 16);
    writeFileSync(path.join(home, `.holdall-${name}.part`), 'not the first bytes');
    writeFileSync(path.join(home, `.holdall-${name}.part.etag`), etag);
    await assert.rejects(saveFile(holdall.downloads, id, target), DamagedError);
    assert.equal(existsSync(target), false);
    await saveFile(holdall.downloads, id, target);
    assert.equal(
      createHash('sha256').update(readFileSync(target)).digest('hex'),
      (await holdall.drive.get(id)).sha256,
    );
  });

  test('is not saved by two programs at the same time', async () => {
    const { id } = await holdall.uploads.put(content, { filename: 'twice.bin' });
    const target = path.join(home, 'twice.bin');
    const saves = await Promise.allSettled([1, 2].map(() => saveFile(holdall.downloads, id, target)));
    const reasons = saves.flatMap((save) => (save.status === 'rejected' ? [save.reason] : []));
    assert.equal(reasons.length, 1);
    assert.ok(reasons[0] instanceof ConflictError);
    assert.ok(readFileSync(target).equals(content));
  });

  test('replaces no file that has appeared meanwhile, even on a disk without links', async (context) => {
    const { id } = await holdall.uploads.put('new', { filename: 'appeared.bin' });
    const target = path.join(home, 'appeared.bin');
    const noLink = async () => {
      throw Object.assign(new Error('no links'), { code: 'EPERM' });
    };
    context.mock.method(fsPromises, 'link', noLink);
    syncBuiltinESMExports();
    try {
      // A dangling symbolic link also counts as existing.
      symlinkSync(path.join(home, 'nowhere'), target);
      const save = () =>
        saveDownload(fileSource(holdall.downloads, id, {}), { path: target, mayReplace: false }, () => {});
      await assert.rejects(save(), ConflictError);
      assert.ok(lstatSync(target).isSymbolicLink());
      rmSync(target);
      await save();
      assert.equal(readFileSync(target, 'utf8'), 'new');
    } finally {
      context.mock.restoreAll();
      syncBuiltinESMExports();
    }
  });

  test('is also saved if the connection breaks in between', async () => {
    const { id } = await holdall.uploads.put(content, { filename: 'broken.bin' });
    const proxy = await CountingProxy.open(service.url);
    const client = new Holdall({ url: proxy.url, tokens });
    const target = path.join(home, 'broken.bin');
    let hasBroken = false;
    await saveFile(client.downloads, id, target, {
      onProgress: ({ receivedBytes }) => {
        if (hasBroken || receivedBytes < 500_000) return;
        hasBroken = true;
        proxy.disconnect();
        proxy.reconnect();
      },
    });
    assert.equal(hasBroken, true);
    assert.ok(readFileSync(target).equals(content));
  });
});

describe('a login in a file', () => {
  test('is renewed once by programs that share it', async () => {
    const { username } = await service.register();
    const file = path.join(home, 'shared', 'login.json');
    await new Holdall({ url: service.url, tokens: new FileTokenStore(file) }).auth.logIn(username, PASSWORD);
    const { fetch, requests } = recordingFetch();
    const programs = Array.from(
      { length: 8 },
      () => new Holdall({ url: service.url, tokens: new FileTokenStore(file), fetch }),
    );
    await Promise.all(programs.map((program) => program.account.profile()));
    service.clock.advance(16 * 60_000);
    const profiles = await Promise.all(programs.map((program) => program.account.profile()));
    assert.deepEqual(new Set(profiles.map((profile) => profile.username)), new Set([username]));
    assert.equal(requests.filter((request) => request === 'POST /api/auth/refresh').length, 1);
    assert.deepEqual(readdirSync(path.dirname(file)), ['login.json']);
  });

  test('is renewed even if a program was killed during a renewal', async () => {
    const { username } = await service.register();
    const file = path.join(home, 'stale', 'login.json');
    const program = new Holdall({ url: service.url, tokens: new FileTokenStore(file) });
    await program.auth.logIn(username, PASSWORD);
    writeFileSync(`${file}.lock`, '');
    const nowMs = Date.now();
    const longAgo = new Date(nowMs - 60_000);
    utimesSync(`${file}.lock`, longAgo, longAgo);
    service.clock.advance(16 * 60_000);
    assert.equal((await program.account.profile()).username, username);
  });

  test('leaves no temporary file of a killed program, even when it ends', async () => {
    const { username } = await service.register();
    const file = path.join(home, 'killed', 'login.json');
    const { auth } = new Holdall({ url: service.url, tokens: new FileTokenStore(file) });
    const endedProcess = spawnSync(process.execPath, ['--version']).pid;
    const list = () => readdirSync(path.dirname(file)).sort();
    const nowMs = Date.now();
    const leave = (name: string, ageMs = 60_000) => {
      const left = path.join(path.dirname(file), name);
      writeFileSync(left, 'half of a login');
      const time = new Date(nowMs - ageMs);
      utimesSync(left, time, time);
      return name;
    };
    mkdirSync(path.dirname(file));
    for (const pid of [endedProcess, process.pid]) leave(`login.json.${pid}.${randomUUID()}.new`);
    await auth.logIn(username, PASSWORD);
    assert.deepEqual(list(), ['login.json']);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    leave(`login.json.${endedProcess}.${randomUUID()}.new`);
    const others = [
      leave(`login.json.${process.ppid}.${randomUUID()}.new`),
      leave(`login.json.${endedProcess}.${randomUUID()}.new`, 0),
      leave(`login.json.bak.${endedProcess}.${randomUUID()}.new`),
    ];
    await auth.logOut();
    assert.deepEqual(list(), others.sort());
  });

  test('leaves no temporary file if it cannot be written', async () => {
    const { username } = await service.register();
    const file = path.join(home, 'unwritable', 'login.json');
    mkdirSync(path.join(file, 'in the way'), { recursive: true });
    const tokensOnDisk = new FileTokenStore(file);
    tokensOnDisk.load = async () => undefined;
    const { auth } = new Holdall({ url: service.url, tokens: tokensOnDisk });
    await assert.rejects(auth.logIn(username, PASSWORD));
    assert.deepEqual(readdirSync(path.dirname(file)), ['login.json']);
  });

  test('is taken from another program that renewed it first, without a lock', async () => {
    const store = new MemoryTokenStore();
    const { holdall: first, username } = await logInNewUser(service, { tokens: store });
    service.clock.advance(16 * 60_000);
    // The second program renews while the response to the first one is in transit.
    const racing: typeof fetch = async (url, request) => {
      if (String(url).endsWith('/refresh')) await first.account.profile();
      return fetch(url, request);
    };
    const second = new Holdall({ url: service.url, tokens: store, fetch: racing });
    assert.equal((await second.account.profile()).username, username);
    assert.equal(await second.auth.isLoggedIn(), true);
  });
});
