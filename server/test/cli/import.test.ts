// tier: default
// runs on: sqlite
// runs on, with --full: s3
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { MINUTE } from '../../src/base/clock.ts';
import { LocalDirectory } from '../../src/cli/imports/local-directory.ts';
import { findOwnDirectories, isInside } from '../../src/cli/imports/own-directories.ts';
import { asAdmin } from '../support/app/admin.ts';
import { environmentOf, runCommand, startCommand } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';

// A killed import leaves objects that nothing refers to. They are swept after this time.
const holdall = await startHoldall({
  env: { HOLDALL_SWEEP_GRACE: '5m', HOLDALL_UPLOAD_SESSION_TTL: '1m' },
});
const env = environmentOf(holdall);
const scratch = await mkdtemp(path.join(tmpdir(), 'holdall-import-'));
after(() => rm(scratch, { recursive: true }));

const OLD = new Date('2019-03-04T05:06:07.890Z');

/** Creates a directory with files of these paths and contents. */
async function makeTree(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const directory = path.join(scratch, name);
  for (const [file, content] of Object.entries(files)) {
    const place = path.join(directory, file);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, content);
    await utimes(place, OLD, OLD);
  }
  return directory;
}

const pathsOf = async (person: Person, top: string) => (await person.tree(top)).map((record) => record.path);

