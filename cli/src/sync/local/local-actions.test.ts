// tier: default
// needs: process
// The tests fake the names that the file system reports for a directory.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { IgnoreRules } from '../rules/ignore-rules.ts';
import { PathMap } from '../rules/path-map.ts';
import { LocalActions } from './local-actions.ts';
import { LocalTree } from './local-tree.ts';

let listed = 0;
/** How the disk spells a name. */
let spell = (name: string) => name;

const { readdirSync } = fs;
const writable: { readdirSync: unknown } = fs;
writable.readdirSync = (file: string, ...rest: readonly []) => {
  listed += 1;
  return readdirSync(file, ...rest).map(spell);
};
syncBuiltinESMExports();

const root = fs.mkdtempSync(path.join(tmpdir(), 'holdall-local-actions-'));
const tree = new LocalTree(root, {
  rules: IgnoreRules.parse(undefined),
  known: { base: new PathMap(), remote: { entries: new PathMap() }, mountPoints: new Set() },
  reports: { onSkipped: () => undefined, onFailed: () => undefined },
});
const actions = new LocalActions(tree);

after(() => {
  Object.assign(writable, { readdirSync });
  syncBuiltinESMExports();
  fs.rmSync(root, { recursive: true, force: true });
});

beforeEach(() => {
  listed = 0;
  spell = (name) => name;
});

test('many directories can be created in one parent without listing it each time', () => {
  for (let number = 0; number < 100; number += 1) actions.makeDirectory(`directory ${number}`);
  assert.equal(tree.entries.size, 100);
  assert.equal(listed, 0);
});

test('an existing directory whose name differs in case is not mistaken for the new one', () => {
  fs.mkdirSync(path.join(root, 'photos'));
  spell = (name) => name.replace('photos', 'Photos');
  assert.throws(() => actions.makeDirectory('photos'), /upper and lower case only/);
  assert.equal(tree.entries.get('photos'), undefined);
});

test('creating a directory fails if the disk would truncate its name', () => {
  spell = (name) => name.replace(/[. ]+$/, '');
  assert.throws(() => actions.makeDirectory('etc.'), /does not keep a blank or a full stop/);
  assert.equal(tree.entries.get('etc.'), undefined);
});

test('a directory is deleted if it contains only the files of an interrupted download', async () => {
  actions.makeDirectory('downloads');
  const directory = path.join(root, 'downloads');
  const part = path.join(directory, '.holdall-0123456789abcdef.part');
  fs.writeFileSync(part, 'the first bytes');
  fs.writeFileSync(`${part}.etag`, '"1"');
  const known = tree.entries.get('downloads');
  assert.ok(known);
  // A lock is a dangling symbolic link.
  const lock = (pid: number) => fs.symlinkSync(`${pid} token`, `${part}.lock`);
  lock(process.ppid);
  assert.equal(await actions.delete('downloads', known, IgnoreRules.parse(undefined)), false);
  assert.equal(fs.readFileSync(part, 'utf8'), 'the first bytes');
  fs.unlinkSync(`${part}.lock`);
  lock(spawnSync(process.execPath, ['--version']).pid);
  assert.equal(await actions.delete('downloads', known, IgnoreRules.parse(undefined)), true);
  assert.equal(fs.existsSync(directory), false);
});
