// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import { CommandLine } from './command-line.ts';

const service = await startHoldall();
const user = await CommandLine.create(service);
const { person } = user;

describe('holdall ls and tree', () => {
  test('list a directory', async () => {
    await person.upload('/list/b.txt', '12345');
    await person.mkdir('/list/a');
    assert.equal((await user.run(['ls', '/list'])).out, 'a/\nb.txt\n');
    assert.match(
      (await user.run(['ls', '-l', 'list'])).out,
      /^ {2}- {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}a\/\n5 B .*b\.txt\n$/,
    );
    const lines = (await user.run(['ls', '/list', '--json'])).out.trim().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).path),
      ['/list/a', '/list/b.txt'],
    );
    assert.equal((await user.run(['ls', '/list/b.txt'])).out, 'b.txt\n');
  });

  test('show everything below a directory', async () => {
    await person.upload('/tree/a/b/c.txt', 'c');
    await person.upload('/tree/d.txt', 'd');
    const all = '/tree\n├── a/\n│   └── b/\n│       └── c.txt\n└── d.txt\n';
    assert.equal((await user.run(['tree', '/tree'])).out, all);
    assert.equal((await user.run(['tree', '/tree', '--depth', '1'])).out, '/tree\n├── a/\n└── d.txt\n');
  });

  test('report a missing directory', async () => {
    const { code, notes } = await user.run(['ls', '/missing']);
    assert.deepEqual([code, notes], [4, 'There is no /missing in the drive.\n']);
  });

  test('show no control characters', async () => {
    await person.mkdir('/control/\u202etxt.exe');
    assert.equal((await user.run(['ls', '/control'])).out, '\ufffdtxt.exe/\n');
  });
});

describe('holdall mkdir, mv, cp and rm', () => {
  test('create directories with their parents', async () => {
    assert.equal((await user.run(['mkdir', '/made/a/b', '/made/c'])).code, 0);
    assert.deepEqual(await person.names('/made'), ['a', 'c']);
    assert.equal((await user.run(['mkdir', '/made/c'])).code, 5);
  });

  test('move into a directory, rename, or both', async () => {
    await person.upload('/move/a.txt', 'a');
    await person.upload('/move/b.txt', 'b');
    await person.mkdir('/move/target');
    assert.equal((await user.run(['mv', '/move/a.txt', '/move/b.txt', '/move/target'])).code, 0);
    assert.equal((await user.run(['mv', '/move/target/a.txt', '/move/target/c.txt'])).code, 0);
    assert.equal((await user.run(['mv', '/move/target/c.txt', '/move/d.txt'])).code, 0);
    assert.deepEqual(await person.names('/move'), ['target', 'd.txt']);
    assert.deepEqual(await person.names('/move/target'), ['b.txt']);
  });

  test('leave everything in place if the new name is taken', async () => {
    await person.upload('/taken/a.txt', 'a');
    await person.upload('/taken/target/b.txt', 'b');
    assert.equal((await user.run(['mv', '/taken/a.txt', '/taken/target/b.txt'])).code, 5);
    assert.deepEqual(await person.names('/taken'), ['target', 'a.txt']);
    assert.equal((await user.run(['cp', '/taken/a.txt', '/taken/target/b.txt'])).code, 5);
    assert.deepEqual(await person.names('/taken/target'), ['b.txt']);
    const replacing = ['mv', '/taken/a.txt', '/taken/target/b.txt', '--on-conflict', 'replace'];
    assert.equal((await user.run(replacing)).code, 0);
    const [moved] = (await person.list('/taken/target')).items;
    assert.equal((await person.download(moved ?? { id: 0 })).toString(), 'a');
  });

  test('move to a new name even if the old name is taken in the target directory', async () => {
    await person.upload('/both/a.txt', 'a');
    await person.upload('/both/target/a.txt', 'other');
    assert.equal((await user.run(['mv', '/both/a.txt', '/both/target/b.txt'])).code, 0);
    assert.deepEqual(await person.names('/both/target'), ['a.txt', 'b.txt']);
  });

  test('copy into a directory, to another name, and next to the original', async () => {
    await person.upload('/copy/a.txt', 'a');
    await person.mkdir('/copy/target');
    assert.equal((await user.run(['cp', '/copy/a.txt', '/copy/target'])).code, 0);
    assert.equal((await user.run(['cp', '/copy/a.txt', '/copy/b.txt'])).code, 0);
    assert.equal((await user.run(['cp', '/copy/a.txt', '/copy/target/c.txt'])).code, 0);
    assert.deepEqual(await person.names('/copy'), ['target', 'a.txt', 'b.txt']);
    assert.deepEqual(await person.names('/copy/target'), ['a.txt', 'c.txt']);
  });

  test('delete into the bin, and restore the latest deletion', async () => {
    await person.upload('/gone.txt', 'old');
    assert.equal((await user.run(['rm', '/gone.txt', '/missing'])).code, 4);
    assert.equal((await user.run(['rm', '/gone.txt'])).code, 0);
    await person.upload('/gone.txt', 'new');
    service.clock.advance(1_000);
    assert.equal((await user.run(['rm', '/gone.txt'])).code, 0);
    assert.match((await user.run(['bin', 'list'])).out, /gone\.txt\n.*gone\.txt\n/);
    assert.equal((await user.run(['bin', 'restore', '/gone.txt'])).out, '/gone.txt\n');
    assert.equal((await user.run(['cat', '/gone.txt'])).out, 'new');
    assert.notEqual((await user.run(['bin', 'restore', '/gone.txt'])).code, 0);
    const beside = await user.run(['bin', 'restore', '--on-conflict', 'rename', '/gone.txt']);
    assert.equal(beside.out, '/gone (2).txt\n');
    assert.equal((await user.run(['rm', '/gone (2).txt'])).code, 0);
    assert.equal((await user.run(['bin', 'empty'], ['n'])).code, 0);
    assert.match((await user.run(['bin', 'list'])).out, /gone \(2\)\.txt/);
    assert.equal((await user.run(['bin', 'empty', '--yes'])).code, 0);
    assert.equal((await user.run(['bin', 'list'])).out, '');
  });
});

