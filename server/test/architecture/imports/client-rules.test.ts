// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toModule } from '../source/source-module.ts';
import { findClientFaults } from './client-rules.ts';

function faultsOf(...files: readonly (readonly [path: string, text: string])[]): string {
  return findClientFaults(files.map(([path, text]) => toModule(`client/src/${path}`, text))).join('\n');
}

test('the client library imports only its own files', () => {
  const server = "import type { User } from '../../../server/src/app/contract.ts';";
  assert.match(faultsOf(['parts/account.ts', server]), /only what is in client\/src/);
  assert.match(faultsOf(['parts/account.ts', "import ky from 'ky';"]), /has no dependencies/);
});

test('only the folder for Node.js imports from Node.js', () => {
  const text = "import { readFile } from 'node:fs/promises';";
  assert.match(faultsOf(['uploads/uploads.ts', text]), /only client\/src\/node/);
  assert.equal(faultsOf(['node/files.ts', text]), '');
});

test('files of the client library import only from lower floors, and not in a ring', () => {
  assert.match(faultsOf(['errors/errors.ts', "import { a } from '../requests/a.ts';"]), /higher floor/);
  assert.match(faultsOf(['events/events.ts', "import { a } from '../uploads/a.ts';"]), /same floor/);
  assert.match(
    faultsOf(['events/a.ts', "import { b } from './b.ts';"], ['events/b.ts', "import { a } from './a.ts';"]),
    /in a ring/,
  );
  assert.match(faultsOf(['games/chess.ts', '']), /in no row/);
});
