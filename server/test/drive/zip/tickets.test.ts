// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { readArchive } from '../../../src/formats/zip/reading/reader.ts';
import { asAdmin } from '../../support/app/admin.ts';
import { APP_PASSWORDS, asProgram, createAppPassword } from '../../support/app/app-passwords.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { PASSWORD, type Person } from '../../support/app/person.ts';
import { waitFor } from '../../support/tasks/tasks.ts';

const DOWNLOADS = '/api/v2/downloads';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const holdall = await startHoldall();
const { anonymous, clock } = holdall;
const alice = await holdall.register('alice');

async function ticketFor(person: Person, fileIds: readonly number[], name?: string) {
  const body = { fileIds, ...(name !== undefined && { name }) };
  const { url, expiresAt } = await person.ask<{ url: string; expiresAt: string }>('POST', DOWNLOADS, {
    body,
  });
  assert.ok(url.startsWith(`${holdall.url}${DOWNLOADS}?ticket=`));
  return { path: url.slice(holdall.url.length), expiresAt };
}

const load = (path: string, headers: Record<string, string> = {}) =>
  anonymous.fetch('GET', path, { headers });

async function statusOf(path: string): Promise<number> {
  const response = await load(path);
  await response.body?.cancel();
  return response.status;
}

async function namesIn(bytes: Buffer): Promise<readonly string[]> {
  const archive = await readArchive(
    {
      size: bytes.length,
      read: async ({ start, end }) => bytes.subarray(start, end + 1),
      open: async ({ start, end }) =>
        (async function* () {
          yield bytes.subarray(start, end + 1);
        })(),
    },
    { maxEntries: 1_000, maxRatio: 1_000 },
  );
  return archive.entries.map(({ name }) => name).sort();
}

