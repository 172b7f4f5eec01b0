// tier: default
// runs on: sqlite
// needs: webdav
//
// WebDAV programs that people use, at the personal drive and at a shared one. rclone pauses between its requests, so its trees are small.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createClient } from 'webdav';
import { runWebdavProgram, type WebdavProgram } from '../../../tools/programs/webdav-programs.ts';
import { inFull } from '../../../tools/testing/tiers.ts';
import { createAppPassword } from '../support/app/app-passwords.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { createManagedDrive, inDrive } from '../support/drives/shared-drives.ts';

const holdall = await startHoldall();
const scratch = await mkdtemp(path.join(tmpdir(), 'holdall-webdav-'));
after(() => rm(scratch, { recursive: true }));
const SHARED = 'Família & 100%';
/** The roots of the personal drive and of a shared one. The programs use the shared one only with `--full`. */
const ROOTS = [
  { root: '/dav/', more: {} },
  { root: `/drives/${encodeURIComponent(SHARED)}/`, more: inFull },
] as const;
let alice: Person;
let inShared: Person;
let password: string;

before(async () => {
  alice = await holdall.register('alice');
  ({ password } = await createAppPassword(alice));
  const members = [[alice, 'EDITOR']] as const;
  inShared = inDrive(alice, await createManagedDrive(holdall, members, { name: SHARED }));
});

/** Runs a program, which must succeed. Returns its output. */
async function run(
  program: WebdavProgram,
  args: readonly string[],
  more: { env?: Readonly<Record<string, string>>; input?: string } = {},
): Promise<string> {
  const { output, code } = await runWebdavProgram(program, { args, directory: scratch, ...more });
  assert.equal(code, 0, `${program} ${args.join(' ')}\n${output}`);
  return output;
}

for (const { root, more } of ROOTS) {
  for (const suite of ['basic', 'copymove', 'props', 'locks', 'http']) {
    test(`litmus passes its suite ${suite} at ${root}`, more, async () => {
      const args = ['-k', holdall.url + root, alice.username, password];
      const output = await run('litmus', args, { env: { TESTS: suite } });
      const [, count = ''] = /of (\d+) tests run: \d+ passed, 0 failed/.exec(output) ?? [];
      assert.ok(Number(count) >= 4, output);
      assert.doesNotMatch(output, /WARNING/, output);
    });
  }
}

/** Runs rclone with the address as its remote `drive:`. */
async function rcloneAt(root: string, vendor: string): Promise<(...args: string[]) => Promise<string>> {
  const env = {
    RCLONE_CONFIG_DRIVE_TYPE: 'webdav',
    RCLONE_CONFIG_DRIVE_URL: holdall.url + root,
    RCLONE_CONFIG_DRIVE_VENDOR: vendor,
    RCLONE_CONFIG_DRIVE_USER: alice.username,
    RCLONE_CONFIG_DRIVE_PASS: (await run('rclone', ['obscure', password])).trim(),
  };
  return (...args) => run('rclone', ['--config', '/dev/null', ...args], { env });
}

for (const [vendor, { root, more }] of [
  ['owncloud', ROOTS[0]],
  ['owncloud', ROOTS[1]],
  ['other', { ...ROOTS[0], more: inFull }],
] as const) {
  test(`rclone syncs a tree up and down at ${root}, with vendor ${vendor}`, more, async () => {
    const from = path.join(scratch, `${vendor} source of ${encodeURIComponent(root)}`);
    const modifiedAt = new Date('2019-03-04T05:06:07Z');
    const files = ['a.txt', 'empty', 'sub dir/ünïcode 😀.txt', 'sub dir/deep/100%+&#.bin'];
    for (const [index, name] of files.entries()) {
      const file = path.join(from, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, name === 'empty' ? '' : Buffer.alloc(1 + index * 70_000, name));
      await utimes(file, modifiedAt, modifiedAt);
    }
    const rclone = await rcloneAt(root, vendor);
    await rclone('sync', from, `drive:${vendor}`);
    await rclone('check', '--download', from, `drive:${vendor}`);
    const again = await rclone('sync', '-v', '--stats-one-line', from, `drive:${vendor}`);
    assert.doesNotMatch(again, /: (?:Copied|Deleted|Updated|Moved)/, again);
    await writeFile(path.join(from, 'a.txt'), 'changed and longer');
    await rm(path.join(from, 'empty'));
    await rclone('sync', from, `drive:${vendor}`);
    const to = `${from} copy`;
    await rclone('sync', `drive:${vendor}`, to);
    await rclone('check', '--download', to, `drive:${vendor}`);
    assert.equal(await readFile(path.join(to, 'a.txt'), 'utf8'), 'changed and longer');
    await assert.rejects(stat(path.join(to, 'empty')), { code: 'ENOENT' });
  });
}

