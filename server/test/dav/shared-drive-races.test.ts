// tier: default
// runs on: sqlite, postgres
// What the members of a shared drive may do over WebDAV, and anyone else.
import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import type { DavClient, DavResponse } from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';
import { deleteSharedDrive, insertSharedDrive, setRole } from '../support/drives/dav-drive.ts';
import { PausedUpload } from '../support/network/paused-upload.ts';

const holdall = await startHoldall();
const people: Person[] = [];
let manager: DavClient;
let editor: DavClient;
let viewer: DavClient;
let stranger: DavClient;

before(async () => {
  for (const name of ['manager', 'editor', 'viewer', 'stranger']) people.push(await holdall.register(name));
  const [first, second, third, fourth] = await Promise.all(people.map((person) => asDavClient(person)));
  assert.ok(first !== undefined && second !== undefined && third !== undefined && fourth !== undefined);
  [manager, editor, viewer, stranger] = [first, second, third, fourth];
});

/** Inserts a drive with a file `a.txt` and a directory `dir`. */
async function insertDrive(name: string): Promise<number> {
  const id = await insertSharedDrive(holdall, name, {
    members: [
      [manager.person, 'MANAGER'],
      [editor.person, 'EDITOR'],
      [viewer.person, 'VIEWER'],
    ],
  });
  assert.equal((await manager.put(`/drives/${name}/a.txt`, 'a')).status, 201);
  await manager.expect(201, 'MKCOL', `/drives/${name}/dir/`);
  return id;
}

const READS = ['OPTIONS', 'GET', 'HEAD', 'PROPFIND'];

type Change = readonly [name: string, request: (client: DavClient, root: string) => Promise<DavResponse>];

/** Every change that members can make. Each one succeeds after those before it. */
const CHANGES: readonly Change[] = [
  ['PUT of a new file', (client, root) => client.put(`${root}new.txt`, 'x')],
  ['PUT of new content', (client, root) => client.put(`${root}a.txt`, 'b')],
  ['MKCOL', (client, root) => client.send('MKCOL', `${root}made`)],
  ['COPY', (client, root) => client.copy(`${root}a.txt`, `${root}copy.txt`)],
  ['COPY onto a file', (client, root) => client.copy(`${root}new.txt`, `${root}copy.txt`)],
  ['MOVE', (client, root) => client.move(`${root}copy.txt`, `${root}moved.txt`)],
  ['MOVE onto a file', (client, root) => client.move(`${root}moved.txt`, `${root}new.txt`)],
  [
    'PROPPATCH',
    (client, root) => client.proppatch(`${root}a.txt`, '<D:set><D:prop><a:b>c</a:b></D:prop></D:set>'),
  ],
  ['DELETE', (client, root) => client.send('DELETE', `${root}dir/`)],
  ['LOCK of a new file', (client, root) => client.lock(`${root}locked.txt`)],
  ['LOCK', (client, root) => client.lock(`${root}a.txt`)],
];

test('a MANAGER and an EDITOR read and change everything, a VIEWER only reads', async () => {
  await insertDrive('Roles');
  const root = '/drives/Roles/';
  for (const [name, change] of CHANGES) {
    assert.equal((await change(viewer, root)).status, 403, `${name} by a VIEWER`);
  }
  const unlock = { headers: { 'lock-token': '<urn:uuid:1>' } };
  await viewer.expect(403, 'UNLOCK', `${root}a.txt`, unlock);
  await viewer.expect(403, 'LOCK', `${root}a.txt`, { headers: { if: '(<urn:uuid:1>)' } });
  for (const client of [manager, editor]) {
    const own = client === manager ? root : `${root}of%20editor/`;
    if (client === editor) {
      await editor.expect(201, 'MKCOL', own);
      await editor.expect(201, 'MKCOL', `${own}dir/`);
      await editor.put(`${own}a.txt`, 'a');
    }
    for (const [name, change] of CHANGES) {
      const { status } = await change(client, own);
      assert.ok(status < 300, `${name}: ${status}`);
    }
  }
  for (const client of [manager, editor, viewer]) {
    for (const method of READS) {
      const status = method === 'PROPFIND' ? 207 : 200;
      await client.expect(status, method, `${root}a.txt`, { headers: { depth: '0' } });
    }
    assert.equal(await client.get(`${root}a.txt`), 'b');
  }
  const reading = READS.join(', ');
  assert.equal((await viewer.expect(200, 'OPTIONS', root)).headers.allow, reading);
  assert.equal((await viewer.expect(405, 'POST', `${root}a.txt`)).headers.allow, reading);
  assert.match((await editor.expect(200, 'OPTIONS', root)).headers.allow ?? '', /PUT, .*UNLOCK$/);
});

