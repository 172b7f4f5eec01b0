import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCycles } from './cycles.ts';
import { findImportFaults } from './import-rules.ts';
import { toModule } from './source-module.ts';

/** A house that keeps every rule; each case below adds to it. */
const HOUSE: Readonly<Record<string, string>> = {
  'src/base/failure.ts': '',
  'src/database/database.ts': `import { sql } from 'kysely'; import pg from 'pg';`,
  'src/storage/object-store.ts': `import '../base/failure.ts';`,
  'src/storage/s3/s3.ts': `import { S3Client } from '@aws-sdk/client-s3'; import '../object-store.ts';`,
  'src/http/server.ts': `import fastify from 'fastify'; import cors from '@fastify/cors';`,
  'src/settings/settings.ts': `import '../database/database.ts';`,
  'src/blobs/blobs.ts': `import '../settings/settings.ts'; import './queries.ts'; import 'node:crypto';`,
  'src/blobs/queries.ts': `import { sql } from 'kysely';`,
  'src/events/events.ts': '',
  'src/drive/drive.ts': `import '../blobs/blobs.ts';`,
  'src/drive/contract.ts': '',
  'src/shares/shares.ts': `import '../drive/drive.ts';`,
  'src/shares/contract.ts': `import '../drive/contract.ts';`,
  'src/shares/share-routes.ts': `import { FastifyInstance } from 'fastify'; import '../drive/contract.ts';`,
  'src/tasks/tasks.ts': '',
  'src/admin/overview.ts': `import '../shares/contract.ts'; import '../tasks/tasks.ts';`,
  'src/app/app.ts': `import 'fastify'; import '../shares/share-routes.ts'; import '../../package.json';`,
  'src/app/run.ts': `import './app.ts';`,
  'src/app/contract.ts': `export type * from '../drive/contract.ts';`,
  'src/main.ts': `const { run } = await import('./app/run.ts');`,
  'src/cli/command.ts': `import '../app/app.ts';`,
  'src/http/server.test.ts': `import 'fast-check'; import '../../test/support/app/person.ts'; import './server.ts';`,
};

const INSTALLED = ['fastify', '@fastify/cors', 'kysely', 'pg', 'better-sqlite3', '@aws-sdk/client-s3'];

test('a house that keeps the rules has no fault', () => {
  assert.deepEqual(faultsOf({}), []);
});

const CASES: readonly [string, string, string, RegExp][] = [
  [
    'an import of a higher floor',
    'src/drive/tree.ts',
    `import '../shares/shares.ts';`,
    /higher floor than drive/,
  ],
  [
    'one for its type too',
    'src/base/x.ts',
    `import type { A } from '../drive/drive.ts';`,
    /higher floor than base/,
  ],
  [
    'an import of the roof',
    'src/drive/tree.ts',
    `import { a } from '../app/app.ts';`,
    /app lies on a higher floor/,
  ],
  ['an import sideways', 'src/shares/x.ts', `import '../tasks/tasks.ts';`, /lie on one floor/],
  ['one sideways on the first floor', 'src/http/x.ts', `import '../storage/s3/s3.ts';`, /lie on one floor/],
  [
    'a look behind the face',
    'src/shares/x.ts',
    `import '../drive/contract.ts';`,
    /its face drive\/drive\.ts only/,
  ],
  [
    'the queries of another',
    'src/drive/x-queries.ts',
    `import '../blobs/queries.ts';`,
    /face blobs\/blobs\.ts only/,
  ],
  ['a folder without a floor', 'src/extras/extras.ts', '', /folder extras is in no row/],
  ['a stray file in src', 'src/extras.ts', '', /extras\.ts does not belong/],
  ['Fastify in a feature', 'src/drive/x.ts', `import type { A } from 'fastify';`, /Fastify appears in/],
  ['a plugin of it', 'src/drive/x.ts', `import '@fastify/cors';`, /Fastify appears in/],
  ['Fastify in a file that only sounds right', 'src/drive/app.ts', `import 'fastify';`, /Fastify appears in/],
  ['Kysely outside of queries', 'src/drive/tree.ts', `import { sql } from 'kysely';`, /Kysely appears in/],
  ['an engine outside of the database', 'src/drive/queries.ts', `import pg from 'pg';`, /which engine runs/],
  ['the other engine', 'src/storage/x.ts', `import 'better-sqlite3';`, /which engine runs/],
  ['the S3 SDK elsewhere', 'src/storage/x.ts', `import '@aws-sdk/client-s3';`, /storage\/s3\/ only/],
  ['a package that is not installed', 'src/http/x.ts', `import 'fast-check';`, /not among the dependencies/],
  ['a computed import', 'src/drive/x.ts', 'await import(name);', /something computed/],
  ['a file that is not there', 'src/drive/x.ts', `import './nothing.ts';`, /no such file/],
  [
    'a file outside of src',
    'src/drive/x.ts',
    `import '../../test/support/app/person.ts';`,
    /outside of server\/src/,
  ],
  ['a test that looks up', 'src/drive/x.test.ts', `import '../shares/shares.ts';`, /higher floor/],
  [
    'a value in the contract',
    'src/app/contract.ts',
    `import { a } from '../drive/contract.ts';`,
    /holds types only/,
  ],
  [
    'a ring of files',
    'src/blobs/queries.ts',
    `import './blobs.ts';`,
    /ring: .*blobs\.ts → .*queries\.ts → .*blobs\.ts/,
  ],
];

for (const [what, path, text, fault] of CASES) {
  test(`${what} is a fault that names the file`, () => {
    const faults = faultsOf({ [path]: text });
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.match(faults[0] ?? '', fault);
    assert.ok(faults[0]?.includes(`${path}`));
  });
}

test('a fault names line, import and rule', () => {
  assert.deepEqual(faultsOf({ 'src/base/x.ts': `\nimport '../drive/drive.ts';` }), [
    'server/src/base/x.ts:2 imports "../drive/drive.ts": drive lies on a higher floor than base.',
  ]);
});

test('rings are found whatever leads into them', () => {
  const graph = { lead: ['a'], a: ['b', 'd'], b: ['c'], c: ['a'], d: [], alone: ['alone'] };
  assert.deepEqual(findCycles(new Map(Object.entries(graph))), [
    ['a', 'b', 'c', 'a'],
    ['alone', 'alone'],
  ]);
});

function faultsOf(added: Readonly<Record<string, string>>): string[] {
  const modules = Object.entries({ ...HOUSE, ...added }).map(([path, text]) => toModule(path, text));
  return findImportFaults(modules, INSTALLED);
}
