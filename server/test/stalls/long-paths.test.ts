// tier: full
// runs on: sqlite
// Lists with the maximum number of files on a page, each with the longest path.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { createLargeTree } from '../support/stalls/large-drive.ts';
import { MAX_BLOCK_MS, measureBlock } from '../support/stalls/longest-block.ts';
import { MeasuredService } from '../support/stalls/measured-service.ts';
import { join, lookUp, type PeerSession, TRANSFERS, withToken } from '../support/transfer/transfer.ts';

const service = await MeasuredService.start();
const person = await service.logIn('lara');

let above = '';
const ancestors: EntryRecord[] = [];
for (let level = 0; level < 14; level += 1) {
  above += `/${'ü'.repeat(120)}${level}`;
  ancestors.push(await person.mkdir(above));
}
await createLargeTree(service.database, person, `${above}/one`, { directories: 1, files: 1_000 });
await createLargeTree(service.database, person, `${above}/many`, { directories: 1_000, files: 1 });
for (let index = 0; index < 200; index += 1) await person.upload(`${above}/new/${index}.txt`, 'x');

const LISTS = [
  '/api/v2/files/search?q=file',
  '/api/v2/files/search?type=directory',
  '/api/v2/files/search?name=file&page=2',
  '/api/files/recent?',
  '/api/v2/files/timeline?',
  `/api/files/list?path=${encodeURIComponent(`${above}/one/level 00000`)}`,
  '/api/v2/files/changes?limit=1000',
];

for (const list of LISTS) {
  stallTest(`GET ${list.slice(0, 60)} of long paths`, () => person.ask('GET', `${list}&size=1000`));
}

/** A link to a directory with 1,000 directories of one file each. */
const { id: directoryId, path: linked } = ancestors.at(-1) ?? assert.fail();
const { token } = await person.ask<{ token: string }>('POST', '/api/v2/folder-links', {
  body: { directoryId, mode: 'VIEW' },
});
const many = `${above.slice(linked.length)}/many`;
const paths = Array.from({ length: 1_000 }, (_, index) => `${many}/level ${`${index}`.padStart(5, '0')}`);
const { items: directories } = await person.list(`${above}/many`, { size: 1_000 });
const DOWNLOADS = [
  { url: `/api/v2/folder-links/${token}/downloads`, body: { paths } },
  { url: '/api/v2/downloads', body: { fileIds: directories.map(({ id }) => id) } },
];

for (const { url, body } of DOWNLOADS) {
  let address = '';
  stallTest(`POST ${url.replace(token, '{token}')} of 1,000 paths`, async () => {
    ({ url: address } = await person.ask<{ url: string }>('POST', url, { body }));
  });
  stallTest(`HEAD of that ZIP`, async () => {
    assert.equal((await person.fetch('HEAD', address)).status, 200);
  });
  stallTest('GET of that ZIP', async () => {
    const response = await person.fetch('GET', address);
    for await (const _chunk of response.body ?? []);
  });
}

const files = Array.from({ length: 1_000 }, (_, index) => ({
  name: `${'ü'.repeat(100)}${index}`,
  relativePath: `${'a/'.repeat(100)}${index}`,
  size: 1,
}));
for (const mode of ['ONLINE', 'OFFLINE']) {
  stallTest(`a transfer of 1,000 files in mode ${mode}`, async () => {
    const body = { mode, files };
    const made = await person.ask<PeerSession>('POST', TRANSFERS, { body });
    await lookUp(person, made.pickupCode ?? '');
    if (mode === 'ONLINE') await join(person, made);
    await person.ask('GET', `${TRANSFERS}/offline/mine`);
    await person.ask('DELETE', `${TRANSFERS}/${made.sessionId}`, withToken(made.peerToken));
  });
}

function stallTest(what: string, act: () => Promise<unknown>): void {
  test(`${what} does not stop the service`, async (t) => {
    const block = await measureBlock(act, (work) => service.measureBlock(work));
    t.diagnostic(`${block.toFixed(1)} ms`);
    assert.ok(block <= MAX_BLOCK_MS, `the event loop was blocked for ${block.toFixed(0)} ms`);
  });
}
