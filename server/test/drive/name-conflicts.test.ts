// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import type { BinRecord, EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Listing, Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { countStatuses, race } from '../support/checks/race.ts';
import { queueTask, waitForStatus } from '../support/tasks/tasks.ts';
import { TRANSFERS } from '../support/transfer/transfer.ts';
import { forgeZip } from '../support/zip/zip-forge.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });

/**
 * Brings a file of 5 bytes with the name `letter.txt` to `/to`, in one of the ways that take a conflict
 * rule.
 */
type Bring = (person: Person, body: object) => Promise<{ status: number; data: EntryRecord }>;

const WAYS: Readonly<Record<string, Bring>> = {
  move: async (person, body) => {
    const { id } = await person.upload('/from/letter.txt', 'moved');
    return person.call('PATCH', `/api/files/${id}/move`, { body: { path: '/to', ...body } });
  },
  copy: async (person, body) => {
    const { id } = await person.upload('/from/letter.txt', 'moved');
    return person.call('POST', `/api/files/${id}/copy`, { body: { path: '/to', ...body } });
  },
  rename: async (person, body) => {
    const { id } = await person.upload('/to/other.txt', 'moved');
    return person.call('PATCH', `/api/files/${id}/rename`, { body: { filename: 'letter.txt', ...body } });
  },
  restore: async (person, body) => {
    const there = await person.ask<Listing<EntryRecord>>('GET', '/api/files/list?path=/to');
    for (const entry of there.items) await person.rename(entry, `kept ${entry.filename}`);
    const file = await person.upload('/to/letter.txt', 'moved');
    await person.recycle(file);
    for (const entry of there.items) await person.rename(entry, entry.filename);
    return person.call('POST', `/api/files/recycle-bin/${file.id}/restore`, { body });
  },
  'import of a share': async (person, body) => {
    const owner = await holdall.register('owner');
    const { id } = await owner.upload('/letter.txt', 'moved');
    const { token } = await owner.ask<{ token: string }>('POST', '/api/v2/shares', { body: { fileId: id } });
    return person.call('POST', `/api/v2/shares/${token}/import`, { body: { path: '/to', ...body } });
  },
  'import of a link': async (person, body) => {
    const owner = await holdall.register('owner');
    const { id } = await owner.upload('/letter.txt', 'moved');
    const { token } = await owner.ask<{ token: string }>('POST', `/api/files/${id}/share-links`);
    return person.call('POST', `/api/files/share-links/${token}/import`, { body: { path: '/to', ...body } });
  },
  'import of a transfer': async (person, body) => {
    const owner = await holdall.register('owner');
    const { sessionId, files } = await owner.ask<{ sessionId: string; files: { id: string }[] }>(
      'POST',
      TRANSFERS,
      { body: { mode: 'OFFLINE', files: [{ name: 'letter.txt', size: 5 }] } },
    );
    const url = `${TRANSFERS}/${sessionId}/files/${files[0]?.id}`;
    const headers = { 'content-type': 'application/octet-stream' };
    await owner.ask('POST', `${url}/content`, { body: 'moved', headers });
    return person.call('POST', `${url}/import`, { body: { path: '/to', ...body } });
  },
};