describe('import', () => {
  test('stores a tree with its times, follows no links, and skips everything when it is run again', async () => {
    const alice = await holdall.register('alice');
    const from = await makeTree('tree', {
      'a.txt': 'one',
      'deep/er/b.txt': 'two',
      'deep/Größe.txt': 'three',
    });
    await mkdir(path.join(from, 'empty'));
    await symlink('/etc/passwd', path.join(from, 'link.txt'));
    await symlink('/etc', path.join(from, 'linked'));
    const words = ['import', from, '--user', alice.username.toUpperCase(), '--to', '/Old/things'];
    const { code, said, complained } = await runCommand(env, words);
    assert.equal(code, 0, complained.join('\n'));
    assert.match(
      said.join('\n'),
      /imported 3 files \(11 B\) and 4 new directories; 0 files .* 2 links .*, 0 failed/,
    );
    assert.deepEqual(await pathsOf(alice, '/Old/things'), [
      '/Old/things/deep',
      '/Old/things/deep/er',
      '/Old/things/deep/er/b.txt',
      '/Old/things/deep/Größe.txt',
      '/Old/things/empty',
      '/Old/things/a.txt',
    ]);
    const [file] = (await alice.list('/Old/things/deep/er')).items;
    assert.equal(file?.modifiedAt, OLD.toISOString());
    assert.equal((await alice.download(file ?? assert.fail())).toString(), 'two');
    const before = await alice.state();
    const again = await runCommand(env, words);
    assert.match(
      again.said.join('\n'),
      /imported 0 files \(0 B\) and 0 new directories; 3 files were there already/,
    );
    assert.deepEqual(await alice.state(), before);
    await checkBooks(holdall);
  });

  test('replaces names that a drive does not allow with the closest name, the same in each run', async () => {
    const dora = await holdall.register('dora');
    const from = await makeTree('odd', { 'Icon\r': '1', 'a\\b': '2', a_b: '3', 'dir\twith/c': '4' });
    const words = ['import', from, '--user', dora.username, '--to', '/odd'];
    const { code, said } = await runCommand(env, words);
    assert.equal(code, 0);
    assert.match(said.join('\n'), /Renamed: ".*Icon\\r" to "Icon_"/);
    assert.deepEqual(await pathsOf(dora, '/odd'), [
      ...['/odd/dir_with', '/odd/dir_with/c', '/odd/a_b', '/odd/a_b (2)', '/odd/Icon_'],
    ]);
    const again = await runCommand(env, words);
    assert.match(again.said.join('\n'), /imported 0 files .* 4 files were there already/);
  });

  test('changes nothing in a dry run', async () => {
    const bob = await holdall.register('bob');
    const from = await makeTree('dry', { 'one/a.txt': 'one' });
    const before = await bob.state();
    const { code, said } = await runCommand(env, ['import', from, '--user', bob.username, '--dry-run']);
    assert.equal(code, 0);
    assert.match(said.join('\n'), /would import 1 files \(3 B\) and 1 new directories/);
    assert.deepEqual(await bob.state(), before);
  });

  test('rejects, renames or replaces a file with the same name and other content', async () => {
    const carol = await holdall.register('carol');
    const old = await carol.upload('/a.txt', 'of the drive');
    const from = await makeTree('conflict', { 'a.txt': 'of the tree', 'b.txt': 'new' });
    const words = ['import', from, '--user', carol.username];
    const refused = await runCommand(env, words);
    assert.equal(refused.code, 1);
    assert.match(
      refused.said.join('\n'),
      /a\.txt": There is another file with that name\.[\s\S]*imported 1 files/,
    );
    assert.equal((await carol.download(old)).toString(), 'of the drive');
    for (const present of [1, 2]) {
      const renamed = await runCommand(env, [...words, '--on-conflict', 'rename']);
      assert.equal(renamed.code, 0, renamed.complained.join());
      assert.match(renamed.said.join('\n'), new RegExp(`${present} files were there already`));
    }
    const top = async () => (await carol.names('/')).filter((name) => name.endsWith('.txt'));
    assert.deepEqual(await top(), ['a (2).txt', 'a.txt', 'b.txt']);
    assert.equal((await runCommand(env, [...words, '--on-conflict', 'replace'])).code, 0);
    assert.deepEqual(await top(), ['a (2).txt', 'a.txt', 'b.txt']);
    assert.deepEqual(
      (await carol.bin()).items.map(({ id }) => id),
      [old.id],
    );
    await checkBooks(holdall);
  });

  test('stores what fits the quota, and names what does not', async () => {
    const dora = await holdall.register('dora');
    const admin = await holdall.admin();
    await asAdmin(admin).user(dora, 'storage-quota', { storageQuotaBytes: 150 });
    const from = await makeTree('quota', { a: 'x'.repeat(100), b: 'x'.repeat(100), c: 'x'.repeat(40) });
    const { code, said, complained } = await runCommand(env, ['import', from, '--user', dora.username]);
    assert.equal(code, 1);
    assert.match(complained.join(), /One entry was not imported/);
    assert.match(said.join('\n'), /imported 2 files/);
    assert.ok((await dora.usedBytes()) <= 150);
    await checkBooks(holdall);
  });

  test('can be repeated after a kill, and then has stored the whole tree once', inFull, async () => {
    const erin = await holdall.register('erin');
    const names = Array.from({ length: 300 }, (_, index) => `d${index % 7}/${index}.txt`);
    const from = await makeTree(
      'killed',
      Object.fromEntries(names.map((name) => [name, `content of ${name}`])),
    );
    const words = ['import', from, '--user', erin.username, '--to', '/all'];
    const child = startCommand(env, words);
    const ended = once(child, 'exit');
    for await (const line of child.stderr) if (/Imported \d{2,}/.test(String(line))) break;
    child.kill('SIGKILL');
    await ended;
    const { code, complained } = await runCommand(env, words);
    assert.equal(code, 0, complained.join('\n'));
    const files = (await erin.tree('/all')).filter(({ directory }) => !directory);
    assert.deepEqual(files.map((file) => file.path).sort(), names.map((name) => `/all/${name}`).sort());
    holdall.clock.advance(10 * MINUTE);
    await holdall.app.cleanUp();
    await checkBooks(holdall);
  });

  test('rejects wrong arguments, unknown accounts, and what belongs to Holdall itself', async () => {
    const frank = await holdall.register('frank');
    const cases = [
      [['import', scratch], 2, /Give --user, /],
      [['import', path.join(scratch, 'nothing'), '--user', frank.username], 2, /is not a directory/],
      [['import', scratch, '--user', 'nobody-here'], 1, /no account nobody-here/],
      [
        ['import', scratch, '--user', frank.username, '--on-conflict', 'merge'],
        2,
        /one of fail, rename, replace/,
      ],
      [['import', scratch, '--user', frank.username, '--to', '/..'], 2, /must not be/],
      [['import', holdall.dataDir, '--user', frank.username], 2, /belongs to Holdall/],
    ] as const;
    for (const [words, code, complaint] of cases) {
      const end = await runCommand(env, words);
      assert.deepEqual([end.code, complaint.test(end.complained.join('\n'))], [code, true], words.join(' '));
    }
  });
});