describe('holdall share, link, send and receive', () => {
  test('create links that anyone can open', async () => {
    const file = await person.upload('/shared/a.txt', 'shared');
    const { out } = await user.run(['share', file.path, '--expires', '7d', '--max-downloads', '1']);
    const [, token] = /\/s\/(\S+)\n$/.exec(out) ?? [];
    const response = await service.anonymous.fetch('GET', `/api/v2/shares/${token}?download`);
    assert.equal(await response.text(), 'shared');
    const protectedLink = await user.run(
      ['link', '/shared', '--mode', 'both', '--password'],
      ['secret word'],
    );
    const [, linkToken] = /\/f\/(\S+)\n$/.exec(protectedLink.out) ?? [];
    const info = await service.anonymous.ask<object>('GET', `/api/v2/folder-links/${linkToken}`);
    assert.ok('passwordRequired' in info && info.passwordRequired === true);
  });

  test('suggest the right command for a file or directory', async () => {
    await person.upload('/kinds/a.txt', 'a');
    assert.match((await user.run(['share', '/kinds'])).notes, /use "holdall link"/);
    assert.match((await user.run(['link', '/kinds/a.txt'])).notes, /use "holdall share"/);
    assert.equal((await user.run(['share', '/kinds/a.txt', '--expires', 'soon'])).code, 2);
  });

  test('store files, and receive them by code', async () => {
    await writeFile(user.at('one.txt'), 'one');
    await writeFile(user.at('empty'), '');
    const sent = await user.run(['send', user.at('one.txt'), user.at('empty')]);
    assert.match(sent.out, /^[0-9A-Z]{6}\n$/);
    const received = await user.run(['receive', sent.out.trim().toLowerCase(), user.at('received')]);
    assert.equal(received.code, 0);
    assert.equal(await readFile(user.at('received', 'one.txt'), 'utf8'), 'one');
    await user.run(['receive', sent.out.trim(), user.at('received')]);
    assert.equal(await readFile(user.at('received', 'one (2).txt'), 'utf8'), 'one');
    assert.equal((await user.run(['receive', '222222'])).code, 4);
  });
});

describe('holdall completion', () => {
  test('completes commands and options in bash', async () => {
    const { out } = await user.run(['completion', 'bash']);
    const complete = async (...words: readonly string[]) => {
      const script = `${out}\nCOMP_WORDS=(${words.join(' ')} '') COMP_CWORD=${words.length}; _holdall; echo "\${COMPREPLY[*]}"`;
      return (await promisify(execFile)('bash', ['-c', script])).stdout.trim().split(' ');
    };
    assert.ok((await complete('holdall')).includes('put'));
    assert.deepEqual(await complete('holdall', 'put'), ['--on-conflict', '--jobs', '--json']);
    assert.deepEqual(await complete('holdall', 'bin'), [
      'list',
      'restore',
      'empty',
      '--json',
      '--on-conflict',
      '--yes',
    ]);
  });

  test('supports zsh and fish, and rejects other shells', async () => {
    assert.match((await user.run(['completion', 'zsh'])).out, /bashcompinit/);
    assert.match((await user.run(['completion', 'fish'])).out, /-a put -d 'upload/);
    assert.equal((await user.run(['completion', 'ash'])).code, 2);
  });
});

describe('holdall watch', () => {
  test('prints changes until it is stopped', async () => {
    await person.mkdir('/watched');
    const end = new AbortController();
    const ready = Promise.withResolvers<void>();
    const onPrint = (line: string) => {
      const { kind } = JSON.parse(line);
      if (kind === 'ready') ready.resolve();
      if (kind === 'change') end.abort();
    };
    const watching = user.run(['watch', '/watched'], [], { signal: end.signal, onPrint });
    await ready.promise;
    await person.mkdir('/watched/new');
    const { code, out } = await watching;
    assert.equal(code, 130);
    const [, second = ''] = out.split('\n');
    assert.equal(JSON.parse(second).change.toPath, '/watched/new');
  });
});