for (const [way, bring] of Object.entries(WAYS)) {
  const onceByDefault = way === 'move' ? {} : inFull;
  describe(`a file that arrives under a taken name: ${way}`, () => {
    test('fails by default, and changes nothing', async () => {
      const alice = await holdall.register('alice');
      await alice.upload('/to/letter.txt', 'old');
      for (const body of [{}, { onConflict: 'FAIL' }]) {
        assert.equal((await bring(alice, body)).status, 409);
        assert.equal(await contentAt(alice, '/to/letter.txt'), 'old');
        for (const folder of ['/from', '/to']) await empty(alice, folder, ['letter.txt', 'other.txt']);
        await alice.upload('/to/letter.txt', 'old');
      }
    });

    test('gets the first free number with RENAME', async () => {
      const alice = await holdall.register('alice');
      await alice.upload('/to/letter.txt', 'old');
      await alice.upload('/to/letter (2).txt', 'second');
      await alice.upload('/to/letter (4).txt', 'fourth');
      const { status, data } = await bring(alice, { onConflict: 'RENAME' });
      assert.deepEqual([status, data.path], [200, '/to/letter (3).txt']);
      assert.equal(await contentAt(alice, '/to/letter (3).txt'), 'moved');
      assert.equal(await contentAt(alice, '/to/letter.txt'), 'old');
    });

    test('moves the existing entry to the recycle bin with REPLACE', async () => {
      const alice = await holdall.register('alice');
      await alice.upload('/to/letter.txt/below', 'old');
      const { status, data } = await bring(alice, { onConflict: 'REPLACE' });
      assert.deepEqual([status, data.path, data.directory], [200, '/to/letter.txt', false]);
      assert.equal(await contentAt(alice, '/to/letter.txt'), 'moved');
      const { items } = await alice.ask<Listing<BinRecord>>('GET', '/api/files/recycle-bin');
      const replaced = items.find(
        ({ originalPath, directory }) => originalPath === '/to/letter.txt' && directory,
      );
      assert.ok(replaced, JSON.stringify(items));
    });

    test('gets its own name with any rule if the name is free', onceByDefault, async () => {
      for (const onConflict of ['RENAME', 'REPLACE']) {
        const alice = await holdall.register('alice');
        await alice.mkdir('/to');
        assert.equal((await bring(alice, { onConflict })).data.path, '/to/letter.txt');
      }
    });

    test('is rejected with an unknown rule', onceByDefault, async () => {
      const alice = await holdall.register('alice');
      await alice.mkdir('/to');
      for (const onConflict of ['replace', 7]) {
        assert.equal((await bring(alice, { onConflict })).status, 400);
        for (const folder of ['/from', '/to']) await empty(alice, folder, ['letter.txt', 'other.txt']);
      }
    });
  });
}

describe('a file with the name of a deleted parent', () => {
  const RESTORE = (id: number) => `/api/files/recycle-bin/${id}/restore`;
  const deleteAll = async (alice: Person) => {
    const deleted = [];
    for (const path of ['/a/q/x.txt', '/a/q/y.txt', '/a/q/sub/z.txt', '/a/q/sub'])
      deleted.push(path.endsWith('.txt') ? await alice.upload(path, path) : await entryAt(alice, path));
    for (const entry of deleted) await alice.recycle(entry);
    const parent = await entryAt(alice, '/a/q');
    await alice.recycle(parent);
    await alice.upload('/a/q', 'a file');
    return { deleted, parent };
  };
  const entryAt = async (alice: Person, path: string) => {
    const found = (await alice.tree()).find((entry) => entry.path === path);
    assert.ok(found !== undefined, path);
    return found;
  };

  test('does not stop RENAME from restoring all entries of the parent into one directory', async () => {
    const alice = await holdall.register('alice');
    const { deleted } = await deleteAll(alice);
    for (const { id } of deleted) {
      const refused = await alice.refused(409, 1003, 'POST', RESTORE(id));
      assert.match(JSON.stringify(refused), /RENAME/);
      await alice.refused(409, 1003, 'POST', RESTORE(id), { body: { onConflict: 'REPLACE' } });
    }
    const restored: string[] = [];
    for (const { id } of deleted) {
      const { path } = await alice.ask<{ path: string }>('POST', RESTORE(id), {
        body: { onConflict: 'RENAME' },
      });
      restored.push(path);
    }
    assert.deepEqual(restored, [
      '/a/q (2)/x.txt',
      '/a/q (2)/y.txt',
      '/a/q (2)/sub/z.txt',
      '/a/q (2)/sub (2)',
    ]);
    await checkBooks(holdall);
  });

  test('does not stop RENAME from restoring the parent, and then its entries into it', async () => {
    const alice = await holdall.register('alice');
    const { deleted, parent } = await deleteAll(alice);
    const restore = (id: number) =>
      alice.ask<{ path: string }>('POST', RESTORE(id), { body: { onConflict: 'RENAME' } });
    assert.equal((await restore(parent.id)).path, '/a/q (2)');
    assert.equal((await restore(deleted[0]?.id ?? 0)).path, '/a/q (2)/x.txt');
  });
});

