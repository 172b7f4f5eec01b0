// tier: full
// runs on: sqlite
// Lists of as many files as a page may have, each with the longest path.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLargeTree } from '../support/stalls/large-drive.ts';
import { MAX_BLOCK_MS, measureBlock } from '../support/stalls/longest-block.ts';
import { MeasuredService } from '../support/stalls/measured-service.ts';

const service = await MeasuredService.start();
const person = await service.logIn('lara');

let above = '';
for (let level = 0; level < 14; level += 1) {
  above += `/${'ü'.repeat(120)}${level}`;
  await person.mkdir(above);
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
  test(`GET ${list.slice(0, 60)} of long paths does not stop the service`, async (t) => {
    const act = () => person.ask('GET', `${list}&size=1000`);
    const block = await measureBlock(act, (work) => service.measureBlock(work));
    t.diagnostic(`${block.toFixed(1)} ms`);
    assert.ok(block <= MAX_BLOCK_MS, `the event loop was blocked for ${block.toFixed(0)} ms`);
  });
}