describe('import of the data directory', () => {
  test('is rejected, also for directories in it, whatever path leads there', async () => {
    const ivan = await holdall.register('ivan');
    const link = path.join(scratch, 'to-parent');
    await symlink(path.dirname(holdall.dataDir), link);
    const dataDir = path.join(link, path.basename(holdall.dataDir));
    await mkdir(path.join(holdall.dataDir, 'objects', '2019'), { recursive: true });
    for (const directory of [dataDir, path.join(dataDir, 'objects', '2019')]) {
      const { code, complained } = await runCommand(env, ['import', directory, '--user', ivan.username]);
      assert.deepEqual([code, /belongs to Holdall/.test(complained.join())], [2, true], directory);
    }
  });

  test('is left out of its parent, even if the settings name it by a link', async () => {
    const from = await makeTree('beside', { 'a.txt': 'one', 'below/b.txt': 'two' });
    const link = path.join(scratch, 'beside-link');
    await symlink(from, link);
    const other = await startHoldall({ env: { HOLDALL_DATA_DIR: path.join(from, 'below', 'data') } });
    const judy = await other.register('judy');
    const { code, said, complained } = await runCommand(
      { ...environmentOf(other), HOLDALL_DATA_DIR: path.join(link, 'below', 'data') },
      ['import', from, '--user', judy.username, '--to', '/all'],
    );
    assert.equal(code, 0, complained.join('\n'));
    assert.match(said.join('\n'), /Left out: ".*\/below\/data" belongs to Holdall itself\./);
    assert.deepEqual(await pathsOf(judy, '/all'), ['/all/below', '/all/below/b.txt', '/all/a.txt']);
  });

  test('is recognized by each directory in it, because a mount may show only one of them', async () => {
    const dataDir = await makeTree('mounted', { 'holdall.db': 'x', 'objects/2019/a': 'x' });
    await mkdir(path.join(scratch, 'disk'));
    await symlink(path.join(scratch, 'disk'), path.join(dataDir, 'thumbnails'));
    const own = findOwnDirectories(dataDir);
    const isOwn = async (place: string) => {
      const directory = await LocalDirectory.open(place);
      await directory.close();
      return own.has(directory.identity);
    };
    assert.ok(await isOwn(path.join(dataDir, 'objects')));
    assert.ok(await isOwn(path.join(scratch, 'disk')));
    assert.ok(!(await isOwn(scratch)));
    assert.ok(isInside(path.join(dataDir, 'objects', '2019'), own));
    assert.ok(!isInside(scratch, own));
  });
});

describe('a directory that changes while it is imported', () => {
  test('cannot lead elsewhere: links are not followed, and a pipe does not block', async () => {
    const top = await makeTree('changing', { 'secret/a.txt': 'secret', 'open/a.txt': 'one' });
    await symlink(path.join(top, 'secret/a.txt'), path.join(top, 'open/link'));
    await symlink(path.join(top, 'secret'), path.join(top, 'open/linked'));
    assert.equal(spawnSync('mkfifo', [path.join(top, 'open/pipe')]).status, 0);
    const directory = await LocalDirectory.open(path.join(top, 'open'));
    try {
      await assert.rejects(directory.openFile('link'), { code: 'ELOOP' });
      await assert.rejects(directory.openDirectory('linked'), { code: /^(?:ELOOP|ENOTDIR)$/ });
      await assert.rejects(directory.openFile('pipe'), /no regular file/);
      await assert.rejects(directory.openFile('linked'), { code: 'ELOOP' });
    } finally {
      await directory.close();
    }
  });

  test('is read where it was opened, even if its path now leads elsewhere', async () => {
    const top = await makeTree('replaced', { 'secret/a.txt': 'secret', 'open/a.txt': 'one' });
    const directory = await LocalDirectory.open(path.join(top, 'open'));
    try {
      await rename(path.join(top, 'open'), path.join(top, 'moved'));
      await symlink(path.join(top, 'secret'), path.join(top, 'open'));
      const { handle, size } = await directory.openFile('a.txt');
      assert.deepEqual([size, await handle.readFile('utf8')], [3, 'one']);
      await handle.close();
    } finally {
      await directory.close();
    }
  });
});

/** Reads the password of a user's new account from what an import printed. */
function passwordOf(said: readonly string[], username: string): string {
  const line = said.find((each) => each.startsWith(`${username}: has an account now`));
  return /password: ([\w-]{20})$/.exec(line ?? '')?.[1] ?? assert.fail(said.join('\n'));
}

