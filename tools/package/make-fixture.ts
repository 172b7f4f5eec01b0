// node tools/node.mjs tools/package/make-fixture.ts NAME [CLONE]
//
// Creates a small data directory with the version in CLONE (by default this one), and stores it in
// server/test/fixtures/releases/NAME. It has two people, directories, versions of a file, a recycle bin and a
// share. `postgres.sql` contains the same rows with the schema for PostgreSQL. Tests migrate both. Run it
// once per release, with its version as the name. Never change a released fixture.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { Person } from '../../server/test/support/app/person.ts';
import {
  FIXTURES,
  type FixtureFile,
  PEOPLE,
  toFixtureFiles,
} from '../../server/test/support/package/fixtures.ts';
import { startService } from '../../server/test/support/package/packages.ts';
import { toPostgresSql } from './postgres-fixture.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const [name, clone = root] = process.argv.slice(2);
if (name === undefined || !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(name))
  throw new Error('Name the version, such as 1.2.0.');
const target = path.join(FIXTURES, name);
if (existsSync(target))
  throw new Error(`Fixture ${name} exists already, and a released fixture is never changed.`);

const dataDir = mkdtempSync(path.join(tmpdir(), 'holdall-fixture-'));
try {
  const files = await fill(dataDir);
  await store(dataDir, files);
} finally {
  rmSync(dataDir, { recursive: true });
}

/** Runs the clone's service in the directory and fills it. Returns the files that its people have then. */
async function fill(directory: string): Promise<readonly FixtureFile[]> {
  const service = await startService([process.execPath, path.join(clone, 'server/src/main.mjs')], {
    PATH: process.env.PATH ?? '',
    HOLDALL_DATA_DIR: directory,
    HOLDALL_PORT: '0',
    HOLDALL_LOG_LEVEL: 'warn',
    HOLDALL_CONTENT_SEARCH: 'off',
    HOLDALL_ADMIN_PASSWORD: PEOPLE.admin,
    HOLDALL_INVITE_CODE: 'fixture-of-a-release',
    HOLDALL_DOWNLOAD_SECRET: 'known to everybody, because this is a fixture',
    HOLDALL_JWT_SECRET: 'known to everybody, because this is a fixture',
  });
  const admin = await new Person('admin', service.url).logIn(PEOPLE.admin);
  const alice = await new Person('alice', service.url).register('fixture-of-a-release');
  await alice.mkdir('/Photos/2024');
  const letter = await alice.upload('/Documents/letter.txt', 'first version', 'text/plain');
  await alice.ask('PUT', `/api/v2/files/${letter.id}/content`, {
    body: Buffer.from('second version'),
    headers: { 'content-type': 'application/octet-stream' },
  });
  await alice.upload('/Photos/2024/Größe é 写真.txt', 'a name that is not ASCII');
  await alice.copy(letter, '/Photos');
  await alice.upload('/empty', '');
  await alice.recycle(await alice.upload('/recycled.txt', 'in the recycle bin'));
  await alice.ask('POST', '/api/v2/shares', { body: { fileId: letter.id, password: 'share password' } });
  await admin.upload('/report.bin', Buffer.alloc(5_000, 'report'));
  const files = [...(await toFixtureFiles(admin)), ...(await toFixtureFiles(alice))];
  await service.stop();
  return files;
}

async function store(directory: string, files: readonly FixtureFile[]): Promise<void> {
  mkdirSync(target, { recursive: true });
  const database = new Sqlite(path.join(directory, 'holdall.db'));
  database.pragma('wal_checkpoint(truncate)');
  const steps = database.prepare('select name from schema_step order by name').pluck().all();
  writeFileSync(path.join(target, 'holdall.db.gz'), gzipSync(database.serialize(), { level: 9 }));
  writeFileSync(path.join(target, 'postgres.sql'), await toPostgresSql(database, clone));
  database.close();
  const objects = path.join(directory, 'objects');
  for (const entry of readdirSync(objects, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const place = path.join(target, 'objects', path.relative(objects, file));
    if (!entry.isFile()) continue;
    mkdirSync(path.dirname(place), { recursive: true });
    copyFileSync(file, place);
  }
  const expected = { lastStep: steps.at(-1), files };
  writeFileSync(path.join(target, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`);
}
