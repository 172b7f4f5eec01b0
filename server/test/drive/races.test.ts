// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { UploadTarget } from '../../src/http/fields.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { type Answer, formOf, type Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance, countStatuses, race } from '../support/checks/race.ts';
import { treatHalfAsLong } from '../support/database/half-long.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';

const QUOTA = 100_000;

const env = { HOLDALL_DEFAULT_QUOTA_BYTES: String(QUOTA), HOLDALL_DEFAULT_DIRECTORIES: 'Documents' };
const holdall = await startHoldall({ env });
await withoutDirect(holdall);
treatHalfAsLong(holdall.app.database);
const urls = [holdall.url, ...(isPostgres ? [(await startHoldall({ env, beside: holdall })).url] : [])];

/** Registers a user, with one client for each instance. */
async function registerAtAll(): Promise<{ person: Person; clients: readonly Person[] }> {
  const person = await holdall.register();
  return { person, clients: atEveryInstance(person, urls) };
}

const upload = (person: Person, path: string, content: string | Uint8Array<ArrayBuffer>) =>
  person.call<EntryRecord>('POST', '/api/files/upload', { body: formOf(path, content) });
const mkdir = (person: Person, path: string) =>
  person.call<EntryRecord>('POST', '/api/files/mkdir', { body: { path } });
const rename = (person: Person, { id }: { id: number }, filename: string) =>
  person.call<EntryRecord>('PATCH', `/api/files/${id}/rename`, { body: { filename } });
const move = (person: Person, { id }: { id: number }, path: string) =>
  person.call<EntryRecord>('PATCH', `/api/files/${id}/move`, { body: { path } });
const copy = (person: Person, { id }: { id: number }, path: string) =>
  person.call<EntryRecord>('POST', `/api/files/${id}/copy`, { body: { path } });
const recycle = (person: Person, { id }: { id: number }) => person.call('DELETE', `/api/files/${id}`);
const restore = (person: Person, { id }: { id: number }) =>
  person.call<EntryRecord>('POST', `/api/files/recycle-bin/${id}/restore`);
const purge = (person: Person, { id }: { id: number }) =>
  person.call('DELETE', `/api/files/recycle-bin/${id}`);

afterEach(() => checkBooks(holdall));

describe('of many requests that race for the last bytes of a quota', () => {
  it('exactly as many uploads succeed as fit', async () => {
    const { person, clients } = await registerAtAll();
    const bytes = new Uint8Array(9_000);
    const answers = await race(clients, 50, (each, index) => upload(each, `/file-${index}`, bytes));
    assert.deepEqual(countStatuses(answers), { 200: 11, 413: 39 });
    assert.equal(await person.usedBytes(), 99_000);
    assert.equal((await upload(person, '/rest', new Uint8Array(1_000))).status, 200);
    assert.equal((await upload(person, '/one-byte', 'x')).status, 413);
    assert.equal((await upload(person, '/no-byte', '')).status, 200);
  });

  it('exactly as many copies succeed as fit', inFull, async () => {
    const { person, clients } = await registerAtAll();
    const source = await person.upload('/source', new Uint8Array(15_000));
    await Promise.all(Array.from({ length: 20 }, (_, index) => person.mkdir(`/to-${index}`)));
    const answers = await race(clients, 20, (each, index) => copy(each, source, `/to-${index}`));
    assert.deepEqual(countStatuses(answers), { 200: 5, 413: 15 });
  });

  it('exactly as many restores succeed as fit', inFull, async () => {
    const { person, clients } = await registerAtAll();
    const recycled: EntryRecord[] = [];
    for (let index = 0; index < 10; index += 1) {
      const file = await person.upload(`/file-${index}`, new Uint8Array(10_000));
      await person.recycle(file);
      recycled.push(file);
    }
    await person.upload('/kept', new Uint8Array(70_000));
    const answers = await race(clients, 10, (each, index) => restore(each, recycled[index] as EntryRecord));
    assert.deepEqual(countStatuses(answers), { 200: 3, 413: 7 });
  });

  it('none exceeds the quota while others free and charge bytes at the same time', async () => {
    const { person, clients } = await registerAtAll();
    const files = await race(clients, 4, async (each, index) =>
      each.upload(`/old-${index}`, new Uint8Array(25_000)),
    );
    const answers = await Promise.all([
      race(clients, 4, (each, index) => recycle(each, files[index] as EntryRecord)),
      race(clients, 20, (each, index) => upload(each, `/new-${index}`, new Uint8Array(20_000))),
    ]);
    assert.deepEqual(countStatuses(answers[0]), { 200: 4 });
    const uploaded = countStatuses(answers[1])[200] ?? 0;
    assert.ok(uploaded <= 5);
    assert.equal(await person.usedBytes(), uploaded * 20_000);
  });
});

