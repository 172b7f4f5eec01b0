// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toModule } from '../source/source-module.ts';
import { findCommandLineFaults } from './command-line-rules.ts';

function faultsOf(...files: readonly (readonly [path: string, text: string])[]): string {
  return findCommandLineFaults(files.map(([path, text]) => toModule(`cli/src/${path}`, text))).join('\n');
}

test('the command line imports the face of the client library, and nothing inside it', () => {
  assert.equal(faultsOf(['commands/put.ts', "import { a } from '../../../client/src/client.ts';"]), '');
  assert.match(
    faultsOf(['commands/put.ts', "import { a } from '../../../client/src/uploads/uploads.ts';"]),
    /not for the command line/,
  );
});

test('the command line imports no package and no part of the service', () => {
  assert.match(faultsOf(['commands/put.ts', "import ora from 'ora';"]), /not for the command line/);
  assert.match(
    faultsOf(['commands/put.ts', "import { a } from '../../../server/src/drive/drive.ts';"]),
    /not for the command line/,
  );
  assert.equal(faultsOf(['commands/put.ts', "import { stat } from 'node:fs/promises';"]), '');
});

test('the folders of the sync do not import each other', () => {
  const ring = faultsOf(
    ['sync/local/a.ts', "import { b } from '../state/b.ts';"],
    ['sync/state/b.ts', ''],
    ['sync/state/c.ts', "import { d } from '../local/d.ts';"],
    ['sync/local/d.ts', ''],
  );
  assert.match(ring, /These folders import each other: cli\/src\/sync\/local → cli\/src\/sync\/state/);
});

test('the rules of the sync neither read nor write', () => {
  const faultOf = (text: string) => faultsOf(['sync/rules/decide.ts', text]);
  assert.match(faultOf("import { readFileSync } from 'node:fs';"), /rules neither read nor write/);
  assert.match(faultOf("import { a } from '../local/a.ts';"), /rules neither read nor write/);
  assert.equal(faultOf("import path from 'node:path';"), '');
});

test('files of the command line do not import each other in a ring', () => {
  const ring = faultsOf(['a.ts', "import { b } from './b.ts';"], ['b.ts', "import { a } from './a.ts';"]);
  assert.match(ring, /in a ring/);
});
