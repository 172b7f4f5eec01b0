// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toModule } from '../source/source-module.ts';
import { findClientFaults } from './client-rules.ts';

function faultsOf(...files: readonly (readonly [path: string, text: string])[]): string {
  return findClientFaults(files.map(([path, text]) => toModule(`client/src/${path}`, text))).join('\n');
}

test('the library imports nothing but itself', () => {
  const server = "import type { User } from '../../../server/src/app/contract.ts';";
  assert.match(faultsOf(['parts/account.ts', server]), /only what is in client\/src/);
  assert.match(faultsOf(['parts/account.ts', "import ky from 'ky';"]), /has no dependencies/);
});

test('only the part for Node.js imports from it', () => {
  const text = "import { readFile } from 'node:fs/promises';";
  assert.match(faultsOf(['uploads/uploads.ts', text]), /only client\/src\/node/);
  assert.equal(faultsOf(['node/files.ts', text]), '');
});

test('files import from lower floors, and not in a ring', () => {
  assert.match(faultsOf(['errors/errors.ts', "import { a } from '../requests/a.ts';"]), /higher floor/);
  assert.match(faultsOf(['events/events.ts', "import { a } from '../uploads/a.ts';"]), /same floor/);
  assert.match(
    faultsOf(['events/a.ts', "import { b } from './b.ts';"], ['events/b.ts', "import { a } from './a.ts';"]),
    /in a ring/,
  );
  assert.match(faultsOf(['games/chess.ts', '']), /in no row/);
});