describe('of many requests that race for one name', () => {
  const oneOf = (count: number) => ({ 200: 1, 409: count - 1 });

  it('one mkdir succeeds', async () => {
    const { clients } = await registerAtAll();
    const answers = await race(clients, 20, (each) => mkdir(each, '/a/b/c'));
    assert.deepEqual(countStatuses(answers), oneOf(20));
  });

  it('one upload succeeds, and the file has its bytes', async () => {
    const { person, clients } = await registerAtAll();
    const answers = await race(clients, 20, (each, index) => upload(each, '/new/name', `content ${index}`));
    assert.deepEqual(countStatuses(answers), oneOf(20));
    const winner = answers.findIndex((answer) => answer.status === 200);
    const record = (answers[winner] as Answer<EntryRecord>).data;
    assert.equal(String(await person.download(record)), `content ${winner}`);
  });

  it('one rename succeeds', inFull, async () => {
    const { person, clients } = await registerAtAll();
    const files = await race([person], 12, (each, index) => each.upload(`/file-${index}`, 'x'));
    const answers = await race(clients, 12, (each, index) =>
      rename(each, files[index] as EntryRecord, 'wanted'),
    );
    assert.deepEqual(countStatuses(answers), oneOf(12));
    assert.equal((await person.names()).filter((name) => name === 'wanted').length, 1);
  });

  it('one move succeeds', inFull, async () => {
    const { person, clients } = await registerAtAll();
    const files = await race([person], 12, (each, index) => each.upload(`/from-${index}/name`, 'x'));
    await person.mkdir('/to');
    const answers = await race(clients, 12, (each, index) => move(each, files[index] as EntryRecord, '/to'));
    assert.deepEqual(countStatuses(answers), oneOf(12));
  });

  it('one copy succeeds', inFull, async () => {
    const { person, clients } = await registerAtAll();
    await person.upload('/from/deep/file', 'xyz');
    const [source] = (await person.list('/')).items.filter((entry) => entry.filename === 'from');
    await person.mkdir('/to');
    const answers = await race(clients, 12, (each) => copy(each, source as EntryRecord, '/to'));
    assert.deepEqual(countStatuses(answers), oneOf(12));
    assert.equal(await person.usedBytes(), 6);
  });

  it('one restore succeeds', inFull, async () => {
    const { person, clients } = await registerAtAll();
    const recycled: EntryRecord[] = [];
    for (let index = 0; index < 10; index += 1) {
      const file = await person.upload('/gone/name', `content ${index}`);
      await person.recycle(file);
      recycled.push(file);
    }
    const answers = await race(clients, 10, (each, index) => restore(each, recycled[index] as EntryRecord));
    assert.deepEqual(countStatuses(answers), oneOf(10));
    assert.equal((await person.bin()).total, 9);
  });

  it('one succeeds, even if they are different operations', async () => {
    const { person, clients } = await registerAtAll();
    const recycled = await person.upload('/to/name', 'from the bin');
    await person.recycle(recycled);
    const renamed = await person.upload('/to/other', 'renamed');
    const moved = await person.upload('/from/name', 'moved');
    const copied = await person.upload('/source/name', 'copied');
    const acts = [
      (each: Person) => mkdir(each, '/to/name'),
      (each: Person) => upload(each, '/to/name', 'uploaded'),
      (each: Person) => rename(each, renamed, 'name'),
      (each: Person) => move(each, moved, '/to'),
      (each: Person) => copy(each, copied, '/to'),
      (each: Person) => restore(each, recycled),
    ];
    const answers = await race(clients, 6, (each, index) => (acts[index] as (typeof acts)[number])(each));
    assert.deepEqual(countStatuses(answers), oneOf(6));
  });
});

