// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNodeFault } from './node-version.ts';

test('a Node.js before 22.18 is rejected with a sentence', () => {
  for (const version of ['16.20.2', '20.20.2', '22.17.1', '22.6.0']) {
    assert.equal(findNodeFault(version), `Holdall needs Node.js 22.18 or newer; this is ${version}.`);
  }
});

test('Node.js 22.18 and later versions are accepted', () => {
  for (const version of ['22.18.0', '24.0.0', '24.21.0', '26.1.0']) {
    assert.equal(findNodeFault(version), undefined);
  }
});
