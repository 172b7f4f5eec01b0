// tier: default
// needs: browser
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { findChromium } from './chromium.ts';

test('findChromium finds a Chromium', async () => {
  const { stdout } = spawnSync(await findChromium(), ['--version'], { encoding: 'utf8' });
  assert.match(stdout, /^Chromium \d+\./);
});
