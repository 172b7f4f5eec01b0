// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { startHoldall } from '../../server/test/support/app/holdall.ts';
import type { Person } from '../../server/test/support/app/person.ts';
import { createSharedDrive, inDrive } from '../../server/test/support/drives/shared-drives.ts';
import { CommandLine } from './command-line.ts';

const service = await startHoldall();
const user = await CommandLine.create(service);
const ann = await service.register('ann');

/** A new shared drive of Ann, in which the user has a role. */
async function newDrive(name: string, role: 'VIEWER' | 'EDITOR' | 'MANAGER' = 'EDITOR') {
  const members = [[ann, 'MANAGER'] as const, [user.person, role] as const];
  const id = await createSharedDrive(service, members, { name });
  return { id, drive: inDrive(ann, id) };
}

/** Runs a command that must succeed, and returns its output. */
async function run(...words: readonly string[]): Promise<string> {
  const { code, out, notes } = await user.run(words);
  assert.equal(code, 0, notes);
  return out;
}

async function pathsIn(drive: Person): Promise<readonly string[]> {
  return (await drive.tree('/')).map(({ path }) => path).toSorted();
}

describe('holdall drives', () => {
  test('lists the drives with role and usage', async () => {
    const { id } = await newDrive('Listed', 'VIEWER');
    const out = await run('drives');
    assert.match(out, /^ *\d+ {2}MANAGER +1 member +.* of .* {2}\(personal\)$/m);
    assert.match(out, new RegExp(`^ *${id} {2}VIEWER +2 members +0 B of .* {2}Listed$`, 'm'));
    const [personal] = (await run('drives', '--json')).trim().split('\n');
    assert.equal(JSON.parse(personal ?? '').kind, 'PERSONAL');
  });
});

describe('a path of a shared drive', () => {
  test('is accepted by every command that takes a path', async () => {
    const { id, drive } = await newDrive('Café');
    await writeFile(user.at('a.txt'), 'content of a');
    await run('mkdir', 'drive:Café/Plans');
    await run('put', user.at('a.txt'), 'drive:Cafe\u0301/Plans');
    assert.deepEqual(await pathsIn(drive), ['/Plans', '/Plans/a.txt']);
    assert.equal(await run('ls', `drive:${id}/Plans`), 'a.txt\n');
    assert.equal(await run('ls', `drive:Café (${id})`), 'Plans/\n');
    assert.match(await run('tree', 'drive:Café'), /^drive:Café\n└── Plans\/\n/);
    assert.equal(await run('cat', 'drive:Café/Plans/a.txt'), 'content of a');
    await run('get', 'drive:Café/Plans', user.at('got'));
    assert.equal(await readFile(user.at('got', 'a.txt'), 'utf8'), 'content of a');
    const [, token] = /\/s\/(\S+)\n$/.exec(await run('share', 'drive:Café/Plans/a.txt')) ?? [];
    const shared = await service.anonymous.fetch('GET', `/api/v2/shares/${token}?download`);
    assert.equal(await shared.text(), 'content of a');
    assert.match(await run('link', 'drive:Café/Plans'), /\/f\/\S+\n$/);
    await run('rm', 'drive:Café/Plans/a.txt');
    assert.match(await run('bin', 'list', 'drive:Café'), /\/Plans\/a\.txt\n$/);
    assert.equal(await run('bin', 'list'), '');
    assert.equal(await run('bin', 'restore', 'drive:Café/Plans/a.txt'), '/Plans/a.txt\n');
    assert.equal((await user.run(['bin', 'list', 'drive:Café/Plans'])).code, 2);
  });

  test('may be in several drives at once', async () => {
    const [one, two] = [await newDrive('One'), await newDrive('Two')];
    await one.drive.upload('/1.txt', '1');
    await two.drive.upload('/2.txt', '2');
    assert.equal(await run('cat', 'drive:One/1.txt', 'drive:Two/2.txt'), '12');
    await mkdir(user.at('both'));
    await run('get', 'drive:One/1.txt', 'drive:Two/2.txt', user.at('both'));
    assert.deepEqual((await readdir(user.at('both'))).toSorted(), ['1.txt', '2.txt']);
    await run('rm', 'drive:One/1.txt', 'drive:Two/2.txt');
    assert.deepEqual([await pathsIn(one.drive), await pathsIn(two.drive)], [[], []]);
  });

  test('needs a drive that exists, and only one', async () => {
    const first = await newDrive('Twice');
    const second = await newDrive('Twice');
    const ambiguous = await user.run(['ls', 'drive:Twice']);
    assert.equal(ambiguous.code, 2);
    for (const { id } of [first, second]) assert.match(ambiguous.notes, new RegExp(`"Twice" \\(id ${id}\\)`));
    assert.equal(await run('ls', `drive:${second.id}`), '');
    const unknown = await user.run(['ls', 'drive:Nowhere/a']);
    assert.equal(unknown.code, 4);
    assert.match(unknown.notes, /There is no drive "Nowhere"\. "holdall drives" lists yours\./);
    assert.equal((await user.run(['ls', 'drive:/a'])).code, 2);
    const id = await createSharedDrive(service, [[ann, 'MANAGER']], { name: 'Of others' });
    assert.equal((await user.run(['ls', `drive:${id}`])).code, 4);
  });

  test('is refused together with a name that is the id of another drive', async () => {
    const { id } = await newDrive('Number');
    await newDrive(`${id}`);
    const { code, notes } = await user.run(['ls', `drive:${id}`]);
    assert.equal(code, 2, notes);
    assert.match(notes, /"Number"/);
    assert.equal(await run('ls', `drive:Number (${id})`), '');
  });

  test('shows what the role does not allow', async () => {
    const { drive } = await newDrive('Read me', 'VIEWER');
    await drive.upload('/a.txt', 'a');
    assert.equal(await run('cat', 'drive:Read me/a.txt'), 'a');
    const { code, notes } = await user.run(['rm', 'drive:Read me/a.txt']);
    assert.equal(code, 1);
    assert.match(notes, /Your role in this drive does not allow this\./);
    const edited = await newDrive('Edit me');
    await edited.drive.upload('/a.txt', 'a');
    await run('rm', 'drive:Edit me/a.txt');
    const purged = await user.run(['bin', 'empty', 'drive:Edit me', '--yes']);
    assert.equal(purged.code, 1);
    assert.match(purged.notes, /Your role in this drive does not allow this\./);
  });

  test('does not resume an upload of the same path in another drive', async () => {
    const { drive } = await newDrive('Fresh');
    await writeFile(user.at('large.bin'), new Uint8Array(600_000).fill(1));
    const end = new AbortController();
    const onProgress = () => end.abort();
    await user.run(['put', user.at('large.bin'), '/'], [], { signal: end.signal, onProgress });
    await run('put', user.at('large.bin'), 'drive:Fresh');
    assert.deepEqual(await pathsIn(drive), ['/large.bin']);
  });

  test('is watched', async () => {
    const { drive } = await newDrive('Watched');
    const end = new AbortController();
    const ready = Promise.withResolvers<void>();
    const onPrint = (line: string) => {
      const { kind } = JSON.parse(line);
      if (kind === 'ready') ready.resolve();
      if (kind === 'change') end.abort();
    };
    const watching = user.run(['watch', 'drive:Watched'], [], { signal: end.signal, onPrint });
    await ready.promise;
    await drive.mkdir('/new');
    const lines = (await watching).out.trim().split('\n');
    assert.equal(JSON.parse(lines.at(-1) ?? '').change.toPath, '/new');
  });
});

