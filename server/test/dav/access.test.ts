// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createAppPassword } from '../support/app/app-passwords.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { PASSWORD, type Person } from '../support/app/person.ts';
import { DavClient } from '../support/dav/dav-client.ts';
import { toBasic } from '../support/dav/dav-clients.ts';
import { listDavRoutes } from '../support/http/api-routes.ts';

const holdall = await startHoldall();
let alice: Person;
let password: string;

before(async () => {
  alice = await holdall.register('alice');
  await alice.upload('/a.txt', 'a');
  ({ password } = await createAppPassword(alice));
});

const clientWith = (authorization?: string) =>
  new DavClient(alice, authorization === undefined ? {} : { authorization });

const METHODS = [
  ...[
    'OPTIONS',
    'GET',
    'HEAD',
    'PROPFIND',
    'PUT',
    'MKCOL',
    'DELETE',
    'COPY',
    'MOVE',
    'PROPPATCH',
    'LOCK',
    'UNLOCK',
  ],
];

test('every method needs a login, and says what app passwords may do; the root of the server is public', () => {
  const mounted = listDavRoutes(holdall.app.server)
    .filter(({ url }) => url !== '/dav' && url !== '/drives')
    .map(({ method, url, access, appPassword }) => `${access} ${appPassword} ${method} ${url}`);
  const reading = ['OPTIONS', 'GET', 'HEAD', 'PROPFIND', 'POST', 'PATCH'];
  const expected = [
    'public read OPTIONS /',
    'public read PROPFIND /',
    ...['POST', 'PATCH', ...METHODS].flatMap((method) =>
      ['/dav/*', '/drives/*'].map(
        (url) => `login ${reading.includes(method) ? 'read' : 'write'} ${method} ${url}`,
      ),
    ),
  ];
  assert.deepEqual(mounted.sort(), expected.sort());
});

test('an app password is accepted by Basic with the account name in any case, and by Bearer', async () => {
  for (const name of [alice.username, alice.username.toUpperCase()]) {
    assert.equal(await clientWith(toBasic(name, password)).get('/dav/a.txt'), 'a');
  }
  assert.equal(await clientWith(`Bearer ${password}`).get('/dav/a.txt'), 'a');
  assert.equal(await clientWith(`Bearer ${alice.login?.accessToken}`).get('/dav/a.txt'), 'a');
});

test('without credentials, or with wrong ones, every method is 401 and asks for Basic', async () => {
  const wrong = [
    undefined,
    toBasic(alice.username, `${password}x`),
    toBasic('nobody', password),
    'Basic !',
    'Bearer x',
  ];
  for (const authorization of wrong) {
    for (const method of METHODS) {
      const response = await clientWith(authorization).expect(401, method, '/dav/a.txt');
      assert.equal(response.headers['www-authenticate'], 'Basic realm="Holdall", charset="UTF-8"');
    }
  }
});

test("the account's own password is rejected, and the answer says to create an app password", async () => {
  const response = await clientWith(toBasic(alice.username, PASSWORD)).expect(401, 'PROPFIND', '/dav/');
  assert.match(response.body, /create an app password/);
});

test('a READ app password reads, and is 403 with every method that changes something', async () => {
  const { password: reading } = await createAppPassword(alice, { scope: 'READ' });
  const client = clientWith(toBasic(alice.username, reading));
  const before = await alice.state();
  const headers = { depth: '0', destination: '/dav/b.txt', 'lock-token': '<urn:uuid:1>' };
  for (const method of METHODS) {
    const { status } = await client.send(method, '/dav/a.txt', { headers });
    const reads = ['OPTIONS', 'GET', 'HEAD', 'PROPFIND'].includes(method);
    assert.equal(status, reads ? (method === 'PROPFIND' ? 207 : 200) : 403, method);
  }
  assert.deepEqual(await alice.state(), before);
});

test('a client sees nothing of other drives', async () => {
  const bob = await holdall.register('bob');
  const { password: ofBob } = await createAppPassword(bob);
  const client = new DavClient(bob, { authorization: toBasic(bob.username, ofBob) });
  await client.expect(404, 'GET', '/dav/a.txt');
  assert.deepEqual(await client.names('/dav/'), ['Documents', 'Downloads', 'Pictures']);
});

test('wrong passwords are counted by the credential limiter', async () => {
  const victim = await holdall.register('victim');
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const { status } = await new DavClient(victim, {
      authorization: toBasic(victim.username, `hda_${'x'.repeat(31)}${attempt % 10}`),
    }).send('GET', '/dav/');
    statuses.push(status);
  }
  assert.equal(statuses[0], 401);
  assert.equal(statuses.at(-1), 429);
});
