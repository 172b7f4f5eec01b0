// tier: default
// needs: build
// The present version starts on the data of every released one: see docs/upgrading.md.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { MIGRATIONS } from '../../src/database/migrator.ts';
import { Person } from '../support/app/person.ts';
import { listFixtures, PEOPLE, toFixtureFiles, unpackFixture } from '../support/package/fixtures.ts';
import { environmentOf, startService } from '../support/package/packages.ts';

const DIST = path.join(import.meta.dirname, '..', '..', 'dist');
const LAST_STEP = MIGRATIONS.at(-1)?.name ?? '';

const scratch = mkdtempSync(path.join(tmpdir(), 'holdall-releases-'));
after(() => rmSync(scratch, { recursive: true }));

const fixtures = listFixtures();
const start = (dataDir: string) =>
  startService([process.execPath, path.join(DIST, 'main.js')], environmentOf({ HOLDALL_DATA_DIR: dataDir }));
const command = (dataDir: string, ...words: readonly string[]) =>
  spawnSync(process.execPath, [path.join(DIST, 'cli', 'main.js'), ...words], {
    encoding: 'utf8',
    env: environmentOf({ HOLDALL_DATA_DIR: dataDir }),
  });
const copiesIn = (dataDir: string) => readdirSync(dataDir).filter((name) => name.includes('.before-'));

test('there is a fixture, and at least one has an earlier schema', () => {
  assert.ok(fixtures.some(({ lastStep }) => lastStep !== LAST_STEP));
});

for (const fixture of fixtures) {
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
    // Another start has nothing to migrate.
    await (await start(dataDir)).stop();
    assert.deepEqual(copiesIn(dataDir), expected);
  });
}

test('the copy is the whole database as it was, readable by its owner only, and older copies are removed', () => {
  const fixture = fixtures.find(({ lastStep }) => lastStep !== LAST_STEP);
  assert.ok(fixture);
  const dataDir = path.join(scratch, 'copied');
  unpackFixture(fixture, dataDir);
  for (const step of ['0003', '0007', '0012'])
    writeFileSync(path.join(dataDir, `holdall.db.before-${step}`), step);
  const rows = readAll(path.join(dataDir, 'holdall.db'));
  const { status, stdout, stderr } = command(dataDir, 'migrate');
  assert.equal(status, 0, stderr);
  const copy = /^The database as it was is in (.*)\.$/m.exec(stdout)?.[1] ?? '';
  assert.equal(copiesIn(dataDir).length, 2);
  assert.deepEqual(copiesIn(dataDir), ['holdall.db.before-0012', path.basename(copy)]);
  assert.equal(statSync(copy).mode & 0o777, 0o600);
  assert.deepEqual(readAll(copy), rows);
});

test('a schema of a newer version is refused with a sentence, and nothing is changed or copied', () => {
  const [fixture] = fixtures;
  assert.ok(fixture);
  const dataDir = path.join(scratch, 'newer');
  unpackFixture(fixture, dataDir);
  const file = path.join(dataDir, 'holdall.db');
  const database = new Sqlite(file);
  database.prepare("insert into schema_step (name) values ('9999-from-the-future')").run();
  database.close();
  const before = readAll(file);
  const { status, stderr } = spawnSync(process.execPath, [path.join(DIST, 'main.js')], {
    encoding: 'utf8',
    env: environmentOf({ HOLDALL_DATA_DIR: dataDir }),
  });
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^Holdall could not start: The database has the schema step 9999-from-the-future, which/m,
  );
  assert.deepEqual(readAll(file), before);
  assert.deepEqual(copiesIn(dataDir), []);
  assert.ok(!existsSync(path.join(dataDir, 'initial-admin-password')));
});

/** Every row of every table. */
function readAll(file: string): Record<string, unknown[]> {
  // A reader of the file itself would leave files of its own beside it.
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
