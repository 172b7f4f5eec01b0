// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { DriveRole } from '../../../server/src/base/domain/drives.ts';
import { startHoldall } from '../../../server/test/support/app/holdall.ts';
import { addMember, removeMember, setRole } from '../../../server/test/support/drives/members.ts';
import {
  createSharedDrive,
  DRIVES,
  deleteDrive,
  inDrive,
  restoreDrive,
} from '../../../server/test/support/drives/shared-drives.ts';
import { inFull } from '../../../tools/testing/tiers.ts';
import { CommandLine, type RunOptions } from '../command-line.ts';
import { CommandPair } from './pair.ts';

const service = await startHoldall({ eventBeatMs: 100 });
const user = await CommandLine.create(service);
const ann = await service.register('ann');

/** A directory on disk, and one in a shared drive of Ann, in which the user is a member. */
class SharedPair extends CommandPair {
  static #count = 0;
  readonly id: number;
  /** The name of the drive. */
  name: string;

  private constructor(id: number, name: string) {
    super(user, inDrive(ann, id), user.at(name), '/dir');
    this.id = id;
    this.name = name;
  }

  static async create(role: DriveRole = 'EDITOR'): Promise<SharedPair> {
    SharedPair.#count += 1;
    const name = `pair-${SharedPair.#count}`;
    const members = [[ann, 'MANAGER'] as const, [user.person, role] as const];
    const pair = new SharedPair(await createSharedDrive(service, members, { name }), name);
    await pair.person.mkdir(pair.remote);
    return pair;
  }

  /** A pair that is in sync, with these files. */
  static async synced(files: Readonly<Record<string, string>>): Promise<SharedPair> {
    const pair = await SharedPair.create();
    pair.writeAll(files);
    await pair.syncWell('--two-way');
    return pair;
  }

  override get typedRemote(): string {
    return `drive:${this.name}${this.remote}`;
  }

  watch(options: RunOptions) {
    return user.run(['sync', this.local, this.typedRemote, '--two-way', '--watch'], [], options);
  }

  setRole(role: DriveRole) {
    return setRole(ann, this.id, user.person, role);
  }

  /** The files on disk with their contents, without directories. */
  localFiles(): Record<string, string> {
    return filesOf(this.localTree());
  }

  async remoteFiles(): Promise<Record<string, string>> {
    return filesOf(await this.remoteTree());
  }
}

function filesOf(tree: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).filter(([file]) => !file.endsWith('/')));
}

describe('holdall sync with a shared drive', () => {
  test('syncs both ways, and continues after the drive was renamed', async () => {
    const pair = await SharedPair.synced({ 'a.txt': 'a', 'sub/b.txt': 'b' });
    assert.deepEqual(await pair.remoteFiles(), pair.localFiles());
    await pair.edit('a.txt', 'edited');
    rmSync(pair.at('sub/b.txt'));
    pair.name = `${pair.name} renamed`;
    await ann.ask('PATCH', `${DRIVES}/${pair.id}`, { body: { name: pair.name } });
    await pair.syncWell('--two-way');
    assert.deepEqual(pair.localFiles(), { 'a.txt': 'edited' });
    assert.deepEqual(await pair.remoteFiles(), { 'a.txt': 'edited' });
  });

  test('creates the directory in the drive', async () => {
    const pair = await SharedPair.create();
    pair.write('a.txt', 'a');
    assert.equal((await user.run(['sync', pair.local, `drive:${pair.id}/new/one`])).code, 0);
    assert.ok((await pair.person.tree('/')).some((record) => record.path === '/new/one/a.txt'));
    assert.ok(!(await user.person.tree('/')).some((record) => record.path === '/new'));
  });

  test('rejects a path of a drive as the directory on this computer', async () => {
    assert.equal((await user.run(['sync', 'drive:Team/a', '/a', '--two-way'])).code, 2);
  });
});

