// runs on: sqlite
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { describe, test } from 'node:test';
import { ProtocolError } from '../../client/src/client.ts';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { DisturbedPair, settle } from './disturbed-pair.ts';

const service = await startHoldall();

/** So large that the sync does not compute its checksum before it is sent. */
const LARGE_BYTES = 1_500_000;

/** Does something once, just before the sync moves something to the bin. */
function beforeDeletion(work: () => Promise<unknown>): typeof fetch {
  let hasWorked = false;
  return async (url, request) => {
    if (request?.method === 'DELETE' && !hasWorked) {
      hasWorked = true;
      await work();
    }
    return await fetch(url, request);
  };
}

describe('a sync loses nothing', () => {
  test('when a user saves a file of the same size just after its download', async () => {
    const pair = await DisturbedPair.create(service);
    await pair.sync();
    await pair.person.upload('/pair/doc.txt', 'from the drive');
    let hasSaved = false;
    await pair.sync({
      change: (parts) => {
        const { local } = parts;
        const refresh = local.refresh.bind(local);
        local.refresh = (entryPath, localPath) => {
          if (entryPath === 'doc.txt' && !hasSaved) {
            pair.write('doc.txt', 'from this disk');
            hasSaved = true;
          }
          return refresh(entryPath, localPath);
        };
        return parts;
      },
    });
    assert.ok(hasSaved);
    assert.equal(await pair.readRemote('doc.txt'), 'from this disk');
    assert.equal(pair.read('doc.txt'), 'from this disk');
  });

  for (const [kind, size] of [
    ['small', 3],
    ['large', 2_000_000],
  ] as const) {
    test(`of a ${kind} file that gets another content of the same size and time in the drive`, async () => {
      const pair = await DisturbedPair.create(service, { 'a.txt': 'a'.repeat(size) });
      await settle();
      await pair.sync();
      const { modifiedAt } = await pair.find('a.txt');
      await pair.edit('a.txt', 'b'.repeat(size), modifiedAt);
      await pair.sync();
      assert.equal(pair.read('a.txt').slice(0, 3), 'bbb');
    });
  }

  test('of a new file that was moved and edited in the drive before the sync knew that it had arrived', async () => {
    const pair = await DisturbedPair.create(service, { 'big.bin': 'x'.repeat(400_000) });
    await settle();
    // The last answer of the upload is lost.
    await pair.sync({
      fetch: async (url, request) =>
        /upload-sessions\//.test(String(url))
          ? new Response('lost', { status: 418 })
          : await fetch(url, request),
    });
    const { id } = await pair.find('big.bin');
    await pair.person.mkdir('/other');
    await pair.person.ask('PATCH', `/api/files/${id}/move`, { body: { path: '/other' } });
    await pair.person.ask('PUT', `/api/v2/files/${id}/content`, {
      body: 'edited',
      headers: { 'content-type': 'application/octet-stream' },
    });
    await pair.sync();
    assert.equal(await pair.readRemote('big.bin', '/other'), 'edited');
    rmSync(pair.at('big.bin'));
    await pair.sync();
    assert.equal(await pair.readRemote('big.bin', '/other'), 'edited');
    await assert.rejects(pair.find('big.bin'), /is not in the drive/);
  });

  for (const [what, edit] of [
    ['moved', undefined],
    ['edited', 'edited'],
    ['edited with the same size', 'y'.repeat(LARGE_BYTES)],
  ] as const) {
    test(`of a new file that is ${what} in the drive when its last byte has just arrived`, async () => {
      const pair = await DisturbedPair.create(service, { 'big.bin': 'x'.repeat(LARGE_BYTES) });
      await settle();
      await pair.person.mkdir('/pair/other');
      let hasChanged = false;
      await pair.sync({
        fetch: async (url, request) => {
          // The sync asks for the record of the new file.
          if (/upload-sessions\//.test(String(url)) && !hasChanged) {
            hasChanged = true;
            const { id } = await pair.find('big.bin');
            if (edit === undefined)
              await pair.person.ask('PATCH', `/api/files/${id}/move`, { body: { path: '/pair/other' } });
            else await pair.edit('big.bin', edit);
          }
          return await fetch(url, request);
        },
      });
      assert.ok(hasChanged);
      const expected = edit ?? 'x'.repeat(LARGE_BYTES);
      const file = edit === undefined ? 'other/big.bin' : 'big.bin';
      assert.equal(pair.read(file), expected);
      assert.equal(await pair.readRemote(file), expected);
    });
  }

  test('of a file that is edited in the drive just before the sync deletes it there', async () => {
    const pair = await DisturbedPair.create(service, { 'a.txt': 'a', 'b.txt': 'b' });
    await settle();
    await pair.sync();
    rmSync(pair.at('a.txt'));
    await pair.sync({ fetch: beforeDeletion(() => pair.edit('a.txt', 'edited')) });
    assert.equal(await pair.readRemote('a.txt'), 'edited');
    assert.equal(pair.read('a.txt'), 'edited');
  });

  test('of a file that arrives in a directory just before the sync deletes it in the drive', async () => {
    const pair = await DisturbedPair.create(service, { 'dir/a.txt': 'a', 'b.txt': 'b' });
    await settle();
    await pair.sync();
    rmSync(pair.at('dir'), { recursive: true });
    await pair.sync({ fetch: beforeDeletion(() => pair.person.upload('/pair/dir/new.txt', 'new')) });
    assert.equal(await pair.readRemote('dir/new.txt'), 'new');
    assert.equal(pair.read('dir/new.txt'), 'new');
    assert.deepEqual(pair.names(), ['b.txt', 'dir', 'dir/new.txt']);
  });

  test('and deletes while others change the drive elsewhere', async () => {
    const pair = await DisturbedPair.create(service, { 'dir/a.txt': 'a', 'b.txt': 'b' });
    await settle();
    await pair.sync();
    rmSync(pair.at('dir'), { recursive: true });
    const notes = await pair.sync({ fetch: beforeDeletion(() => pair.person.mkdir('/elsewhere')) });
    assert.match(notes, /delete in the drive: dir/);
    await assert.rejects(pair.find('dir/a.txt'), /is not in the drive/);
  });

  test('that it cannot read, when the directory above gets another name in the drive', async () => {
    const pair = await DisturbedPair.create(service, { 'dir/a.txt': 'a', 'dir/b.txt': 'b' });
    await settle();
    await pair.sync();
    // A file that became a symbolic link is left out, and does not count as deleted.
    rmSync(pair.at('dir/a.txt'));
    symlinkSync('b.txt', pair.at('dir/a.txt'));
    const { id } = await pair.find('dir');
    await pair.person.ask('PATCH', `/api/files/${id}/rename`, { body: { filename: 'renamed' } });
    await pair.sync();
    assert.equal(await pair.readRemote('renamed/a.txt'), 'a');
    assert.deepEqual(pair.names(), ['renamed', 'renamed/a.txt', 'renamed/b.txt']);
  });

  test('and writes nothing through a symbolic link that has taken the place of a directory', async () => {
    const pair = await DisturbedPair.create(service, { 'dir/a.txt': 'a' });
    await settle();
    await pair.sync();
    await pair.person.upload('/pair/dir/b.txt', 'b');
    const outside = `${pair.local}-outside`;
    mkdirSync(outside);
    await pair.sync({
      change: (parts) => {
        const { download } = parts.localActions;
        parts.localActions.download = async (...args) => {
          if (existsSync(pair.at('dir/a.txt'))) {
            renameSync(pair.at('dir'), `${pair.local}-dir`);
            symlinkSync(outside, pair.at('dir'));
          }
          return await download.apply(parts.localActions, args);
        };
        return parts;
      },
    });
    assert.deepEqual(readdirSync(outside), []);
    assert.equal(await pair.readRemote('dir/a.txt'), 'a');
    assert.equal(await pair.readRemote('dir/b.txt'), 'b');
  });

  test('of a file that is written to while the others are sent', async () => {
    const pair = await DisturbedPair.create(service, { 'log.txt': 'one' });
    await settle();
    const notes = await pair.sync({
      change: (parts) => {
        const { upload } = parts.remoteActions;
        parts.remoteActions.upload = async (...args) => {
          if (pair.read('log.txt') === 'one') pair.write('log.txt', 'one two');
          return await upload.apply(parts.remoteActions, args);
        };
        return parts;
      },
    });
    assert.equal(await pair.readRemote('log.txt'), 'one two', notes);
  });

  test('of a file that is written to all the time, and does not send it without end', async () => {
    const pair = await DisturbedPair.create(service, { 'log.txt': 'begin', 'z.txt': 'z' });
    await settle();
    let count = 0;
    const notes = await pair.sync({
      change: (parts) => {
        const { upload } = parts.remoteActions;
        parts.remoteActions.upload = async (path, ...rest) => {
          const sent = await upload.call(parts.remoteActions, path, ...rest);
          if (path === 'log.txt') {
            count += 1;
            pair.write('log.txt', `${pair.read('log.txt')} and more`);
          }
          return sent;
        };
        return parts;
      },
    });
    assert.match(notes, /log\.txt: The file was changed while it was sent/);
    assert.equal(count, 3);
    await pair.sync();
    assert.equal(await pair.readRemote('log.txt'), pair.read('log.txt'));
    assert.deepEqual(pair.names(), ['log.txt', 'z.txt']);
  });

  test('when a proxy says of everything that it is not there', async () => {
    const pair = await DisturbedPair.create(service, { 'a.txt': 'a' });
    await settle();
    await pair.sync();
    await pair.edit('a.txt', 'edited');
    const lost: typeof fetch = async (url, request) =>
      /\/files\/\d+$/.test(String(url))
        ? new Response('404 page not found', { status: 404 })
        : await fetch(url, request);
    await assert.rejects(pair.sync({ fetch: lost }), ProtocolError);
    assert.equal(pair.read('a.txt'), 'a');
    await pair.sync();
    assert.equal(pair.read('a.txt'), 'edited');
  });

  test('when a move fails', async () => {
    const pair = await DisturbedPair.create(service, { 'from/deep/a.txt': 'a' });
    await settle();
    await pair.sync();
    renameSync(pair.at('from'), pair.at('to'));
    const notes = await pair.sync({
      fetch: async (url, request) =>
        /\/rename\b/.test(String(url)) ? new Response('', { status: 400 }) : await fetch(url, request),
    });
    assert.doesNotMatch(notes, /upload|delete/);
    assert.equal(await pair.readRemote('from/deep/a.txt'), 'a');
    assert.doesNotMatch(await pair.sync(), /upload|delete/);
    assert.equal(await pair.readRemote('to/deep/a.txt'), 'a');
  });

  test('and moves a file to a name whose beginning is cut within a character', async () => {
    const pair = await DisturbedPair.create(service, { 'd/a.txt': 'a' });
    await settle();
    await pair.sync();
    const moved = `e/${'x'.repeat(59)}\u{1f600}.txt`;
    mkdirSync(pair.at('e'));
    renameSync(pair.at('d/a.txt'), pair.at(moved));
    assert.doesNotMatch(await pair.sync(), /upload|delete/);
    assert.equal(await pair.readRemote(moved), 'a');
  });

  test('when the service sends no tag, by which it knows what is replaced', async () => {
    const pair = await DisturbedPair.create(service, { 'a.txt': 'a' });
    await settle();
    await pair.sync();
    pair.write('a.txt', 'changed');
    const notes = await pair.sync({
      fetch: async (url, request) => {
        const response = await fetch(url, request);
        if (request?.method !== 'HEAD') return response;
        const headers = new Headers(response.headers);
        headers.delete('etag');
        return new Response(null, { status: response.status, headers });
      },
    });
    assert.match(notes, /no tag/);
    assert.equal(await pair.readRemote('a.txt'), 'a');
  });

  test('and sends no bytes again when a file that it has uploaded gets another name in the drive', async () => {
    const pair = await DisturbedPair.create(service, { 'a.txt': 'a', 'b.bin': 'b'.repeat(2_000_000) });
    await settle();
    await pair.sync();
    for (const file of ['a.txt', 'b.bin']) {
      const { id, sha256 } = await pair.findWithChecksum(file);
      assert.notEqual(sha256, null);
      await pair.person.ask('PATCH', `/api/files/${id}/rename`, { body: { filename: `new-${file}` } });
    }
    const notes = await pair.sync();
    assert.doesNotMatch(notes, /download|upload|conflict/);
    assert.deepEqual(pair.names(), ['new-a.txt', 'new-b.bin']);
  });
});