test('rclone lists shared drives, and copies and moves between them without the bytes', inFull, async () => {
  const members = [[alice, 'EDITOR']] as const;
  const club = inDrive(alice, await createManagedDrive(holdall, members, { name: 'Club' }));
  const rclone = await rcloneAt('/drives/', 'owncloud');
  assert.deepEqual((await rclone('lsf', 'drive:')).trim().split('\n'), ['Club/', `${SHARED}/`]);
  const file = path.join(scratch, 'moving.txt');
  await writeFile(file, 'moving');
  await rclone('copy', file, `drive:${SHARED}/from/deep`);
  const copied = await rclone('-v', 'copy', `drive:${SHARED}/from/deep/moving.txt`, 'drive:Club/copied');
  assert.match(copied, /Copied \(server-side copy\)/);
  const moved = await rclone('-v', 'move', `drive:${SHARED}/from`, 'drive:Club/moved');
  assert.match(moved, /Server side directory move succeeded/);
  assert.deepEqual(await club.names('/moved/deep'), ['moving.txt']);
  assert.ok(!(await inShared.names()).includes('from'));
});

for (const { root, more } of ROOTS) {
  test(
    `a session of cadaver at ${root} uploads, copies, locks, sets properties and deletes`,
    more,
    async () => {
      await writeFile(
        path.join(scratch, '.netrc'),
        `machine 127.0.0.1 login ${alice.username} password ${password}\n`,
        {
          mode: 0o600,
        },
      );
      await writeFile(path.join(scratch, 'letter.txt'), 'by cadaver');
      const commands = [
        'mkcol cadaver',
        'cd cadaver',
        'put letter.txt',
        'copy letter.txt copy.txt',
        'lock letter.txt',
        'discover letter.txt',
        'unlock letter.txt',
        'propset copy.txt color red',
        'propget copy.txt color',
        'move copy.txt moved.txt',
        'ls',
        'get moved.txt back.txt',
        'delete letter.txt',
        'quit',
      ];
      const output = await run('cadaver', [holdall.url + root], { input: `${commands.join('\n')}\n` });
      assert.doesNotMatch(output, /failed|Could not/i, output);
      assert.match(output, /moved\.txt/);
      assert.match(output, /red/);
      assert.equal(await readFile(path.join(scratch, 'back.txt'), 'utf8'), 'by cadaver');
      assert.deepEqual(await (root === '/dav/' ? alice : inShared).names('/cadaver'), ['moved.txt']);
    },
  );
}

test('curl uploads a stream of unknown length', inFull, async () => {
  const user = `${alice.username}:${password}`;
  const input = 'x'.repeat(200_000);
  const args = ['-sS', '-f', '-T', '-', '-u', user, '-w', '%{http_code}', `${holdall.url}/dav/streamed.bin`];
  assert.equal(await run('curl', args, { input }), '201');
  assert.equal(await run('curl', args, { input }), '204');
  assert.equal(await run('curl', ['-sS', '-f', '-u', user, `${holdall.url}/dav/streamed.bin`]), input);
});

test('the npm package webdav lists, writes, reads, moves and deletes', inFull, async () => {
  const client = createClient(`${holdall.url}/dav/`, { username: alice.username, password });
  await client.createDirectory('/npm/ä b', { recursive: true });
  await client.putFileContents('/npm/ä b/1.txt', 'one');
  assert.equal(await client.getFileContents('/npm/ä b/1.txt', { format: 'text' }), 'one');
  await client.copyFile('/npm/ä b/1.txt', '/npm/2.txt');
  await client.moveFile('/npm/2.txt', '/npm/3.txt');
  const listed = await client.getDirectoryContents('/npm');
  assert.ok(Array.isArray(listed));
  assert.deepEqual(listed.map(({ filename, type }) => [filename, type]).sort(), [
    ['/npm/3.txt', 'file'],
    ['/npm/ä b', 'directory'],
  ]);
  const lock = await client.lock('/npm/3.txt');
  await client.unlock('/npm/3.txt', lock.token);
  await client.deleteFile('/npm/3.txt');
  assert.equal(await client.exists('/npm/3.txt'), false);
});

test('after the programs have run the books balance', () => checkBooks(holdall));