describe('an entry', () => {
  test('is copied next to itself with RENAME, and its copies get the next numbers', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/letter.txt', 'text');
    const tree = await alice.mkdir('/2026.photos/May');
    assert.equal((await copyTo(alice, file, '/', 'RENAME')).data.path, '/letter (2).txt');
    const { data: third } = await copyTo(alice, file, '/', 'RENAME');
    assert.equal(third.path, '/letter (3).txt');
    assert.equal((await copyTo(alice, third, '/', 'RENAME')).data.path, '/letter (4).txt');
    assert.equal((await copyTo(alice, { id: tree.id }, '/2026.photos', 'RENAME')).data.filename, 'May (2)');
  });

  test('cannot replace itself or a directory that contains it', async () => {
    const alice = await holdall.register('alice');
    const outer = await alice.mkdir('/same');
    const inner = await alice.mkdir('/same/middle/same');
    const file = await alice.upload('/file', 'text');
    const before = await alice.state();
    assert.equal((await copyTo(alice, file, '/', 'REPLACE')).status, 400);
    assert.equal((await copyTo(alice, outer, '/', 'REPLACE')).status, 400);
    for (const [method, action] of [
      ['PATCH', 'move'],
      ['POST', 'copy'],
    ] as const) {
      const body = { path: '/', onConflict: 'REPLACE' };
      await alice.refused(400, 1003, method, `/api/files/${inner.id}/${action}`, { body });
    }
    assert.deepEqual(await alice.state(), before);
  });

  test('that replaces another may use the space of the other', async () => {
    const alice = await holdall.register('alice');
    await limitQuota(alice, 100);
    await alice.upload('/to/big', new Uint8Array(90));
    const bin = await alice.upload('/other', new Uint8Array(5));
    const file = await alice.rename(bin, 'big');
    assert.equal((await copyTo(alice, file, '/to', 'RENAME')).data.path, '/to/big (2)');
    assert.equal(await alice.usedBytes(), 100);
    assert.equal((await copyTo(alice, file, '/to', 'RENAME')).status, 413);
    assert.equal((await copyTo(alice, file, '/to', 'REPLACE')).status, 200);
    assert.equal(await alice.usedBytes(), 15);
  });

  test('gets a different number for each of many simultaneous copies', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/letter.txt', 'text');
    const answers = await race([alice], 10, (person) => copyTo(person, file, '/', 'RENAME'));
    assert.deepEqual(countStatuses(answers), { 200: 10 });
    const expected = Array.from({ length: 10 }, (_, index) => `letter (${index + 2}).txt`);
    assert.deepEqual(new Set(answers.map(({ data }) => data.filename)), new Set(expected));
  });

  test('gets the next number of a long series', inFull, async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/many/a', '');
    for (let copy = 2; copy <= 40; copy += 1) {
      assert.equal((await copyTo(alice, file, '/many', 'RENAME')).data.filename, `a (${copy})`);
    }
  });
});

