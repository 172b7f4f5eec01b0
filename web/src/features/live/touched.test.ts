// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { QueryKey } from '@tanstack/react-query';
import { KEYS } from '../../api/keys.ts';
import { type FileEvent, isTouched, touchedBy } from './touched.ts';

const SORTED = { sort: 'name' };
const KNOWN: readonly QueryKey[] = [
  KEYS.entries('/'),
  [...KEYS.entries('/a'), SORTED],
  [...KEYS.entries('/a/b'), SORTED],
  KEYS.entries('/ab'),
  KEYS.entry(7),
  KEYS.entry(8),
  KEYS.recent(),
  KEYS.search('x'),
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

function keysTouchedBy(event: Partial<FileEvent>): QueryKey[] {
  const touched = touchedBy({ ...FILE, ...event });
  return KNOWN.filter((key) => touched !== undefined && isTouched(key, touched));
}

describe('an event affects', () => {
  test('the directory of a new file in every sort order, but not sibling directories', () => {
    assert.deepEqual(keysTouchedBy({}), [
      [...KEYS.entries('/a'), SORTED],
      KEYS.entry(7),
      KEYS.recent(),
      KEYS.search('x'),
      KEYS.tasks(),
    ]);
  });

  test('both directories of a move', () => {
    const keys = keysTouchedBy({ eventType: 'MOVED', fromPath: '/x.txt', toPath: '/ab/x.txt' });
    assert.deepEqual(keys.slice(0, 3), [KEYS.entries('/'), KEYS.entries('/ab'), KEYS.entry(7)]);
  });

  test('everything below a deleted directory, and the details of everything that may have been in it', () => {
    const keys = keysTouchedBy({
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
      KEYS.search('x'),
      KEYS.bin(),
      KEYS.shares(),
    ]);
  });

  test('only the recycle bin, when an entry in it is purged', () => {
    const purged = { eventType: 'PURGED', fromPath: '/a', toPath: null, payload: { directory: true } };
    assert.deepEqual(keysTouchedBy(purged), [KEYS.bin()]);
  });

  test('the storage meter, when the number of stored bytes changes', () => {
    const usage = (eventType: string) => touchedBy({ ...FILE, eventType })?.usage;
    assert.deepEqual(['CREATED', 'UPDATED', 'DELETED', 'RESTORED'].map(usage), [true, true, true, true]);
    assert.deepEqual(['RENAMED', 'MOVED', 'PURGED'].map(usage), [false, false, false]);
  });

  test('everything, when the type of the event is unknown', () => {
    assert.equal(touchedBy({ ...FILE, eventType: 'TELEPORTED' }), undefined);
  });
});
