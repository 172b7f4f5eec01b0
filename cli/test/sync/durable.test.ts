// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import fs, { fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { after, test } from 'node:test';
import { startHoldall } from '../../../server/test/support/app/holdall.ts';
import { DisturbedPair } from './disturbed-pair.ts';

const service = await startHoldall();

/** The inodes that were flushed to the disk. */
const synced = new Set<number>();

const { fsyncSync } = fs;
fs.fsyncSync = (file) => {
  synced.add(fstatSync(file).ino);
  fsyncSync(file);
};
syncBuiltinESMExports();
const handle = await open(import.meta.filename);
const prototype = Object.getPrototypeOf(handle) as FileHandle;
await handle.close();
const { sync } = prototype;
prototype.sync = async function (this: FileHandle) {
  synced.add((await this.stat()).ino);
  await sync.call(this);
};
after(() => {
  fs.fsyncSync = fsyncSync;
  syncBuiltinESMExports();
  prototype.sync = sync;
});

test('a sync flushes the directories of new files before it stores its state', async () => {
  const pair = await DisturbedPair.create(service);
  const inode = (file: string) => fs.statSync(pair.at(file)).ino;
  await pair.sync();
  await pair.person.upload('/pair/made/deep/a.txt', 'a');
  const unsafe: string[] = [];
  await pair.sync({
    change: (parts) => {
      const { state } = parts;
      const setBase = state.setBase.bind(state);
      state.setBase = (entryPath, entry) => {
        if (!synced.has(inode(path.dirname(entryPath)))) unsafe.push(entryPath);
        setBase(entryPath, entry);
      };
      return parts;
    },
  });
  assert.equal(pair.read('made/deep/a.txt'), 'a');
  assert.deepEqual(unsafe, []);
  const { id } = await pair.find('made/deep/a.txt');
  await pair.person.ask('PATCH', `/api/files/${id}/move`, { body: { path: '/pair' } });
  synced.clear();
  await pair.sync();
  assert.equal(pair.read('a.txt'), 'a');
  assert.ok(synced.has(inode('')) && synced.has(inode('made/deep')));
});