describe('import-nextcloud', () => {
  test('stores the files of every user, creates missing accounts, and leaves out all other files', async () => {
    const gina = await holdall.register('gina');
    const from = await makeTree('nextcloud', {
      'nadia/files/Notes/a.md': 'of nadia',
      'nadia/files/Notes/big.bin.ocTransferId123.part': 'an upload that has not ended',
      'nadia/files_trashbin/files/gone.txt': 'removed',
      'nadia/cache/x': 'x',
      [`${gina.username}/files/b.md`]: 'of gina',
      'appdata_oc1/preview/1.png': 'x',
      'name with blanks/files/c.md': 'of a name that is none here',
      'nextcloud.log': 'x',
    });
    const { code, said } = await runCommand(env, ['import-nextcloud', from]);
    assert.equal(code, 1);
    assert.match(
      said.join('\n'),
      /"name with blanks": The username must be.*--map-user "name with blanks=NAME"/,
    );
    const nadia = await new Person('nadia', holdall.url).logIn(passwordOf(said, 'nadia'));
    assert.deepEqual(await pathsOf(nadia, '/Notes'), ['/Notes/a.md']);
    assert.ok((await gina.names('/')).includes('b.md'));
    const again = await runCommand(env, ['import-nextcloud', from]);
    assert.doesNotMatch(again.said.join('\n'), /password/);
    await checkBooks(holdall);
  });

  test('maps users to other names on request', async () => {
    const from = await makeTree('mapped', {
      'olga@example.org/files/olga.txt': '',
      'q/files/quentin.txt': '',
    });
    const command = [
      'import-nextcloud',
      from,
      '--map-user',
      'olga@example.org=olga',
      '--map-user',
      'q=quentin',
    ];
    const { code, said } = await runCommand(env, command);
    assert.equal(code, 0, said.join('\n'));
    for (const name of ['olga', 'quentin']) {
      const person = await new Person(name, holdall.url).logIn(passwordOf(said, name));
      assert.ok((await person.names('/')).includes(`${name}.txt`));
    }
    for (const [mappings, complaint] of [
      [['nobody=x'], /no user "nobody"/],
      [['q'], /OLD=NEW/],
      [['q=one', 'q=two'], /twice/],
      [['q=same', 'olga@example.org=Same'], /Two users/],
    ] as const) {
      const options = mappings.flatMap((mapping) => ['--map-user', mapping]);
      const refused = await runCommand(env, ['import-nextcloud', from, ...options]);
      assert.equal(refused.code, 2);
      assert.match(refused.complained.join(), complaint);
    }
  });

  test('rejects other directories, and files that Nextcloud has encrypted', async () => {
    const other = await makeTree('other', { 'alice/documents/a': 'x' });
    assert.match((await runCommand(env, ['import-nextcloud', other])).complained.join(), /no USER\/files/);
    const encrypted = await makeTree('encrypted', {
      'alice/files/a': 'x',
      'alice/files_encryption/keys': 'x',
    });
    assert.match((await runCommand(env, ['import-nextcloud', encrypted])).complained.join(), /decrypt-all/);
  });
});

describe('import-filebrowser', () => {
  test('stores the directory of each user in the exported list, but none outside of the root', async () => {
    const root = await makeTree('filebrowser', { 'ines/a.txt': 'of ines', 'shared/b.txt': 'of all' });
    const list = path.join(scratch, 'users.json');
    const users = [
      { id: 1, username: 'ines', scope: '/ines', perm: { admin: false } },
      { id: 2, username: 'jonas', scope: '../../shared' },
    ];
    // PowerShell writes a byte order mark.
    await writeFile(list, `\ufeff${JSON.stringify(users)}`);
    const { code, said, complained } = await runCommand(env, [
      'import-filebrowser',
      root,
      list,
      '--to',
      '/Imported',
    ]);
    assert.equal(code, 0, complained.join('\n'));
    for (const [name, file] of [
      ['ines', '/Imported/a.txt'],
      ['jonas', '/Imported/b.txt'],
    ] as const) {
      const person = await new Person(name, holdall.url).logIn(passwordOf(said, name));
      assert.deepEqual(await pathsOf(person, '/Imported'), [file]);
    }
    await writeFile(list, '{"users": []}');
    const wrong = await runCommand(env, ['import-filebrowser', root, list]);
    assert.deepEqual([wrong.code, /users export/.test(wrong.complained.join())], [2, true]);
  });
});

test('objects of imported files have the same permissions as other objects', async () => {
  if (holdall.storage.env.HOLDALL_STORAGE === 's3') return;
  const hugo = await holdall.register('hugo');
  const from = await makeTree('permissions', { 'program.sh': '#!/bin/sh' });
  await chmod(path.join(from, 'program.sh'), 0o755);
  const { code } = await runCommand(env, ['import', from, '--user', hugo.username]);
  assert.equal(code, 0);
  const objects = path.join(holdall.dataDir, 'objects');
  for (const entry of await readdir(objects, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    assert.equal((await stat(path.join(entry.parentPath, entry.name))).mode & 0o777, 0o640, entry.name);
  }
});
