// tier: default
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { confinementOf } from './confinement.ts';

const options = confinementOf();

/** Runs a script in a confined process, and returns what it prints. */
function run(script: string, nodeOptions: readonly string[] = options): string {
  const { stdout, stderr } = spawnSync(process.execPath, [...nodeOptions, '-e', script], {
    encoding: 'utf8',
  });
  assert.ok(!/Error/.test(stderr), stderr);
  return stdout.trim();
}

const ATTEMPTS = `
  const fs = require('node:fs');
  const { execSync } = require('node:child_process');
  const attempts = {
    'other files': () => fs.readFileSync('/etc/hostname'),
    'the environment of the service': () => fs.readFileSync('/proc/' + process.ppid + '/environ'),
    'a new file': () => fs.writeFileSync(${JSON.stringify(`${import.meta.dirname}/never-written`)}, ''),
    'our code': () => fs.writeFileSync(${JSON.stringify(import.meta.filename)}, ''),
    'a process': () => execSync('true'),
    'native code': () => process.dlopen({ exports: {} }, '/lib/none.node'),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      attempt();
      console.log(name);
    } catch (error) {
      if (!/^ERR_(?:ACCESS_DENIED|DLOPEN_DISABLED)$/.test(error.code)) console.log(name, error.code);
    }
  }
  fs.readFileSync(${JSON.stringify(import.meta.filename)});
  console.log('done');`;

test('a text process can neither read other files nor write any, nor start anything', () => {
  assert.equal(run(ATTEMPTS), 'done');
});

test('a process with a native library may load native code, and nothing else', () => {
  const native = confinementOf({ hasNativeCode: true });
  assert.equal(run(ATTEMPTS, native), 'native code ERR_DLOPEN_FAILED\ndone');
});

test('a thread of a text process cannot start another one, which could have other permissions', () => {
  const script = `
    (async () => {
      const { confineThread } = await import(${JSON.stringify(new URL('./confinement.ts', import.meta.url))});
      confineThread();
      const { Worker } = await import('node:worker_threads');
      console.log(Worker, require('node:worker_threads').Worker, typeof fetch);
    })();`;
  assert.equal(run(script), 'undefined undefined undefined');
});
