// tier: full
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { IgnoreRules } from '../rules/ignore-rules.ts';
import { PathMap } from '../rules/path-map.ts';
import { LocalTree } from './local-tree.ts';
import { LocalWatch } from './watch-local.ts';

const root = mkdtempSync(path.join(tmpdir(), 'holdall-watch-local-'));
const { signal } = new AbortController();
const rules = IgnoreRules.parse(undefined);
const tree = new LocalTree(root, {
  rules,
  known: { base: new PathMap(), remote: { entries: new PathMap() }, mountPoints: new Set() },
  reports: { onSkipped: () => undefined, onFailed: () => undefined },
});
const changed = new Set<string>();
const watch = new LocalWatch({
  local: tree,
  onChange: (entryPath) => changed.add(entryPath),
  onFault: assert.ifError,
});
after(() => {
  watch.close();
  rmSync(root, { recursive: true, force: true });
});

function write(file: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), 'content');
}

/** Has no timeout of its own, because the test runner ends a test that waits forever. */
async function waitForChange(entryPath: string): Promise<void> {
  while (!changed.has(entryPath)) await new Promise((resolve) => setTimeout(resolve, 5));
}

beforeEach(async () => {
  for (const name of ['dir', 'other']) rmSync(path.join(root, name), { recursive: true, force: true });
  write('dir/a.txt');
  watch.update();
  await tree.scan(rules, signal);
  watch.update();
  await new Promise((resolve) => setTimeout(resolve, 50));
  changed.clear();
});

test('a change just after a new directory was read is noticed', async () => {
  renameSync(path.join(root, 'dir'), path.join(root, 'other'));
  await tree.rescan(['dir', 'other'], signal);
  rmSync(path.join(root, 'other/a.txt'));
  await waitForChange('other/a.txt');
});

test('a directory created by the sync is read again when its watch starts', async () => {
  mkdirSync(path.join(root, 'other'));
  tree.refresh('other', 'other');
  watch.update();
  assert.ok(changed.has('other'));
});

test('a change in a directory that has replaced another one is noticed', async () => {
  renameSync(path.join(root, 'dir'), path.join(root, 'other'));
  write('dir/b.txt');
  await tree.rescan(['dir', 'other'], signal);
  watch.update();
  write('dir/c.txt');
  await waitForChange('dir/c.txt');
});
