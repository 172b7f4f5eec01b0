// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toModule } from '../source/source-module.ts';
import { findCycles } from './cycles.ts';
import { findImportFaults } from './import-rules.ts';

/** A code base without faults. Each case below adds a file to it. */
const SOUND: Readonly<Record<string, string>> = {
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
  'src/main.mjs': `const { run } = await import('./app/run.ts');`,
  'src/cli/command.ts': `import '../app/app.ts';`,
  'src/http/server.test.ts': [
    `import 'fast-check'; import '../../../tools/testing/seed.ts';`,
    `import '../../test/support/app/person.ts'; import './server.ts';`,
  ].join('\n'),
};

const INSTALLED = ['fastify', '@fastify/cors', 'kysely', 'pg', 'better-sqlite3', '@aws-sdk/client-s3'];

test('a code base that follows the rules has no faults', () => {
  assert.deepEqual(faultsOf({}), []);
});

const CASES: readonly [string, string, string, RegExp][] = [
  [
    'an import from a higher floor',
    'src/drive/tree.ts',
    `import '../shares/shares.ts';`,
    /higher floor than drive/,
  ],
  [
    'a type import from a higher floor',
    'src/base/x.ts',
    `import type { A } from '../drive/drive.ts';`,
    /higher floor than base/,
  ],
  [
    'a package that is loaded by a call',
    'src/http/x.ts',
    `const { fastify } = await import('fastify');`,
    /imported at the top of a file/,
  ],
  [
    'an import of the composition root',
    'src/drive/tree.ts',
    `import { a } from '../app/app.ts';`,
    /app is on a higher floor/,
  ],
  ['an import from the same floor', 'src/shares/x.ts', `import '../tasks/tasks.ts';`, /are on one floor/],
  [
    'an import from the same floor below the features',
    'src/http/x.ts',
    `import '../storage/s3/s3.ts';`,
    /are on one floor/,
  ],
  [
    'an import of another feature that is not its face',
    'src/shares/x.ts',
    `import '../drive/contract.ts';`,
    /only the face of another feature, drive\/drive\.ts/,
  ],
  [
    'an import of the queries of another feature',
    'src/drive/x-queries.ts',
    `import '../blobs/queries.ts';`,
    /only the face of another feature, blobs\/blobs\.ts/,
  ],
  ['a folder without a floor', 'src/extras/extras.ts', '', /folder extras is in no row/],
  ['another file in src itself', 'src/extras.ts', '', /extras\.ts is not one of the files/],
  ['Fastify in a feature', 'src/drive/x.ts', `import type { A } from 'fastify';`, /Fastify appears in/],
  ['a plugin of Fastify', 'src/drive/x.ts', `import '@fastify/cors';`, /Fastify appears in/],
  ['Fastify in a file called app.ts', 'src/drive/app.ts', `import 'fastify';`, /Fastify appears in/],
  ['Kysely outside of queries', 'src/drive/tree.ts', `import { sql } from 'kysely';`, /Kysely appears in/],
  ['an engine outside of the database', 'src/drive/queries.ts', `import pg from 'pg';`, /which engine runs/],
  [
    'the other engine outside of the database',
    'src/storage/x.ts',
    `import 'better-sqlite3';`,
    /which engine runs/,
  ],
  [
    'the S3 SDK outside of storage/s3',
    'src/storage/x.ts',
    `import '@aws-sdk/client-s3';`,
    /storage\/s3\/ only/,
  ],
  ['a package that is not installed', 'src/http/x.ts', `import 'fast-check';`, /not a dependency/],
  ['a computed import', 'src/drive/x.ts', 'await import(name);', /a computed name/],
  ['a missing file', 'src/drive/x.ts', `import './nothing.ts';`, /does not exist/],
  [
    'a file outside of src',
    'src/drive/x.ts',
    `import '../../test/support/app/person.ts';`,
    /outside of server\/src/,
  ],
  [
    'a test that imports from a higher floor',
    'src/drive/x.test.ts',
    `import '../shares/shares.ts';`,
    /higher floor/,
  ],
  [
    'a value in the types for the web client',
    'src/app/contract.ts',
    `import { a } from '../drive/contract.ts';`,
    /only export types/,
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
    // An import from a higher floor also makes folders import each other.
    const faults = faultsOf({ [path]: text }).filter((found) => !found.startsWith('These folders'));
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.match(faults[0] ?? '', fault);
    assert.ok(faults[0]?.includes(`${path}`));
  });
}

test('subfolders of a feature that import each other are a fault, even if no two of their files do', () => {
  const faults = faultsOf({
    'src/drive/tree/one.ts': `import '../bin/one.ts';`,
    'src/drive/bin/one.ts': '',
    'src/drive/bin/two.ts': `import type { A } from '../tree/two.ts';`,
    'src/drive/tree/two.ts': '',
  });
  assert.deepEqual(faults, [
    'These folders import each other: src/drive/tree → src/drive/bin → src/drive/tree ' +
      '(src/drive/tree/one.ts → src/drive/bin/one.ts, src/drive/bin/two.ts → src/drive/tree/two.ts).',
  ]);
});

test('a subfolder may import files of its feature folder, even if these import the subfolder', () => {
  assert.deepEqual(
    faultsOf({
      'src/drive/drive.ts': `import '../blobs/blobs.ts'; import './tree/tree.ts';`,
      'src/drive/tree/tree.ts': '',
      'src/drive/tree/routes.ts': `import '../drive.ts';`,
    }),
    [],
  );
});

test('a fault names the line, the import and the rule', () => {
  assert.deepEqual(faultsOf({ 'src/base/x.ts': `\nimport '../tasks/tasks.ts';` }), [
    'server/src/base/x.ts:2 imports "../tasks/tasks.ts": tasks is on a higher floor than base.',
  ]);
});

test('cycles are found, even if other files lead to them', () => {
  const graph = { lead: ['a'], a: ['b', 'd'], b: ['c'], c: ['a'], d: [], alone: ['alone'] };
  assert.deepEqual(findCycles(new Map(Object.entries(graph))), [
    ['a', 'b', 'c', 'a'],
    ['alone', 'alone'],
  ]);
});

function faultsOf(added: Readonly<Record<string, string>>): string[] {
  const modules = Object.entries({ ...SOUND, ...added }).map(([path, text]) => toModule(path, text));
  return findImportFaults(modules, INSTALLED);
}
