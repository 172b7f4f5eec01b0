// tier: default
// runs on: sqlite, postgres
// Every method of WebDAV below `/drives/`, by everyone who may or may not use it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { READ_METHODS, WRITE_METHODS } from '../../src/dav/dav.ts';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { type DavClient, type DavOptions, named } from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';
import { changeRole } from '../support/drives/members.ts';
import { createManagedDrive, markDeleted } from '../support/drives/shared-drives.ts';

const holdall = await startHoldall();
const { db } = holdall.app.database;

/** The right that a request needs: to read the drive, to copy from it to another drive, or to change it. */
type Need = 'read' | 'copy out' | 'write';

/** Someone, what they may do in the drive, and the status of everything else. */
interface Caller {
  readonly client: DavClient;
  readonly may: readonly Need[];
  readonly refusedBy: 403 | 404;
}

interface DavCall {
  readonly what: string;
  readonly method: string;
  readonly needs: Need;
  readonly status: number;
  /** @param root where the caller may work, with a slash; `own`: a directory of the caller's personal drive */
  readonly to: (at: { root: string; own: string }) => { address: string; options?: DavOptions };
}

const LOCK_INFO =
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>';
const UPDATE =
  '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><b xmlns="urn:a">c</b></D:prop></D:set></D:propertyupdate>';

const reading = (method: string, status: number, what = 'a file', name = 'a.txt'): DavCall => ({
  ...{ what, method, needs: 'read', status },
  to: ({ root }) => ({ address: root + name, options: { headers: { depth: '1' } } }),
});

const writing = (
  method: string,
  status: number,
  name: string,
  what: string,
  options?: DavOptions,
): DavCall => ({
  ...{ what, method, needs: 'write', status },
  to: ({ root }) => ({ address: root + name, ...(options !== undefined && { options }) }),
});

const transfer = (
  method: 'COPY' | 'MOVE',
  what: string,
  [needs, status]: readonly [Need, number],
  way: (at: { root: string; own: string }) => readonly [from: string, to: string],
): DavCall => ({
  ...{ what, method, needs, status },
  to: (at) => {
    const [address, destination] = way(at);
    return { address, options: { headers: { destination } } };
  },
});

/** Requests that succeed in this order. `TOKEN` stands for the token of the last lock. */
const CALLS: readonly DavCall[] = [
  reading('OPTIONS', 200),
  reading('GET', 200),
  reading('GET', 200, 'a directory', 'dir/'),
  reading('HEAD', 200),
  reading('PROPFIND', 207),
  reading('PROPFIND', 207, 'a directory', 'dir/'),
  reading('POST', 405),
  reading('PATCH', 405),
  transfer('COPY', 'to the own drive', ['copy out', 201], ({ root, own }) => [`${root}a.txt`, `${own}out`]),
  transfer('COPY', 'within the drive', ['write', 201], ({ root }) => [`${root}a.txt`, `${root}copy`]),
  transfer('COPY', 'onto a file', ['write', 204], ({ root }) => [`${root}a.txt`, `${root}copy`]),
  transfer('COPY', 'from the own drive', ['write', 201], ({ root, own }) => [`${own}x`, `${root}in`]),
  transfer('MOVE', 'within the drive', ['write', 201], ({ root }) => [`${root}copy`, `${root}moved`]),
  transfer('MOVE', 'to the own drive', ['write', 201], ({ root, own }) => [`${root}moved`, `${own}moved`]),
  transfer('MOVE', 'from the own drive', ['write', 201], ({ root, own }) => [`${own}x`, `${root}in2`]),
  writing('PUT', 201, 'new.txt', 'a new file', { body: 'new' }),
  writing('PUT', 204, 'a.txt', 'new content', { body: 'b' }),
  writing('MKCOL', 201, 'made', 'a directory'),
  writing('PROPPATCH', 207, 'a.txt', 'a file', { body: UPDATE }),
  writing('DELETE', 204, 'dir/', 'a directory'),
  writing('LOCK', 201, 'locked.txt', 'a new file', { body: LOCK_INFO }),
  writing('LOCK', 200, 'a.txt', 'a file', { body: LOCK_INFO }),
  writing('LOCK', 200, 'a.txt', 'again', { headers: { if: '(TOKEN)' } }),
  writing('UNLOCK', 204, 'a.txt', 'a file', { headers: { 'lock-token': 'TOKEN' } }),
];

const NO_LOCK = '<urn:uuid:00000000-0000-0000-0000-000000000000>';

let driveId: number;
let manager: DavClient;
const callers = new Map<string, Caller>();