describe('holdall cp and mv between two drives', () => {
  test('copy and move, also under another name', async () => {
    const { drive } = await newDrive('Target');
    await user.person.upload('/from/a.txt', 'a');
    await user.person.upload('/from/b.txt', 'b');
    await run('cp', '/from/a.txt', 'drive:Target');
    await run('cp', '/from/a.txt', 'drive:Target/copy.txt');
    await run('mv', '/from/b.txt', 'drive:Target/moved.txt');
    assert.deepEqual(await pathsIn(drive), ['/a.txt', '/copy.txt', '/moved.txt']);
    assert.equal(await run('ls', '/from'), 'a.txt\n');
    await run('mv', 'drive:Target/moved.txt', 'drive:Target/copy.txt', '/from');
    assert.equal(await run('ls', '/from'), 'a.txt\ncopy.txt\nmoved.txt\n');
    assert.equal(await run('cat', '/from/moved.txt'), 'b');
    await run('mv', 'drive:Target/a.txt', 'drive:Target/renamed.txt');
    assert.deepEqual(await pathsIn(drive), ['/renamed.txt']);
  });

  test('leave everything as it was if the name is taken', async () => {
    const { drive } = await newDrive('Taken');
    await drive.upload('/b.txt', 'old');
    await user.person.upload('/taken/a.txt', 'a');
    await user.person.upload('/taken/b.txt', 'b');
    for (const command of ['cp', 'mv']) {
      assert.equal((await user.run([command, '/taken/a.txt', 'drive:Taken/b.txt'])).code, 5);
      assert.equal((await user.run([command, '/taken/b.txt', 'drive:Taken'])).code, 5);
    }
    assert.equal(await run('ls', '/taken'), 'a.txt\nb.txt\n');
    assert.deepEqual(await pathsIn(drive), ['/b.txt']);
    await run('mv', '--on-conflict', 'rename', '/taken/b.txt', 'drive:Taken');
    assert.deepEqual(await pathsIn(drive), ['/b (2).txt', '/b.txt']);
    await run('mv', '--on-conflict', 'replace', '/taken/a.txt', 'drive:Taken/b.txt');
    assert.equal(await run('cat', 'drive:Taken/b.txt'), 'a');
  });
});