test('an app password with READ makes a MANAGER a reader', async () => {
  await insertDrive('Reader');
  const reader = await asDavClient(manager.person, 'READ');
  assert.equal(await reader.get('/drives/Reader/a.txt'), 'a');
  for (const [name, change] of CHANGES) {
    assert.equal((await change(reader, '/drives/Reader/')).status, 403, name);
  }
});

test('a drive does not exist for strangers, for removed members, and once it is deleted', async () => {
  const id = await insertDrive('Hidden');
  const root = '/drives/Hidden/';
  const isMissingFor = async (client: DavClient) => {
    for (const method of READS) await client.expect(404, method, root, { headers: { depth: '1' } });
    for (const [name, change] of CHANGES) assert.equal((await change(client, root)).status, 404, name);
    assert.ok(!(await client.names('/drives/')).includes('Hidden'));
  };
  await isMissingFor(stranger);
  assert.deepEqual(await stranger.names('/drives/'), []);
  await setRole(holdall, id, editor.person, undefined);
  await isMissingFor(editor);
  await setRole(holdall, id, manager.person, 'VIEWER');
  assert.equal((await manager.put(`${root}b.txt`, 'x')).status, 403);
  assert.equal(await manager.get(`${root}a.txt`), 'a');
  await deleteSharedDrive(holdall, id);
  await isMissingFor(manager);
});

test('without credentials, every address below /drives/ is 401', async () => {
  const anonymous = stranger.with({ authorization: 'Basic !' });
  for (const address of ['/drives', '/drives/', '/drives/Roles/', '/drives/None/a.txt']) {
    for (const method of [...READS, 'PUT', 'LOCK']) {
      const response = await anonymous.expect(401, method, address);
      assert.equal(response.headers['www-authenticate'], 'Basic realm="Holdall", charset="UTF-8"');
    }
  }
});

/** Changes the role of the next member who is let in, before that member's request goes on. */
function changeRoleOnceLetIn(t: TestContext, driveId: number, person: Person, role?: 'VIEWER'): void {
  const { sharedDrives } = holdall.app.dav;
  const { find } = sharedDrives;
  t.mock.method(
    sharedDrives,
    'find',
    async (...args: Parameters<typeof find>) => {
      const found = await Reflect.apply(find, sharedDrives, args);
      await setRole(holdall, driveId, person, role);
      return found;
    },
    { times: 1 },
  );
}

test('no request that has begun changes anything after its member was removed or became a VIEWER', async (t) => {
  for (const role of [undefined, 'VIEWER'] as const) {
    for (const [index, [name, change]] of CHANGES.entries()) {
      const drive = `Race-${role}-${index}`;
      const id = await insertDrive(drive);
      await manager.put(`/drives/${drive}/new.txt`, '');
      await manager.put(`/drives/${drive}/copy.txt`, '');
      await manager.put(`/drives/${drive}/moved.txt`, '');
      const entries = () =>
        holdall.app.database.db
          .selectFrom('entry')
          .selectAll()
          .where('drive_id', '=', id)
          .orderBy('id')
          .execute();
      const before = await entries();
      changeRoleOnceLetIn(t, id, editor.person, role);
      const { status } = await change(editor, `/drives/${drive}/`);
      assert.equal(status, role === undefined ? 404 : 403, `${name} ${role}`);
      assert.deepEqual(await entries(), before, name);
    }
  }
  const { db } = holdall.app.database;
  const isEditor = (await db.selectFrom('dav_lock').select('account_id').execute()).filter(
    ({ account_id: accountId }) => accountId === editor.person.id,
  );
  assert.equal(isEditor.length, 2, 'only those of the test of the roles');
});

test('a PUT whose last byte arrives after the removal stores nothing', async () => {
  const id = await insertDrive('Slow');
  const upload = await PausedUpload.start(editor.person, {
    line: 'PUT /drives/Slow/slow.txt',
    name: 'slow.txt',
    bytes: Buffer.from('slowly'),
    encoding: 'raw',
  });
  await setRole(holdall, id, editor.person, undefined);
  assert.equal(await upload.finish(), 404);
  assert.deepEqual((await manager.names('/drives/Slow/')).toSorted(), ['a.txt', 'dir']);
  await checkBooks(holdall);
});