describe('a download of several entries', () => {
  test('is named after its content, with a bounded name that is safe in a header', async () => {
    const dispositionOf = async (...ids: readonly number[]) =>
      (await load((await ticketFor(alice, ids)).path)).headers.get('content-disposition');
    const photos = await alice.mkdir('/named/Photos');
    const quoted = await alice.upload('/named/日 "a"; b.txt', '');
    const long = await alice.mkdir(`/named/${'𝓐'.repeat(60)}`);
    assert.equal(
      await dispositionOf(photos.id, quoted.id),
      `attachment; filename="Photos and _ _a_; b.txt.zip"; filename*=UTF-8''Photos%20and%20%E6%97%A5%20%22a%22%3B%20b.txt.zip`,
    );
    const letter = encodeURIComponent('𝓐');
    const ofLong = `UTF-8''${letter.repeat(30)}%20and%20${letter.repeat(30)}.zip`;
    const other = await alice.mkdir(`/named/other/${'𝓐'.repeat(60)}`);
    assert.ok((await dispositionOf(long.id, other.id))?.endsWith(ofLong));
  });

  test('is one archive, in which equal names get numbers', async () => {
    const one = await alice.upload('/a/letter.txt', 'one');
    const two = await alice.upload('/b/letter.txt', 'two');
    const third = await alice.upload('/c/letter (2).txt', 'three');
    const tree = await alice.mkdir('/tree/below');
    await alice.upload('/tree/below/file', 'four');
    const { path } = await ticketFor(alice, [one.id, two.id, third.id, tree.id, one.id]);
    const response = await load(path);
    assert.equal(response.status, 200);
    const disposition = response.headers.get('content-disposition') ?? '';
    assert.match(disposition, /^attachment; filename="letter\.txt and 3 more\.zip"/);
    assert.equal(response.headers.get('content-type'), 'application/zip');
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(String(bytes.length), response.headers.get('content-length'));
    assert.deepEqual(await namesIn(bytes), [
      'below/',
      'below/file',
      'letter (2).txt',
      'letter (3).txt',
      'letter.txt',
    ]);
  });

  test('is named after its only entry, or as requested', async () => {
    const file = await alice.upload('/photo.jpg', 'x');
    for (const [name, expected] of [
      [undefined, 'photo.jpg.zip'],
      ['Holiday', 'Holiday.zip'],
      ['Holiday.ZIP', 'Holiday.zip'],
    ] as const) {
      const response = await load((await ticketFor(alice, [file.id], name)).path);
      await response.body?.cancel();
      assert.ok(response.headers.get('content-disposition')?.includes(`filename="${expected}"`), expected);
    }
  });

  test('serves ranges with the same bytes as the whole archive', async () => {
    const file = await alice.upload('/ranges', 'some bytes');
    const { path } = await ticketFor(alice, [file.id, (await alice.mkdir('/ranged')).id]);
    const whole = Buffer.from(await (await load(path)).arrayBuffer());
    const part = await load(path, { range: 'bytes=5-40' });
    assert.equal(part.status, 206);
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(5, 41));
    assert.equal((await anonymous.fetch('HEAD', path)).headers.get('content-length'), String(whole.length));
  });

  test('is rejected for entries that are gone, recycled or owned by others', async () => {
    const bob = await holdall.register('bob');
    const file = await alice.upload('/gone', 'x');
    const other = await alice.upload('/stays', 'x');
    const { path } = await ticketFor(alice, [file.id, other.id]);
    await alice.recycle(file);
    assert.equal(await statusOf(path), 404);
    await alice.refused(404, 2404, 'POST', DOWNLOADS, { body: { fileIds: [other.id, file.id] } });
    await bob.refused(404, 2404, 'POST', DOWNLOADS, { body: { fileIds: [other.id] } });
    await alice.refused(404, 2404, 'POST', DOWNLOADS, { body: { fileIds: [999_999_999] } });
  });

  test('is rejected with a wrong ticket, and while the owner is banned', async () => {
    const carol = await holdall.register('carol');
    const { path } = await ticketFor(carol, [(await carol.upload('/file', 'x')).id]);
    await asAdmin(await holdall.admin()).user(carol, 'status', { banned: true });
    assert.equal(await statusOf(path), 404);
    for (const query of ['?ticket=unknown', '?ticket=']) assert.equal(await statusOf(DOWNLOADS + query), 404);
    assert.equal(await statusOf(DOWNLOADS), 400);
  });

  test('ends with the login session or the app password that made it, also when it has begun', async () => {
    const erin = await holdall.register('erin');
    const { id } = await erin.upload('/file', 'x');
    const passwords = [await createAppPassword(erin), await createAppPassword(erin)];
    const [deleted, ended] = passwords.map(({ password }) => asProgram(erin, password));
    const elsewhere = await erin.with(undefined).logInAt(randomUUID());
    assert.ok(deleted && ended);
    const tickets = await Promise.all(
      [erin, elsewhere, deleted, ended].map(async (person) => (await ticketFor(person, [id])).path),
    );
    const statuses = () => Promise.all(tickets.map(statusOf));
    assert.deepEqual(await statuses(), [200, 200, 200, 200]);
    await erin.ask('DELETE', `${APP_PASSWORDS}/${passwords[0]?.id}`);
    assert.deepEqual(await statuses(), [200, 200, 404, 200]);
    await elsewhere.ask('POST', '/api/auth/logout');
    assert.deepEqual(await statuses(), [200, 404, 404, 200]);
    const body = { currentPassword: PASSWORD, newPassword: 'another good password', endAppPasswords: true };
    await erin.ask('POST', '/api/user/password', { body });
    assert.deepEqual(await statuses(), [404, 404, 404, 404]);
  });

  test('accepts one to a thousand ids', async () => {
    for (const fileIds of [undefined, [], ['x'], [0], Array.from({ length: 1_001 }, (_, id) => id + 1)]) {
      await alice.refused(400, 2400, 'POST', DOWNLOADS, { body: { fileIds } });
    }
    await alice.refused(400, 2400, 'POST', DOWNLOADS, { body: { fileIds: [1], name: 'a/b' } });
  });

  test('must begin within five minutes, and can be resumed for an hour', async () => {
    const { id } = await alice.upload('/late', 'x');
    const before = clock.now();
    const late = await ticketFor(alice, [id]);
    const begun = await ticketFor(alice, [id]);
    const validMs = Date.parse(late.expiresAt) - before;
    assert.ok(validMs >= 5 * MINUTE && validMs <= clock.now() - before + 5 * MINUTE);
    clock.advance(4 * MINUTE);
    assert.equal(await statusOf(begun.path), 200);
    clock.advance(MINUTE);
    assert.equal(await statusOf(late.path), 404);
    clock.advance(HOUR - 2 * MINUTE);
    assert.equal(await statusOf(begun.path), 200);
    clock.advance(MINUTE);
    assert.equal(await statusOf(begun.path), 404);
  });
});

