// tier: default
// runs on: sqlite
// runs on, with --full: s3
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { storeSettingsOf } from '../../src/app/connections.ts';
import { systemIds } from '../../src/base/ids.ts';
import { readConfig } from '../../src/config/config.ts';
import { configuredLocation, openStore } from '../../src/policies/open-store.ts';
import { environmentOf, runCommand } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import {
  CURRENT,
  createEmptyInstallation,
  EMBEDDED,
  listBackedUp,
  listRows,
} from '../support/checks/restored.ts';

const scratch = await mkdtemp(path.join(tmpdir(), 'holdall-backup-'));
after(() => rm(scratch, { recursive: true }));
const holdall = await startHoldall();
const env = environmentOf(holdall);
const backup = path.join(scratch, 'backup');
let person: Person;

before(async () => {
  person = await holdall.register('person');
  for (const name of ['one', 'two', 'three']) await person.upload(`/${name}`, name);
  assert.equal((await runCommand(env, ['backup', backup])).code, 0);
});

test('a restore into a drive that is in use is rejected and changes nothing', async () => {
  const before = await person.state();
  const { code, complained } = await runCommand(env, ['restore', backup]);
  assert.equal(code, 1);
  assert.match(complained.join(), /^The database is not empty\./);
  assert.deepEqual(await person.state(), before);
  await checkBooks(holdall);
});

test('a store with other objects is rejected', async () => {
  const place = await createEmptyInstallation(CURRENT);
  const storage = storeSettingsOf(readConfig(place.env));
  const store = await openStore(configuredLocation(storage), storage, systemIds);
  const foreign = 'blobs/20260101/0000/foreign';
  await store.write(foreign, Readable.from([Buffer.from('x')]));
  const { code, complained } = await runCommand(place.env, ['restore', backup]);
  assert.equal(code, 1);
  assert.match(complained.join(), /^The store is not empty/);
  await store.remove([foreign]);
  // A store that contains only the id of another drive is also rejected.
  const ownId = await readFile(path.join(backup, 'drive-id'), 'utf8');
  for (const id of ['another', ownId.replace(/.$/, (last) => (last === '0' ? '1' : '0'))]) {
    await store.write('store-id', Readable.from([Buffer.from(id)]));
    assert.match(
      (await runCommand(place.env, ['restore', backup])).complained.join(),
      /^The store is not empty/,
    );
  }
  await store.remove(['store-id']);
  assert.equal((await runCommand(place.env, ['restore', backup])).code, 0);
  store.close();
  await place.drop();
});

test('a damaged backup is rejected, and a later restore into the same location succeeds', async () => {
  const place = await createEmptyInstallation(CURRENT);
  const [rows = ''] = await listRows(backup);
  const [object = ''] = await listBackedUp(backup);
  const ofObject = /^The backup is damaged: the object blobs\/.* is missing or was changed\.$/;
  const damages: readonly (readonly [file: string, damage: (file: string) => Promise<void>, RegExp])[] = [
    ['manifest.json', (file) => rm(file), /^There is no complete backup in/],
    ['manifest.json', (file) => writeFile(file, '{'), /^The manifest of the backup in .* is damaged/],
    [
      'manifest.json',
      (file) => writeFile(file, '{"format":1}'),
      /^The manifest of the backup in .* is damaged/,
    ],
    ['manifest.json', replacing('"format": 1', '"format": 2'), /has the format 2, but this version/],
    ['manifest.json', replacing('0001-schema', '0001-future'), /schema step 0001-future, which this version/],
    ['manifest.json', replacing(rows, '../../elsewhere'), /^The manifest of the backup in .* is damaged/],
    [`${rows}/entry.jsonl`, (file) => appendFile(file, '\n'), /entry\.jsonl is missing or was changed/],
    [`${rows}/account.jsonl`, replacing('person', 'nosrep'), /account\.jsonl is missing or was changed/],
    [`${rows}/setting.jsonl`, (file) => rm(file), /setting\.jsonl is missing or was changed/],
    [`${rows}/objects.jsonl`, replacing('blobs', 'blogs'), /objects\.jsonl is missing or was changed/],
    [`objects/${object}`, (file) => rm(file), ofObject],
    [`objects/${object}`, (file) => appendFile(file, 'x'), ofObject],
    [`objects/${object}`, reverseBytes, ofObject],
  ];
  for (const [file, damage, complaint] of damages) {
    const damaged = path.join(backup, file);
    const bytes = await readFile(damaged);
    await damage(damaged);
    const { code, complained } = await runCommand(place.env, ['restore', backup]);
    await writeFile(damaged, bytes);
    assert.equal(code, 1, file);
    assert.match(complained.join('\n'), complaint);
  }
  const { code, said, complained } = await runCommand(place.env, ['restore', backup]);
  assert.deepEqual([code, complained, said.at(-1)], [0, [], 'No faults.']);
  await place.drop();
});

test('a restore that is stopped at any point can be repeated', async () => {
  const place = await createEmptyInstallation(CURRENT);
  for (const moment of [/^Checking/, /^Objects/, /^Rows of entry/]) {
    const end = new AbortController();
    const stopped = await runCommand(place.env, ['restore', backup], {
      signal: end.signal,
      onProgress: (sentence) => moment.test(sentence) && end.abort(),
    });
    assert.deepEqual([stopped.code, stopped.complained], [130, ['Stopped.']]);
  }
  const again = await runCommand(place.env, ['restore', backup]);
  assert.equal(again.code, 0, again.complained.join());
  await place.drop();
});

test('one of two concurrent restores succeeds', async () => {
  const place = await createEmptyInstallation(CURRENT);
  const ends = await Promise.all([1, 2].map(() => runCommand(place.env, ['restore', backup])));
  assert.deepEqual(
    ends.map(({ code }) => code).sort(),
    [0, 1],
    ends.flatMap(({ complained }) => complained).join('\n'),
  );
  assert.equal((await runCommand(place.env, ['doctor', '--deep'])).code, 0);
  await place.drop();
});

test('a restore without a backup changes nothing', async () => {
  const place = await createEmptyInstallation(EMBEDDED);
  const { code, complained } = await runCommand(place.env, ['restore', path.join(scratch, 'nothing')]);
  assert.equal(code, 1);
  assert.match(complained.join(), /^There is no complete backup/);
  await place.drop();
});

/** Changes the bytes of a file and keeps its size. */
async function reverseBytes(file: string): Promise<void> {
  await writeFile(file, (await readFile(file)).toReversed());
}

function replacing(text: string, by: string) {
  return async (file: string) => writeFile(file, (await readFile(file, 'utf8')).replace(text, by));
}
