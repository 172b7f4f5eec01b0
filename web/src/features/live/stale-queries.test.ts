// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { QueryKey } from '@tanstack/react-query';
import { KEYS } from '../../api/keys.ts';
import { type FileEvent, isStale, toStaleQueries } from './stale-queries.ts';

const SORTED = { sort: 'name' };
const KNOWN: readonly QueryKey[] = [
  KEYS.entries('/'),
  [...KEYS.entries('/a'), SORTED],
  [...KEYS.entries('/a/b'), SORTED],
  KEYS.entries('/ab'),
  KEYS.entry(7),
  KEYS.entry(8),
  KEYS.recent(),
  [...KEYS.search('personal'), 'x'],
  KEYS.bin(),
  KEYS.shares(),
  KEYS.tasks(),
  KEYS.profile(),
];

const FILE: FileEvent = {
  eventType: 'CREATED',
  fileId: 7,
  fromPath: null,
  toPath: '/a/x.txt',
  payload: { directory: false },
};

function keysStaleAfter(event: Partial<FileEvent>): QueryKey[] {
  const stale = toStaleQueries({ ...FILE, ...event });
  return KNOWN.filter((key) => stale !== undefined && isStale(key, stale));
}

describe('an event affects', () => {
  test('the directory of a new file in every sort order, but not sibling directories', () => {
    assert.deepEqual(keysStaleAfter({}), [
      [...KEYS.entries('/a'), SORTED],
      KEYS.entry(7),
      KEYS.recent(),
      [...KEYS.search('personal'), 'x'],
      KEYS.tasks(),
    ]);
  });

  test('both directories of a move', () => {
    const keys = keysStaleAfter({ eventType: 'MOVED', fromPath: '/x.txt', toPath: '/ab/x.txt' });
    assert.deepEqual(keys.slice(0, 3), [KEYS.entries('/'), KEYS.entries('/ab'), KEYS.entry(7)]);
  });

  test('everything below a deleted directory, and the details of everything that may have been in it', () => {
    const keys = keysStaleAfter({
      eventType: 'DELETED',
      fromPath: '/a',
      toPath: null,
      payload: { directory: true },
    });
    assert.deepEqual(keys, [
      KEYS.entries('/'),
      [...KEYS.entries('/a'), SORTED],
      [...KEYS.entries('/a/b'), SORTED],
      KEYS.entry(7),
      KEYS.entry(8),
      KEYS.recent(),
      [...KEYS.search('personal'), 'x'],
      KEYS.bin(),
      KEYS.shares(),
    ]);
  });

  test('only the recycle bin, when an entry in it is purged', () => {
    const purged = { eventType: 'PURGED', fromPath: '/a', toPath: null, payload: { directory: true } };
    assert.deepEqual(keysStaleAfter(purged), [KEYS.bin()]);
  });

  test('the storage meter, when the number of stored bytes changes', () => {
    const usage = (eventType: string) => toStaleQueries({ ...FILE, eventType })?.usage;
    assert.deepEqual(['CREATED', 'UPDATED', 'DELETED', 'RESTORED'].map(usage), [true, true, true, true]);
    assert.deepEqual(['RENAMED', 'MOVED', 'PURGED'].map(usage), [false, false, false]);
  });

  test('everything, when the type of the event is unknown', () => {
    assert.equal(toStaleQueries({ ...FILE, eventType: 'TELEPORTED' }), undefined);
  });
});
