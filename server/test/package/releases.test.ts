// tier: default
// needs: build
// This version starts with the data of every released version, and of no other: see docs/upgrading.md.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { MIGRATIONS } from '../../src/database/migrator.ts';
import { Person } from '../support/app/person.ts';
import {
  listEarlierFixtures,
  listFixtures,
  PEOPLE,
  toFixtureFiles,
  unpackFixture,
} from '../support/package/fixtures.ts';
import { environmentOf, startService } from '../support/package/packages.ts';

const DIST = path.join(import.meta.dirname, '..', '..', 'dist');

const scratch = mkdtempSync(path.join(tmpdir(), 'holdall-releases-'));
after(() => rmSync(scratch, { recursive: true }));

const start = (dataDir: string) =>
  startService([process.execPath, path.join(DIST, 'main.js')], environmentOf({ HOLDALL_DATA_DIR: dataDir }));
const command = (dataDir: string, ...words: readonly string[]) =>
  spawnSync(process.execPath, [path.join(DIST, 'cli', 'main.js'), ...words], {
    encoding: 'utf8',
    env: environmentOf({ HOLDALL_DATA_DIR: dataDir }),
  });
const copiesIn = (dataDir: string) => readdirSync(dataDir).filter((name) => name.includes('.before-'));

for (const fixture of listFixtures()) {
  test(`the data of ${fixture.name} is migrated, and everything in it can be read`, async () => {
    const dataDir = path.join(scratch, fixture.name);
    unpackFixture(fixture, dataDir);
    const service = await start(dataDir);
    const found = [];
    for (const [name, password] of Object.entries(PEOPLE)) {
      found.push(...(await toFixtureFiles(await new Person(name, service.url).logIn(password))));
    }
    assert.deepEqual(found, fixture.files);
    await service.stop();
    const doctor = command(dataDir, 'doctor', '--deep');
    assert.match(doctor.stdout, /No faults\./, doctor.stderr);
    const next = MIGRATIONS[MIGRATIONS.findIndex(({ name }) => name === fixture.lastStep) + 1];
    const expected = next === undefined ? [] : [`holdall.db.before-${next.name.slice(0, 4)}`];
    assert.deepEqual(copiesIn(dataDir), expected);
    // A second start has nothing to migrate.
    await (await start(dataDir)).stop();
    assert.deepEqual(copiesIn(dataDir), expected);
  });
}

for (const fixture of listEarlierFixtures()) {
  test(`the copy made before migrating ${fixture.name} is the whole database as it was`, () => {
    const dataDir = path.join(scratch, `${fixture.name}-copied`);
    unpackFixture(fixture, dataDir);
    const rows = readAll(path.join(dataDir, 'holdall.db'));
    const { status, stdout, stderr } = command(dataDir, 'migrate');
    assert.equal(status, 0, stderr);
    const copy = /^The database as it was is in (.*)\.$/m.exec(stdout)?.[1] ?? '';
    assert.deepEqual(copiesIn(dataDir), [path.basename(copy)]);
    assert.deepEqual(readAll(copy), rows);
  });
}

for (const [version, step] of [
  ['a newer', '9999-from-the-future'],
  ['an unreleased', '0001-accounts-and-drive'],
] as const) {
  test(`a schema of ${version} version is rejected with a message, and nothing is changed or copied`, () => {
    const dataDir = path.join(scratch, step);
    mkdirSync(dataDir, { mode: 0o700 });
    const made = command(dataDir, 'migrate');
    assert.equal(made.status, 0, made.stderr);
    const file = path.join(dataDir, 'holdall.db');
    const database = new Sqlite(file);
    database.prepare('insert into schema_step (name) values (?)').run(step);
    database.close();
    const before = readAll(file);
    const { status, stderr } = spawnSync(process.execPath, [path.join(DIST, 'main.js')], {
      encoding: 'utf8',
      env: environmentOf({ HOLDALL_DATA_DIR: dataDir }),
    });
    assert.equal(status, 1);
    assert.match(
      stderr,
      new RegExp(`^Holdall could not start: The database has the schema step ${step}, which`, 'm'),
    );
    assert.deepEqual(readAll(file), before);
    assert.deepEqual(copiesIn(dataDir), []);
    assert.ok(!existsSync(path.join(dataDir, 'initial-admin-password')));
  });
}

/** Every row of every table. */
function readAll(file: string): Record<string, unknown[]> {
  // Reads a copy, because opening the file itself would leave additional files beside it.
  const copy = path.join(scratch, 'read.db');
  copyFileSync(file, copy);
  const database = new Sqlite(copy);
  try {
    const names = database
      .prepare("select name from sqlite_schema where type = 'table' order by name")
      .pluck()
      .all();
    return Object.fromEntries(names.map((name) => [name, database.prepare(`select * from "${name}"`).all()]));
  } finally {
    database.close();
  }
}
