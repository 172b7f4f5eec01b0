// tier: default
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { DRIVE_COMMANDS } from '../src/drive-command-line.ts';

test('the Debian package runs all drive commands as the calling user', () => {
  const file = path.join(import.meta.dirname, '..', '..', 'tools', 'package', 'debian', 'holdall.sh');
  const [, names = ''] = /in\n +(login[^)]*)\)/.exec(readFileSync(file, 'utf8')) ?? [];
  const words = new Set(DRIVE_COMMANDS.map(({ name }) => name.split(' ')[0]));
  assert.deepEqual(names.split(' | '), [...words]);
});
