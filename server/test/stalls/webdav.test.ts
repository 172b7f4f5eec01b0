// tier: full
// runs on: sqlite
// Every WebDAV method, in a drive with as many files, locks and properties as its limits allow.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { READ_METHODS, WRITE_METHODS } from '../../src/dav/dav.ts';
import type { DavOptions } from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';
import { createLargeTree } from '../support/stalls/large-drive.ts';
import { MAX_BLOCK_MS, measureBlock } from '../support/stalls/longest-block.ts';
import { MeasuredService } from '../support/stalls/measured-service.ts';

const service = await MeasuredService.start();
const person = await service.logIn('lara');
const client = await asDavClient(person);

await createLargeTree(service.database, person, '/Large', { directories: 3, files: 1_000 });
const LARGE = '/dav/Large/level%2000001/';

/** 14 directories in one another with long names, 130 files, and 80 locks above them. */
const deep = await createLockedDirectory();
const top = `/dav/${deep.split('/')[2]}`;

/** 128 files with 64 KiB of properties each: half of what a drive may have, so that they can be copied once. */
for (let index = 0; index < 128; index += 1) {
  await person.upload(`/Described/${index}.txt`, 'x');
  await client.proppatch(`/dav/Described/${index}.txt`, set('long', 'ü'.repeat(32_000)));
}

/** As many small properties as one body may have elements. */
const MANY = Array.from({ length: 990 }, (_, index) => `<a:p${index}>${'v'.repeat(40)}</a:p${index}>`).join(
  '',
);
const CONDITIONS = Array.from(
  { length: 100 },
  (_, index) => `(Not <urn:uuid:${'x'.repeat(40)}${index}>)`,
).join(' ');

const tested = new Set<string>();
let copies = 0;
const newName = () => {
  copies += 1;
  return `/dav/copy%20${copies}/`;
};

stallTest('OPTIONS', () => send('OPTIONS', deep, [200, 204]));
stallTest('GET', () => send('GET', LARGE, [200]));
stallTest('HEAD', () => send('HEAD', `${LARGE}file%2000001.txt`, [200]));
const DIRECTORIES = { 'many files': LARGE, 'many locks': deep, 'large properties': '/dav/Described/' };
for (const [what, address] of Object.entries(DIRECTORIES)) {
  stallTest(`PROPFIND of ${what}`, () => send('PROPFIND', address, [207], { headers: { depth: '1' } }));
}
stallTest('PUT', async () => {
  await send('PUT', `${deep}new.txt`, [423], { body: 'x' });
  await send('PUT', `${LARGE}new.txt`, [201, 204], { body: 'x', headers: { if: CONDITIONS } });
});
stallTest('MKCOL', () => send('MKCOL', newName(), [201]));
for (const [what, address] of Object.entries(DIRECTORIES)) {
  if (address !== deep)
    stallTest(`COPY of ${what}`, async () => {
      const copy = newName();
      await send('COPY', address, [201], { headers: { destination: copy } });
      await send('DELETE', copy, [204]);
      await person.purge(await newestInBin());
    });
}
stallTest('MOVE', async () => {
  const other = newName();
  await send('MOVE', LARGE, [201], { headers: { destination: other } });
  await send('MOVE', other, [201], { headers: { destination: LARGE } });
});
stallTest('DELETE', async () => {
  await send('DELETE', LARGE, [204]);
  await person.restore(await newestInBin());
  await send('DELETE', top, [423]);
});
stallTest('PROPPATCH', async () => {
  const body = `<D:propertyupdate xmlns:D="DAV:" xmlns:a="urn:a"><D:set><D:prop>${MANY}</D:prop></D:set></D:propertyupdate>`;
  await send('PROPPATCH', `${LARGE}file%2000002.txt`, [207], { body });
});
stallTest('LOCK', async () => {
  assert.equal((await client.lock(top, { scope: 'exclusive' })).status, 207);
  assert.equal((await client.lock(deep, { scope: 'exclusive' })).status, 423);
});
stallTest('UNLOCK', async () => {
  const { token } = await client.locked(`${LARGE}file%2000003.txt`);
  await send('UNLOCK', `${LARGE}file%2000003.txt`, [204], { headers: { 'lock-token': token } });
});

test('every method is measured', () => {
  assert.deepEqual([...tested].sort(), [...READ_METHODS, ...WRITE_METHODS].sort());
});

/** @param what starts with the method */
function stallTest(what: string, act: () => Promise<void>): void {
  tested.add(what.split(' ')[0] ?? '');
  test(`${what} does not stop the service`, async (t) => {
    const block = await measureBlock(act, (work) => service.measureBlock(work));
    t.diagnostic(`${block.toFixed(1)} ms`);
    assert.ok(block <= MAX_BLOCK_MS, `the event loop was blocked for ${block.toFixed(0)} ms`);
  });
}

async function send(
  method: string,
  address: string,
  statuses: readonly number[],
  options: DavOptions = {},
): Promise<void> {
  const { status, body } = await client.send(method, address, options);
  assert.ok(statuses.includes(status), `${method}: ${status} ${body.slice(0, 500)}`);
}

async function newestInBin(): Promise<{ id: number }> {
  const [newest] = (await person.bin()).items;
  assert.ok(newest);
  return newest;
}

async function createLockedDirectory(): Promise<string> {
  let address = '/dav/';
  const directories: string[] = [];
  for (let level = 0; level < 14; level += 1) {
    address += `${encodeURIComponent('ü'.repeat(120) + level)}/`;
    await client.expect(201, 'MKCOL', address);
    directories.push(address);
  }
  for (let index = 0; index < 130; index += 1) await client.put(`${address}${index}.txt`, '');
  for (const directory of directories.slice(-5)) {
    for (let count = 0; count < 16; count += 1) {
      await client.locked(directory, { scope: 'shared', owner: 'o'.repeat(256) });
    }
  }
  return address;
}

function set(name: string, value: string): string {
  return `<D:set><D:prop><a:${name}>${value}</a:${name}></D:prop></D:set>`;
}