before(async () => {
  const people: Record<string, Person> = {};
  for (const name of ['manager', 'editor', 'viewer', 'stranger', 'removed', 'banned']) {
    people[name] = await holdall.register(name);
  }
  const get = (name: string) => people[name] as Person;
  driveId = await createManagedDrive(
    holdall,
    [
      [get('manager'), 'MANAGER'],
      [get('editor'), 'EDITOR'],
      [get('viewer'), 'VIEWER'],
      [get('removed'), 'MANAGER'],
      [get('banned'), 'MANAGER'],
    ],
    { name: 'Roles' },
  );
  const add = async (name: string, person: Person, rest: Omit<Caller, 'client'>, scope?: 'READ') => {
    const client = await asDavClient(person, scope);
    const own = `/dav/${encodeURIComponent(name)}/`;
    const setUp = scope === undefined ? client : await asDavClient(person);
    await setUp.expect(201, 'MKCOL', own);
    await setUp.put(`${own}x`, 'x');
    callers.set(name, { client, ...rest });
  };
  const all: readonly Need[] = ['read', 'copy out', 'write'];
  await add('a MANAGER', get('manager'), { may: all, refusedBy: 403 });
  await add('an EDITOR', get('editor'), { may: all, refusedBy: 403 });
  await add('a VIEWER', get('viewer'), { may: ['read', 'copy out'], refusedBy: 403 });
  await add('a MANAGER with READ', get('manager'), { may: ['read'], refusedBy: 403 }, 'READ');
  await add('a stranger', get('stranger'), { may: [], refusedBy: 404 });
  const admin = await holdall.admin();
  await add('an administrator', admin, { may: [], refusedBy: 404 });
  await add('a removed member', get('removed'), { may: [], refusedBy: 404 });
  await add('a banned member', get('banned'), { may: [], refusedBy: 403 });
  await changeRole(holdall, driveId, get('removed'), undefined);
  await asAdmin(admin).user(get('banned'), 'status', { status: 'BANNED' });
  manager = await asDavClient(get('manager'));
});

/** Everything in the drive that requests could change. */
async function stateOfDrive(): Promise<unknown> {
  const inDrive = (table: 'entry' | 'dav_lock' | 'dav_property' | 'event') =>
    db.selectFrom(table).selectAll().where('drive_id', '=', driveId).orderBy('drive_id').execute();
  return Promise.all([inDrive('entry'), inDrive('dav_lock'), inDrive('dav_property'), inDrive('event')]);
}

/** Sends every request. Those that are refused must change nothing. */
async function checkCalls(name: string, root: string, { client, may, refusedBy }: Caller): Promise<void> {
  const own = `/dav/${encodeURIComponent(name)}/`;
  let token = NO_LOCK;
  for (const { what, method, needs, status, to } of CALLS) {
    const { address, options = {} } = to({ root, own });
    const headers = Object.fromEntries(
      Object.entries(options.headers ?? {}).map(([key, value]) => [key, `${value}`.replace('TOKEN', token)]),
    );
    const isAllowed = may.includes(needs);
    const stateBefore = isAllowed ? undefined : await stateOfDrive();
    const response = await client.send(method, address, { ...options, headers });
    assert.equal(response.status, isAllowed ? status : refusedBy, `${method} of ${what} by ${name}`);
    if (!isAllowed) assert.deepEqual(await stateOfDrive(), stateBefore, `${method} of ${what} by ${name}`);
    token = response.headers['lock-token']?.toString() ?? token;
  }
}

test('the requests include every method', () => {
  const methods = [...READ_METHODS, ...WRITE_METHODS, 'POST', 'PATCH'];
  assert.deepEqual([...new Set(CALLS.map(({ method }) => method))].toSorted(), methods.toSorted());
});

for (const name of [
  'a MANAGER',
  'an EDITOR',
  'a VIEWER',
  'a MANAGER with READ',
  'a stranger',
  'an administrator',
  'a removed member',
  'a banned member',
]) {
  test(`every method by ${name} has the status that follows from the role`, async () => {
    const caller = callers.get(name);
    assert.ok(caller !== undefined);
    const root = `/drives/Roles/${encodeURIComponent(name)}/`;
    await manager.expect(201, 'MKCOL', root);
    await manager.expect(201, 'MKCOL', `${root}dir`);
    await manager.put(`${root}a.txt`, 'a');
    await checkCalls(name, root, caller);
    if (caller.may.length > 0) assert.deepEqual(await caller.client.names('/drives/'), ['Roles']);
    else if (caller.refusedBy === 404) assert.deepEqual(await caller.client.names('/drives/'), []);
    else await caller.client.expect(403, 'PROPFIND', '/drives/', { headers: { depth: '1' } });
  });
}

test('Allow has the methods of the role', async () => {
  const read = READ_METHODS.join(', ');
  for (const [name, allow] of [
    ['a MANAGER', `${read}, ${WRITE_METHODS.join(', ')}`],
    ['an EDITOR', `${read}, ${WRITE_METHODS.join(', ')}`],
    ['a VIEWER', `${read}, COPY`],
  ] as const) {
    const { client } = callers.get(name) as Caller;
    assert.equal((await client.expect(200, 'OPTIONS', '/drives/Roles/')).headers.allow, allow);
    assert.equal((await client.expect(405, 'POST', '/drives/Roles/x')).headers.allow, allow);
  }
});

test('without credentials, every address below /drives/ is 401', async () => {
  const anonymous = manager.with({ authorization: 'Basic !' });
  for (const address of ['/drives', '/drives/', '/drives/Roles/', '/drives/None/a.txt']) {
    for (const method of [...READ_METHODS, 'PUT', 'LOCK']) {
      const response = await anonymous.expect(401, method, address);
      assert.equal(response.headers['www-authenticate'], 'Basic realm="Holdall", charset="UTF-8"');
    }
  }
});

test('every method in a deleted drive is 404 for its MANAGER', async () => {
  await markDeleted(holdall, driveId);
  const { client } = callers.get('a MANAGER') as Caller;
  const own = encodeURIComponent('a MANAGER');
  await checkCalls('a MANAGER', `/drives/Roles/${own}/`, { client, may: [], refusedBy: 404 });
  assert.deepEqual(
    await client.propfind('/drives/', '1', named('displayname')).then(({ length }) => length),
    1,
  );
});

test('after all methods by everyone the books balance', () => checkBooks(holdall));
