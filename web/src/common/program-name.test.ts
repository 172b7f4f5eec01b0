// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProgramName } from './program-name.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';

test('browsers and systems are recognised although each browser claims to be others', () => {
  const names: Record<string, ReturnType<typeof findProgramName>> = {
    [`${WINDOWS} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`]: { program: 'Chrome', system: 'Windows' },
    [`${WINDOWS} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`]: { program: 'Edge', system: 'Windows' },
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': {
      program: 'Firefox',
      system: 'Linux',
    },
    [`Mozilla/5.0 (Linux; Android 16) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`]: {
      program: 'Chrome',
      system: 'Android',
    },
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile/15E Safari/604.1':
      { program: 'Safari', system: 'iPhone' },
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/18.0 Safari/605.1.15': {
      program: 'Safari',
      system: 'Mac',
    },
  };
  for (const [userAgent, name] of Object.entries(names)) {
    assert.deepEqual(findProgramName(userAgent), name, userAgent);
  }
});

test('other programs are named as they name themselves', () => {
  assert.deepEqual(findProgramName('curl/8.14.1'), { program: 'curl' });
  assert.deepEqual(findProgramName('node'), { program: 'node' });
  for (const nameless of [null, '', '???', ' ']) assert.equal(findProgramName(nameless), undefined);
});