describe('races between directories', () => {
  it('many mkdirs below one missing parent all succeed', inFull, async () => {
    const { person, clients } = await registerAtAll();
    const answers = await race(clients, 24, (each, index) => mkdir(each, `/new/parent/child-${index}`));
    assert.deepEqual(countStatuses(answers), { 200: 24 });
    assert.equal((await person.list('/new/parent')).total, 24);
  });

  it('opposite moves never create a cycle', async () => {
    const { person, clients } = await registerAtAll();
    for (let round = 0; round < 8; round += 1) {
      const [a, b] = [await person.mkdir(`/${round}/a`), await person.mkdir(`/${round}/b`)];
      const answers = await race(clients, 2, (each, index) =>
        index === 0 ? move(each, a, `/${round}/b`) : move(each, b, `/${round}/a`),
      );
      assert.deepEqual(countStatuses(answers), { 200: 1, 404: 1 });
    }
  });

  it('moves into descendants never create a cycle', inFull, async () => {
    const { person, clients } = await registerAtAll();
    const rings = await race([person], 5, (each, index) => each.mkdir(`/ring-${index}`));
    const answers = await race(clients, 25, (each, index) => {
      const target = (index + 1 + Math.floor(index / 5)) % 5;
      return move(each, rings[index % 5] as EntryRecord, `/ring-${target}`);
    });
    assert.ok((countStatuses(answers)[200] ?? 0) >= 1);
  });

  it('a file that is moved into a directory during its deletion ends up in exactly one place', async () => {
    const { person, clients } = await registerAtAll();
    for (let round = 0; round < 8; round += 1) {
      const file = await person.upload(`/file-${round}`, 'x');
      const directory = await person.mkdir(`/directory-${round}`);
      const [moved, deleted] = await race(clients, 2, (each, index) =>
        index === 0 ? move(each, file, `/directory-${round}`) : recycle(each, directory),
      );
      assert.equal(deleted?.status, 200);
      const isLive = (await person.names()).includes(`file-${round}`);
      assert.equal(moved?.status, isLive ? 404 : 200);
      const listing = await person.call('GET', `/api/v2/files/${file.id}`);
      assert.equal(listing.status, isLive ? 200 : 404);
    }
  });

  it('an upload into a directory during its deletion succeeds, either before or after it', async () => {
    const { person, clients } = await registerAtAll();
    for (let round = 0; round < 8; round += 1) {
      const directory = await person.mkdir(`/directory-${round}`);
      const answers = await race(clients, 4, (each, index) =>
        index === 1 ? recycle(each, directory) : upload(each, `/directory-${round}/file-${index}`, 'x'),
      );
      assert.deepEqual(countStatuses(answers), { 200: 4 });
    }
  });
});

describe('races for the recycle bin', () => {
  it('a deletion with a cursor deletes nothing that was uploaded since', async () => {
    const { person, clients } = await registerAtAll();
    for (let round = 0; round < 10; round += 1) {
      const directory = await person.mkdir(`/known-${round}`);
      const { nextCursor } = await person.ask<{ nextCursor: number }>(
        'GET',
        '/api/v2/files/changes?limit=1000',
      );
      const answers = await race(clients, 4, async (each, index) => {
        if (index !== 2) return await upload(each, `/known-${round}/${index}`, 'x');
        // Delays the deletion more in each round, because an upload takes longer than a deletion.
        for (let call = 0; call < round; call += 1) await each.call('GET', '/api/files/list');
        return await each.call('DELETE', `/api/files/${directory.id}?cursor=${nextCursor}`);
      });
      assert.ok([200, 412].includes(answers[2]?.status ?? 0));
      // An upload after the deletion creates the directory again, so the file is not in the bin either.
      assert.equal((await person.tree(`/known-${round}`)).filter((each) => !each.directory).length, 3);
    }
  });

  it('restore an entry once', inFull, async () => {
    const { person, clients } = await registerAtAll();
    const file = await person.upload('/deep/down/file', 'x');
    await person.recycle(file);
    const answers = await race(clients, 10, (each) => restore(each, file));
    assert.deepEqual(countStatuses(answers), { 200: 1, 404: 9 });
  });

  it('delete an entry once', inFull, async () => {
    const { person, clients } = await registerAtAll();
    const file = await person.upload('/file', 'x');
    const answers = await race(clients, 10, (each) => recycle(each, file));
    assert.deepEqual(countStatuses(answers), { 200: 1, 404: 9 });
    assert.equal(await person.usedBytes(), 0);
  });

  it('either restore or purge an entry', async () => {
    const { person, clients } = await registerAtAll();
    for (let round = 0; round < 8; round += 1) {
      const file = await person.upload(`/directory-${round}/file`, 'x');
      await person.recycle(file);
      const answers = await race(clients, 4, (each, index) =>
        index % 2 === 0 ? restore(each, file) : purge(each, file),
      );
      assert.deepEqual(countStatuses(answers), { 200: 1, 404: 3 });
    }
  });

  it('allow emptying the bin while entries are deleted and restored', inFull, async () => {
    const { person, clients } = await registerAtAll();
    const files = await race([person], 12, (each, index) => each.upload(`/file-${index}`, 'x'));
    await race([person], 6, (each, index) => each.recycle(files[index] as EntryRecord));
    const answers = await race(clients, 15, (each, index) => {
      if (index % 5 === 0) return each.call('DELETE', '/api/files/recycle-bin');
      const file = files[index % 12] as EntryRecord;
      return index % 12 < 6 ? restore(each, file) : recycle(each, file);
    });
    assert.ok(answers.every(({ status }) => status === 200 || status === 404));
  });

  it('allow purging the original of a copy while it is copied', async () => {
    const { person, clients } = await registerAtAll();
    const source = await person.upload('/source/file', 'kept');
    await race([person], 10, (each, index) => each.mkdir(`/to-${index}`));
    const [copies] = await Promise.all([
      race(clients, 10, (each, index) => copy(each, source, `/to-${index}`)),
      recycle(person, source).then(() => purge(person, source)),
    ]);
    for (const { status, data } of copies) {
      assert.ok(status === 200 || status === 404);
      if (status === 200) assert.equal(String(await person.download(data)), 'kept');
    }
  });
});

