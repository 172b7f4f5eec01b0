// tier: default
// runs on: sqlite, postgres
// Requests to a shared drive while its caller loses the role, or the drive is renamed or deleted.
import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { type DavClient, type DavResponse, hrefsIn } from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';
import { changeRole } from '../support/drives/members.ts';
import { createManagedDrive, markDeleted } from '../support/drives/shared-drives.ts';
import { PausedUpload } from '../support/network/paused-upload.ts';

const holdall = await startHoldall();
let manager: DavClient;
let editor: DavClient;

before(async () => {
  manager = await asDavClient(await holdall.register('manager'));
  editor = await asDavClient(await holdall.register('editor'));
});

/** Inserts a drive with a file `a.txt` and a directory `dir`. */
async function insertDrive(name: string): Promise<number> {
  const id = await createManagedDrive(
    holdall,
    [
      [manager.person, 'MANAGER'],
      [editor.person, 'EDITOR'],
    ],
    { name },
  );
  assert.equal((await manager.put(`/drives/${name}/a.txt`, 'a')).status, 201);
  await manager.expect(201, 'MKCOL', `/drives/${name}/dir/`);
  return id;
}

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

/** Changes the role of the next member who is let in, before that member's request continues. */
function changeRoleOnceLetIn(t: TestContext, driveId: number, person: Person, role?: 'VIEWER'): void {
  const { sharedDrives } = holdall.app.dav;
  const { find } = sharedDrives;
  t.mock.method(
    sharedDrives,
    'find',
    async (...args: Parameters<typeof find>) => {
      const found = await Reflect.apply(find, sharedDrives, args);
      await changeRole(holdall, driveId, person, role);
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
  assert.deepEqual(await holdall.app.database.db.selectFrom('dav_lock').selectAll().execute(), []);
});

const startPut = (person: Person, name: string) =>
  PausedUpload.start(person, {
    ...{ line: `PUT /drives/${name}/slow.txt`, name: 'slow.txt' },
    ...{ bytes: Buffer.from('slowly'), encoding: 'raw' },
  });

test('a PUT whose last byte arrives after its member was removed, or the drive deleted, stores nothing', async () => {
  const id = await insertDrive('Slow');
  const removed = await startPut(editor.person, 'Slow');
  const deleted = await startPut(manager.person, 'Slow');
  await changeRole(holdall, id, editor.person, undefined);
  assert.equal(await removed.finish(), 404);
  assert.deepEqual(await manager.names('/drives/Slow/'), ['a.txt', 'dir']);
  await markDeleted(holdall, id);
  assert.equal(await deleted.finish(), 404);
  await manager.expect(404, 'GET', '/drives/Slow/a.txt');
});

test('a PUT that began before the drive was renamed stores its file there', async () => {
  const id = await insertDrive('Before');
  const upload = await startPut(editor.person, 'Before');
  const lock = await editor.locked('/drives/Before/a.txt');
  await manager.person.ask('PATCH', `/api/v2/drives/${id}`, { body: { name: 'After' } });
  assert.equal(await upload.finish(), 201);
  await editor.expect(404, 'PROPFIND', '/drives/Before/');
  assert.equal(await editor.get('/drives/After/slow.txt'), 'slowly');
  const tagged = { if: `<${holdall.url}/drives/After/a.txt> ${lock.if}` };
  assert.equal((await editor.put('/drives/After/a.txt', 'b', tagged)).status, 204, 'the lock stays');
  assert.deepEqual(hrefsIn(await manager.put('/drives/After/a.txt', 'c')), ['/drives/After/a.txt']);
});

test('after all races the books balance', () => checkBooks(holdall));