test('a new ticket beyond the limit displaces the oldest unused one', async () => {
  const fay = await holdall.register('fay');
  const { id } = await fay.upload('/file', 'x');
  const begun = (await ticketFor(fay, [id])).path;
  assert.equal(await statusOf(begun), 200);
  const paths: string[] = [];
  for (let ticket = 0; ticket < 100; ticket += 1) {
    clock.advance(1);
    paths.push((await ticketFor(fay, [id])).path);
  }
  assert.deepEqual(await Promise.all([begun, paths[0] ?? '', paths[1] ?? ''].map(statusOf)), [200, 404, 200]);
});

test('an account has at most 100 tickets: the oldest are deleted first, and the database stores no token', async () => {
  const dave = await holdall.register('dave');
  const { id } = await dave.upload('/file', 'x');
  const paths: string[] = [];
  for (let ticket = 0; ticket < 102; ticket += 1) {
    paths.push((await ticketFor(dave, [id])).path);
    clock.advance(1_000);
  }
  const { db } = holdall.app.database;
  const rows = await db.selectFrom('zip_ticket').selectAll().where('drive_id', '=', dave.driveId).execute();
  assert.equal(rows.length, 100);
  assert.deepEqual(
    await Promise.all([0, 1, 2, 101].map((index) => statusOf(paths[index] ?? ''))),
    [404, 404, 200, 200],
  );
  const token = paths.at(-1)?.split('=')[1] ?? '';
  assert.ok(token.length >= 22 && !JSON.stringify(rows).includes(token));
});

test(
  'a new ticket is valid while 100 others are downloading, and displaces the earliest one',
  inFull,
  async () => {
    const frank = await holdall.register('frank');
    const { id } = await frank.upload('/file', 'x');
    const paths: string[] = [];
    for (let ticket = 0; ticket < 100; ticket += 1) {
      const { path } = await ticketFor(frank, [id]);
      assert.equal(await statusOf(path), 200);
      paths.push(path);
      clock.advance(1_000);
    }
    const { path } = await ticketFor(frank, [id]);
    assert.deepEqual(
      await Promise.all([path, paths[0] ?? '', paths[1] ?? ''].map(statusOf)),
      [200, 404, 200],
    );
  },
);

test('expired tickets are deleted', async () => {
  const erin = await holdall.register('erin');
  const { id } = await erin.upload('/expired', 'x');
  await ticketFor(erin, [id]);
  clock.advance(2 * HOUR);
  await holdall.app.drive.zipTickets.deleteExpired(new AbortController().signal);
  const { db } = holdall.app.database;
  assert.deepEqual(await db.selectFrom('zip_ticket').selectAll().execute(), []);
});

describe('archives that a client is receiving', () => {
  test('are limited to eight, so that slow clients cannot use up the memory', async () => {
    const gina = await holdall.register('gina');
    // Larger than the buffers of the connection, so the service waits for the client.
    const file = await gina.upload('/slow/film.bin', Buffer.alloc(24 * 1024 ** 2));
    const tickets: string[] = [];
    for (let count = 0; count < 9; count += 1) tickets.push((await ticketFor(gina, [file.id])).path);
    const [last = '', ...others] = tickets;
    const open = await Promise.all(others.map((path) => load(path)));
    assert.deepEqual(new Set(open.map(({ status }) => status)), new Set([200]));
    assert.equal(await statusOf(last), 429);
    await Promise.all(open.map(({ body }) => body?.cancel()));
    const status = await waitFor(
      () => statusOf(last),
      (seen) => seen !== 429,
    );
    assert.equal(status, 200);
  });
});