describe('an archive', () => {
  const archive = new Uint8Array(
    forgeZip([
      { name: 'a.txt', content: 'new' },
      { name: 'sub/inner', content: 'new' },
      { name: 'a (2).txt', content: 'from the archive' },
    ]),
  );

  async function extract(onConflict: string | undefined, status: string): Promise<Person> {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/in/x.zip', archive);
    await alice.upload('/in/a.txt', 'old');
    await alice.upload('/in/sub/kept', 'old');
    const task = await queueTask(alice, file, { type: 'EXTRACT', ...(onConflict && { onConflict }) });
    await waitForStatus(alice, task, status);
    return alice;
  }

  test('is not extracted over existing names by default', async () => {
    const alice = await extract(undefined, 'FAILED');
    assert.deepEqual(await alice.names('/in'), ['sub', 'a.txt', 'x.zip']);
  });

  test('is extracted next to them with RENAME, under numbers that are free in the archive as well', async () => {
    const alice = await extract('RENAME', 'COMPLETED');
    assert.deepEqual(await alice.names('/in'), [
      'sub',
      'sub (2)',
      'a (2).txt',
      'a (3).txt',
      'a.txt',
      'x.zip',
    ]);
    assert.equal(await contentAt(alice, '/in/a (3).txt'), 'new');
    assert.equal(await contentAt(alice, '/in/a (2).txt'), 'from the archive');
    assert.equal(await contentAt(alice, '/in/sub (2)/inner'), 'new');
  });

  test('replaces them with REPLACE: a directory is replaced, not merged', async () => {
    const alice = await extract('REPLACE', 'COMPLETED');
    assert.deepEqual(await alice.names('/in'), ['sub', 'a (2).txt', 'a.txt', 'x.zip']);
    assert.equal(await contentAt(alice, '/in/a.txt'), 'new');
    assert.deepEqual(await alice.names('/in/sub'), ['inner']);
    const bin = (await alice.bin()).items.map(({ originalPath }) => originalPath);
    assert.deepEqual(bin.sort(), ['/in/a.txt', '/in/sub']);
  });

  test('is extracted into a new folder, whose name follows the rule', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/in/x.zip', archive);
    await alice.upload('/in/a.txt', 'old');
    for (const [onConflict, folder] of [
      ['FAIL', 'x'],
      ['RENAME', 'x (2)'],
    ] as const) {
      const task = await queueTask(alice, file, { type: 'EXTRACT', folder: 'x', onConflict });
      await waitForStatus(alice, task, 'COMPLETED');
      assert.deepEqual(await alice.names(`/in/${folder}`), ['sub', 'a (2).txt', 'a.txt']);
      assert.equal(await contentAt(alice, `/in/${folder}/sub/inner`), 'new');
    }
    const task = await queueTask(alice, file, { type: 'EXTRACT', folder: 'x' });
    await waitForStatus(alice, task, 'FAILED');
    assert.deepEqual(await alice.names('/in'), ['x', 'x (2)', 'a.txt', 'x.zip']);
  });

  test('is not extracted into a folder with an invalid name', async () => {
    const alice = await holdall.register('alice');
    const file = await alice.upload('/x.zip', archive);
    for (const folder of ['a/b', '..', '']) {
      const body = { fileId: file.id, path: file.path, folder };
      const { status } = await alice.call('POST', '/api/v2/tasks/extract', { body });
      assert.equal(status, 400, folder);
    }
  });

  test('does not replace itself', async () => {
    const alice = await holdall.register('alice');
    const bytes = new Uint8Array(forgeZip([{ name: 'x.zip', content: 'new' }]));
    const file = await alice.upload('/in/x.zip', bytes);
    const task = await queueTask(alice, file, { type: 'EXTRACT', onConflict: 'REPLACE' });
    await waitForStatus(alice, task, 'FAILED');
    assert.equal((await alice.download(file)).length, bytes.length);
  });
});

test('the books balance after all these conflicts', () => checkBooks(holdall));

function copyTo(person: Person, { id }: { id: number }, path: string, onConflict: string) {
  return person.call<EntryRecord>('POST', `/api/files/${id}/copy`, { body: { path, onConflict } });
}

async function contentAt(person: Person, path: string): Promise<string> {
  const parent = path.slice(0, path.lastIndexOf('/')) || '/';
  const entry = (await person.list(parent, { size: 100 })).items.find((found) => found.path === path);
  assert.ok(entry, `nothing at ${path}`);
  return String(await person.download(entry));
}

/** Deletes entries with those names. */
async function empty(person: Person, path: string, names: readonly string[]): Promise<void> {
  const answer = await person.call<Listing<EntryRecord>>('GET', `/api/files/list?path=${path}`);
  for (const entry of answer.data?.items ?? []) {
    if (names.includes(entry.filename)) await person.recycle(entry);
  }
}

async function limitQuota(person: Person, bytes: number): Promise<void> {
  const admin = await holdall.admin();
  await admin.ask('PATCH', `/api/admin/users/${person.login?.user.id}/storage-quota`, {
    body: { storageQuotaBytes: bytes },
  });
}
