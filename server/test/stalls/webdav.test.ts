// tier: full
// runs on: sqlite
// Every WebDAV method, in a drive with as many files, locks and properties as its limits allow.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { READ_METHODS, WRITE_METHODS } from '../../src/dav/dav.ts';
import type { DavClient, DavOptions } from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';
import { createLockedDirectory } from '../support/dav/locked-directory.ts';
import { createDrive } from '../support/drives/shared-drives.ts';
import { createLargeTree } from '../support/stalls/large-drive.ts';
import { MAX_BLOCK_MS, measureBlock } from '../support/stalls/longest-block.ts';
import { MeasuredService } from '../support/stalls/measured-service.ts';

const service = await MeasuredService.start();
const person = await service.logIn('lara');
const client = await asDavClient(person);

await createLargeTree(service.database, person, '/Large', { directories: 3, files: 1_000 });
const LARGE = '/dav/Large/level%2000001/';

const { address: deep } = await createLockedDirectory(client);
const top = `/dav/${deep.split('/')[2]}`;
const CONDITIONS = Array.from(
  { length: 100 },
  (_, index) => `(Not <urn:uuid:${'x'.repeat(40)}${index}>)`,
).join(' ');

/** 100 locks, each 120 directories deep. In the shared drive, each member may have half of them. */
const mona = await asDavClient(await service.logIn('mona'));
const otto = await asDavClient(await service.logIn('otto'));
const lockedDirectory = await createDeepLockedDirectory('/dav/', [mona]);
await createDrive(mona.person, 'Locks', [{ person: otto.person, role: 'EDITOR' }]);
await createDeepLockedDirectory('/drives/Locks/', [mona, otto]);
await createDrive(person, 'Team');

/**
 * Half of the properties that a drive may have, so they can be copied once. Otto has few large ones, Nina
 * many small ones.
 */
await describeFiles(otto, propertyUpdate(`<a:long>${'ü'.repeat(32_000)}</a:long>`));
const nina = await asDavClient(await service.logIn('nina'));
await describeFiles(nina, manyProperties());

const DIRECTORIES = [
  { what: 'many files', owner: client, address: LARGE, isCopied: true },
  { what: 'a directory below many locks', owner: client, address: deep, isCopied: false },
  { what: 'a directory with many locks', owner: mona, address: lockedDirectory, isCopied: false },
  { what: 'large properties', owner: otto, address: '/dav/Described/', isCopied: true },
  { what: 'many properties', owner: nina, address: '/dav/Described/', isCopied: true },
];

const tested = new Set<string>();
let copies = 0;
const newName = () => {
  copies += 1;
  return `/dav/copy%20${copies}/`;
};

stallTest('OPTIONS', () => send('OPTIONS', deep, [200, 204]));
stallTest('GET', () => send('GET', LARGE, [200]));
stallTest('HEAD', () => send('HEAD', `${LARGE}file%2000001.txt`, [200]));
for (const { what, owner, address } of DIRECTORIES) {
  stallTest(`PROPFIND of ${what}`, () =>
    send('PROPFIND', address, [207], { headers: { depth: '1' } }, owner),
  );
}
stallTest('PUT into a directory with many locks', async () => {
  await send(
    'PUT',
    `${lockedDirectory}new.txt`,
    [201, 204],
    { body: 'x', headers: { if: taggedConditions() } },
    mona,
  );
});
stallTest('PUT', async () => {
  await send('PUT', `${deep}new.txt`, [423], { body: 'x' });
  await send('PUT', `${LARGE}new.txt`, [201, 204], { body: 'x', headers: { if: CONDITIONS } });
});
stallTest('MKCOL', () => send('MKCOL', newName(), [201]));
for (const { what, owner, address, isCopied } of DIRECTORIES) {
  if (!isCopied) continue;
  stallTest(`COPY of ${what}`, async () => {
    const copy = newName();
    await send('COPY', address, [201], { headers: { destination: copy } }, owner);
    await send('DELETE', copy, [204], {}, owner);
    await owner.person.purge(await newestInBin(owner));
  });
}
stallTest('MOVE', async () => {
  const other = newName();
  await send('MOVE', LARGE, [201], { headers: { destination: other } });
  await send('MOVE', other, [201], { headers: { destination: LARGE } });
});
stallTest('COPY and MOVE to another drive', async () => {
  for (const method of ['COPY', 'MOVE']) {
    const headers = { destination: `/drives/Team/${method}` };
    await send(method, LARGE, [201], { headers });
    await send('MOVE', `/drives/Team/${method}`, [201], { headers: { destination: newName() } });
    if (method === 'MOVE') await person.restore(await newestInBin(client));
  }
});
stallTest('PUT on the conditions of two drives with many locks', async () => {
  const list = Array.from({ length: 100 }, (_, index) => `</dav/${index}> (Not <urn:x>)`);
  const conditions = { if: list.join(' ') };
  await send('PUT', '/drives/Locks/new.txt', [201, 204], { body: 'x', headers: conditions }, mona);
});
stallTest('DELETE', async () => {
  await send('DELETE', LARGE, [204]);
  await person.restore(await newestInBin(client));
  await send('DELETE', top, [423]);
});
stallTest('PROPPATCH', () =>
  send('PROPPATCH', `${LARGE}file%2000002.txt`, [207], { body: manyProperties() }),
);
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
  sender = client,
): Promise<void> {
  const { status, body } = await sender.send(method, address, options);
  assert.ok(statuses.includes(status), `${method}: ${status} ${body.slice(0, 500)}`);
}

async function newestInBin({ person: owner }: DavClient): Promise<{ id: number }> {
  const [newest] = (await owner.bin()).items;
  assert.ok(newest);
  return newest;
}

/** 120 files with these properties each. */
async function describeFiles(owner: DavClient, body: string): Promise<void> {
  for (let index = 0; index < 120; index += 1) {
    await owner.person.upload(`/Described/${index}.txt`, 'x');
    await owner.expect(207, 'PROPPATCH', `/dav/Described/${index}.txt`, { body });
  }
}

/** As many small properties as one body may have elements. */
function manyProperties(): string {
  const list = Array.from({ length: 900 }, (_, index) => `<a:p${index}>${'v'.repeat(20)}</a:p${index}>`);
  return propertyUpdate(list.join(''));
}

function propertyUpdate(properties: string): string {
  return (
    '<D:propertyupdate xmlns:D="DAV:" xmlns:a="urn:a"><D:set><D:prop>' +
    `${properties}</D:prop></D:set></D:propertyupdate>`
  );
}

/** Mona creates the directory. The members take turns with the locks. */
async function createDeepLockedDirectory(root: string, members: readonly DavClient[]): Promise<string> {
  let address = root;
  for (let level = 0; level < 120; level += 1) {
    address += 'd/';
    await mona.expect(201, 'MKCOL', address);
  }
  for (let index = 0; index < 100; index += 1) {
    await members[index % members.length]?.locked(`${address}${index}.txt`);
  }
  return address;
}

/** As many conditions as a header may have, each of another resource. */
function taggedConditions(): string {
  return Array.from({ length: 100 }, (_, index) => `<${lockedDirectory}${index}.txt> (Not <urn:x>)`)
    .join(' ')
    .slice(0, 8_000)
    .replace(/ <[^>]*$|\([^)]*$/, '');
}
