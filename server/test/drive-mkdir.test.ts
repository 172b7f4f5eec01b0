import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EntryRecord } from '../src/drive/contract.ts';
import { startHoldall } from './support/holdall.ts';

const holdall = await startHoldall();
/** Somebody who changes nothing. */

const DEFAULTS = ['Documents', 'Downloads', 'Pictures'];
const NFC = 'Café';
const NFD = 'Cafe\u0301';

describe('making directories', () => {
  test('a new drive holds the default directories', async () => {
    const alice = await holdall.register('alice');
    assert.deepEqual(await alice.names(), DEFAULTS);
  });

  test('a new directory is answered with its record', async () => {
    const alice = await holdall.register('alice');
    const before = holdall.clock.now();
    const { id, createdAt, updatedAt, ...record } = await alice.mkdir('/Documents/Letters');
    assert.deepEqual(record, {
      filename: 'Letters',
      path: '/Documents/Letters',
      parentPath: '/Documents',
      size: 0,
      contentType: null,
      directory: true,
    });
    assert.ok(Number.isSafeInteger(id) && id > 0);
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(updatedAt, createdAt);
    assert.ok(Date.parse(createdAt) >= before && Date.parse(createdAt) <= holdall.clock.now());
  });

  const form = new FormData();
  form.set('path', '/by multipart');
  const bodies: readonly [string, string, { body?: unknown; headers?: Record<string, string> }][] = [
    ['by JSON', '', { body: { path: '/by JSON' } }],
    ['by form', '', { body: new URLSearchParams({ path: '/by form' }) }],
    ['by multipart', '', { body: form }],
    ['by query', '?path=/by%20query', {}],
    ['by query', '?path=/by%20query', { body: {} }],
    ['by query', '?path=/by%20query', { body: '', headers: { 'content-type': 'application/json' } }],
    ['by JSON', '?path=/by%20query', { body: { path: '/by JSON' } }],
  ];
  for (const [index, [name, query, options]] of bodies.entries()) {
    test(`the path is taken ${name} (${index + 1})`, async () => {
      const alice = await holdall.register('alice');
      const made = await alice.ask<EntryRecord>('POST', `/api/files/mkdir${query}`, options);
      assert.equal(made.path, `/${name}`);
      assert.deepEqual(await alice.names(), [...DEFAULTS, name].sort(foldedOrder));
    });
  }

  test('missing parents are made', async () => {
    const alice = await holdall.register('alice');
    const made = await alice.mkdir('/2026/May/Rome');
    assert.deepEqual([made.parentPath, made.path], ['/2026/May', '/2026/May/Rome']);
    assert.deepEqual(pathsOf(await alice.tree('/2026')), ['/2026/May', '/2026/May/Rome']);
  });

  const written: readonly [string, string][] = [
    ['plain', '/plain'],
    ['/trailing/', '/trailing'],
    ['//much///too//many', '/much/too/many'],
    [`/${NFD}`, `/${NFC}`],
    ['/ outer blanks ', '/ outer blanks '],
    ['/%2e%2e', '/%2e%2e'],
    ['/...', '/...'],
    [`/${'é'.repeat(127)}`, `/${'é'.repeat(127)}`],
    [`/deep${'/d'.repeat(127)}`, `/deep${'/d'.repeat(127)}`],
  ];
  for (const [sent, path] of written) {
    test(`the path ${shorten(sent)} means ${shorten(path)}`, async () => {
      const alice = await holdall.register('alice');
      assert.equal((await alice.mkdir(sent)).path, path);
      assert.equal((await alice.list(path)).total, 0);
    });
  }

  for (const path of ['/', '', '//']) {
    test(`the root cannot be made ("${path}")`, async () => {
      const alice = await holdall.register('alice');
      await alice.refused(400, 1003, 'POST', '/api/files/mkdir', { body: { path } });
    });
  }

  test('without a path nothing is made', async () => {
    const alice = await holdall.register('alice');
    for (const options of [{}, { body: {} }, { body: new FormData() }]) {
      await alice.refused(400, 1000, 'POST', '/api/files/mkdir', options);
    }
  });

  test('a taken name is refused, whatever has it', async () => {
    const alice = await holdall.register('alice');
    await alice.mkdir(`/${NFC}`);
    await alice.upload('/notes.txt', 'notes');
    for (const path of [`/${NFC}`, `/${NFD}`, '/notes.txt', '/Documents/']) {
      await alice.refused(409, 1003, 'POST', '/api/files/mkdir', { body: { path } });
    }
  });

  test('a file in the way is a conflict, and nothing is made', async () => {
    const alice = await holdall.register('alice');
    await alice.upload('/new.txt', 'a file');
    const before = await alice.state();
    for (const path of ['/new.txt/below', '/new.txt/below/that']) {
      await alice.refused(409, 1003, 'POST', '/api/files/mkdir', { body: { path } });
    }
    assert.deepEqual(await alice.state(), before);
  });

  test('names that differ in case are different names', async () => {
    const alice = await holdall.register('alice');
    await alice.mkdir('/documents');
    await alice.upload('/DOCUMENTS', 'a file');
    assert.deepEqual(await alice.names(), ['Documents', 'documents', 'Downloads', 'Pictures', 'DOCUMENTS']);
  });
});

function pathsOf(records: readonly EntryRecord[]): string[] {
  return records.map((record) => record.path);
}

function foldedOrder(one: string, other: string): number {
  return one.toLowerCase() < other.toLowerCase() ? -1 : 1;
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 30 ? `${text.slice(0, 27)}...` : text);
}