describe('races for a legacy upload', () => {
  it('create one file, however many requests complete the upload', async () => {
    const { person, clients } = await registerAtAll();
    const storageName = await announce(person, 'the bytes');
    const answers = await race(clients, 10, (each, index) =>
      complete(each, storageName, `name-${index % 3}`),
    );
    assert.deepEqual(countStatuses(answers), { 200: 1, 404: 9 });
    assert.equal((await person.names('/done')).length, 1);
  });

  it('reject a request that checks the path just after another has completed the upload', async (context) => {
    const { person } = await registerAtAll();
    const storageName = await announce(person, 'the bytes');
    const { content } = holdall.app.drive;
    const look = content.checkCanCreate.bind(content);
    context.mock.method(content, 'checkCanCreate', async (...place: Parameters<typeof look>) => {
      context.mock.restoreAll();
      assert.equal((await complete(person, storageName, 'name')).status, 200);
      await look(...place);
    });
    assert.equal((await complete(person, storageName, 'name')).status, 404);
  });

  it('store the bytes of one sender, however many send and complete', inFull, async () => {
    const { person, clients } = await registerAtAll();
    for (let round = 0; round < 4; round += 1) {
      const storageName = await announce(person, 'sender -');
      const answers = await race(clients, 9, (each, index) =>
        index % 3 === 2
          ? complete(each, storageName, `round-${round}`)
          : send(each, storageName, `sender ${index}`),
      );
      const done = answers.filter((answer, index) => index % 3 === 2 && answer.status === 200);
      assert.equal(done.length, 1);
      const record = done[0]?.data as EntryRecord;
      assert.match(String(await person.download(record)), /^sender [\d-]$/);
    }
    holdall.clock.advance(2 * 3_600_000);
    await holdall.app.cleanUp();
  });

  async function announce(person: Person, bytes: string): Promise<string> {
    const body = { path: '/done', filename: 'name', size: bytes.length };
    const { storageName } = await person.ask<UploadTarget>('POST', '/api/files/upload/initiate', { body });
    assert.ok(storageName !== null);
    assert.equal((await send(person, storageName, bytes)).status, 200);
    return storageName;
  }

  function send(person: Person, storageName: string, bytes: string): Promise<Answer<unknown>> {
    const query = new URLSearchParams({ storageName });
    const headers = { 'content-type': 'application/octet-stream' };
    return person.call('PUT', `/api/files/upload/content?${query}`, { body: bytes, headers });
  }

  function complete(person: Person, storageName: string, filename: string): Promise<Answer<EntryRecord>> {
    return person.call('POST', '/api/files/upload/complete', {
      body: { path: '/done', filename, storageName },
    });
  }
});