describe('a sync whose role has become VIEWER', () => {
  test('only downloads, loses nothing, and uploads once the role allows it', async () => {
    const pair = await SharedPair.synced({
      ...{ 'edited here.txt': '1', 'edited there.txt': '2', 'edited twice.txt': '3', 'moved here.txt': '4' },
      ...{ 'deleted here.txt': '5', 'deleted there.txt': '6', 'moved/there.txt': '7' },
    });
    await pair.setRole('VIEWER');
    pair.write('edited here.txt', 'here');
    pair.write('edited twice.txt', 'here');
    pair.write('new here.txt', 'here');
    renameSync(pair.at('moved here.txt'), pair.at('moved.txt'));
    rmSync(pair.at('deleted here.txt'));
    await pair.edit('edited there.txt', 'there');
    await pair.edit('edited twice.txt', 'there');
    await pair.recycle('deleted there.txt');
    await pair.person.upload('/dir/new there.txt', 'there');
    const { id } = await pair.find('moved');
    await pair.person.ask('PATCH', `/api/files/${id}/rename`, { body: { filename: 'moved there' } });
    const before = await pair.remoteFiles();

    const { code, notes } = await pair.sync('--two-way');
    assert.equal(code, 1);
    assert.match(notes, new RegExp(`Your role in the drive "${pair.name}" is VIEWER: changes on this`));
    assert.match(notes, /^6 changes on this computer are not uploaded\. Your role .* is VIEWER\.$/m);
    assert.doesNotMatch(notes, /does not allow this/);
    assert.deepEqual(await pair.remoteFiles(), before);
    const { 'edited twice.txt': winner, ...others } = pair.localFiles();
    assert.equal(winner, 'there');
    const conflict = Object.keys(others).find((file) => /^edited twice \(conflict /.test(file)) ?? '';
    assert.deepEqual(others, {
      ...{ 'edited here.txt': 'here', 'edited there.txt': 'there', [conflict]: 'here' },
      ...{ 'moved there/there.txt': '7', 'moved.txt': '4', 'new here.txt': 'here', 'new there.txt': 'there' },
    });
    const again = pair.localFiles();
    assert.equal((await pair.sync('--two-way')).code, 1);
    assert.deepEqual(pair.localFiles(), again);

    const moved = await pair.find('moved here.txt');
    await pair.setRole('EDITOR');
    await pair.syncWell('--two-way');
    assert.deepEqual(pair.localFiles(), again);
    assert.deepEqual(await pair.remoteFiles(), again);
    assert.equal((await pair.find('moved.txt')).id, moved.id);
  });

  test('succeeds if nothing has changed on this computer', async () => {
    const pair = await SharedPair.synced({ 'a.txt': 'a' });
    await pair.setRole('VIEWER');
    await pair.person.upload('/dir/b.txt', 'b');
    assert.doesNotMatch(await pair.syncWell('--two-way'), /not uploaded\. /);
    assert.deepEqual(pair.localFiles(), { 'a.txt': 'a', 'b.txt': 'b' });
  });

  test('changes nothing one way', async () => {
    const pair = await SharedPair.synced({ 'a.txt': 'a', 'b.txt': 'b' });
    await pair.setRole('VIEWER');
    pair.write('c.txt', 'c');
    rmSync(pair.at('b.txt'));
    const { code, notes } = await pair.sync('--delete');
    assert.equal(code, 1);
    assert.match(notes, /^2 changes on this computer are not uploaded/m);
    assert.deepEqual(await pair.remoteFiles(), { 'a.txt': 'a', 'b.txt': 'b' });
  });

  test('lists what would be uploaded as JSON', async () => {
    const pair = await SharedPair.create('VIEWER');
    pair.write('a.txt', 'a');
    const { out } = await pair.sync('--two-way', '--json');
    assert.deepEqual(JSON.parse(out), { action: 'hold-back', path: 'a.txt' });
  });

  test('says so once during a watch, and continues both ways as soon as the role allows it', async () => {
    const pair = await SharedPair.synced({ 'a.txt': 'a' });
    const end = new AbortController();
    let notes = '';
    let onNote = Promise.withResolvers<void>();
    const until = async (pattern: RegExp) => {
      while (!pattern.test(notes)) await onNote.promise;
    };
    const watching = pair.watch({
      signal: end.signal,
      onNote: (line) => {
        notes += `${line}\n`;
        onNote.resolve();
        onNote = Promise.withResolvers();
      },
    });
    await until(/In sync/);
    await pair.setRole('VIEWER');
    await until(/is VIEWER: changes/);
    pair.write('b.txt', 'b');
    await until(/1 change on this computer is not uploaded/);
    pair.write('c.txt', 'c');
    await until(/2 changes on this computer are not uploaded/);
    assert.equal(notes.match(/is VIEWER: changes/g)?.length, 1);
    assert.deepEqual(await pair.remoteFiles(), { 'a.txt': 'a' });
    await pair.setRole('EDITOR');
    await until(/is EDITOR now\.[\s\S]*In sync/);
    assert.deepEqual(await pair.remoteFiles(), { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
    end.abort();
    await watching;
  });
});

describe('a sync whose drive is gone', () => {
  for (const [what, leave] of [
    ['deleted', (pair: SharedPair) => deleteDrive(ann, { id: pair.id, name: pair.name })],
    ['left by the user', (pair: SharedPair) => removeMember(ann, pair.id, user.person)],
  ] as const) {
    test(`stops and keeps everything if it was ${what}`, async () => {
      const pair = await SharedPair.synced({ 'a.txt': 'a', 'b.txt': 'b' });
      await leave(pair);
      const { code, notes } = await pair.sync('--two-way', '--allow-mass-deletion');
      assert.equal(code, 4);
      assert.match(notes, /There is no drive/);
      assert.deepEqual(pair.localFiles(), { 'a.txt': 'a', 'b.txt': 'b' });
    });

    test(`ends its watch and keeps everything if it was ${what}`, async () => {
      const pair = await SharedPair.synced({ 'a.txt': 'a', 'b.txt': 'b' });
      let isLeft = false;
      const watching = pair.watch({
        onNote: (line) => {
          if (line !== 'In sync.' || isLeft) return;
          isLeft = true;
          void leave(pair);
        },
      });
      const { code, notes } = await watching;
      assert.equal(code, 4);
      assert.match(notes, /was deleted, or you are no longer a member\. The sync has stopped\./);
      assert.deepEqual(pair.localFiles(), { 'a.txt': 'a', 'b.txt': 'b' });
    });
  }

  test('ends its process', inFull, async () => {
    const pair = await SharedPair.synced({ 'a.txt': 'a' });
    const main = path.join(import.meta.dirname, '..', '..', 'src', 'main.mjs');
    const words = [main, 'sync', pair.local, `drive:${pair.id}/dir`, '--two-way', '--watch'];
    const child = spawn(process.execPath, words, { env: user.env, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = once(child, 'exit');
    let notes = '';
    for await (const chunk of child.stderr.setEncoding('utf8')) {
      const wasInSync = notes.includes('In sync.');
      notes += chunk;
      if (!wasInSync && notes.includes('In sync.')) await removeMember(ann, pair.id, user.person);
    }
    assert.deepEqual(await ended, [4, null], notes);
  });

  test('continues when the drive was restored or joined again', async () => {
    const pair = await SharedPair.synced({ 'a.txt': 'a', 'b.txt': 'b' });
    await deleteDrive(ann, { id: pair.id, name: pair.name });
    assert.equal((await pair.sync('--two-way')).code, 4);
    await restoreDrive(ann, pair);
    await removeMember(ann, pair.id, user.person);
    await pair.recycle('b.txt');
    rmSync(pair.at('a.txt'));
    assert.equal((await pair.sync('--two-way')).code, 4);
    await addMember(ann, pair.id, { username: user.person.username, role: 'EDITOR' });
    await pair.syncWell('--two-way', '--allow-mass-deletion');
    assert.deepEqual(pair.localFiles(), {});
    assert.deepEqual(await pair.remoteFiles(), {});
    assert.ok(existsSync(pair.local));
  });
});
