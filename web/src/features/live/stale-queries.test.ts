// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { QueryKey } from '@tanstack/react-query';
import { KEYS } from '../../api/keys.ts';
import { type FileEvent, isOfDrive, isStale, toStaleQueries } from './stale-queries.ts';

const SORTED = { sort: 'name' };
const KNOWN: readonly QueryKey[] = [
  KEYS.entries('/', 'personal'),
  [...KEYS.entries('/a', 'personal'), SORTED],
  [...KEYS.entries('/a/b', 'personal'), SORTED],
  KEYS.entries('/ab', 'personal'),
  KEYS.entry(7),
  KEYS.entry(8),
  KEYS.recent('personal'),
  [...KEYS.search('personal'), 'x'],
  KEYS.bin('personal'),
  KEYS.shares('personal'),
  KEYS.tasks('personal'),
  KEYS.profile(),
  // Another drive may have a folder with the same path.
  KEYS.entries('/a', 12),
  KEYS.recent(12),
  KEYS.bin(12),
];

const FILE: FileEvent = {
  eventType: 'CREATED',
  fileId: 7,
  fromPath: null,
  toPath: '/a/x.txt',
  payload: { directory: false },
};

function keysStaleAfter(event: Partial<FileEvent>): QueryKey[] {
  const stale = toStaleQueries({ ...FILE, ...event }, 'personal');
  return KNOWN.filter((key) => stale !== undefined && isStale(key, stale));
}

describe('an event affects', () => {
  test('the directory of a new file in every sort order, but not sibling directories', () => {
    assert.deepEqual(keysStaleAfter({}), [
      [...KEYS.entries('/a', 'personal'), SORTED],
      KEYS.entry(7),
      KEYS.recent('personal'),
      [...KEYS.search('personal'), 'x'],
      KEYS.tasks('personal'),
    ]);
  });

  test('both directories of a move', () => {
    const keys = keysStaleAfter({ eventType: 'MOVED', fromPath: '/x.txt', toPath: '/ab/x.txt' });
    assert.deepEqual(keys.slice(0, 3), [
      KEYS.entries('/', 'personal'),
      KEYS.entries('/ab', 'personal'),
      KEYS.entry(7),
    ]);
  });

  test('everything below a deleted directory, and the details of everything that may have been in it', () => {
    const keys = keysStaleAfter({
      eventType: 'DELETED',
      fromPath: '/a',
      toPath: null,
      payload: { directory: true },
    });
    assert.deepEqual(keys, [
      KEYS.entries('/', 'personal'),
      [...KEYS.entries('/a', 'personal'), SORTED],
      [...KEYS.entries('/a/b', 'personal'), SORTED],
      KEYS.entry(7),
      KEYS.entry(8),
      KEYS.recent('personal'),
      [...KEYS.search('personal'), 'x'],
      KEYS.bin('personal'),
      KEYS.shares('personal'),
    ]);
  });

  test('only the recycle bin, when an entry in it is purged', () => {
    const purged = { eventType: 'PURGED', fromPath: '/a', toPath: null, payload: { directory: true } };
    assert.deepEqual(keysStaleAfter(purged), [KEYS.bin('personal')]);
  });

  test('the storage meter, when the number of stored bytes changes', () => {
    const usage = (eventType: string) => toStaleQueries({ ...FILE, eventType }, 'personal')?.usage;
    assert.deepEqual(['CREATED', 'UPDATED', 'DELETED', 'RESTORED'].map(usage), [true, true, true, true]);
    assert.deepEqual(['RENAMED', 'MOVED', 'PURGED'].map(usage), [false, false, false]);
  });

  test('everything, when the type of the event is unknown', () => {
    assert.equal(toStaleQueries({ ...FILE, eventType: 'TELEPORTED' }, 'personal'), undefined);
  });
});

test('missed events affect the lists of their drive; those of the personal drive also the account', () => {
  const of12 = [KEYS.entries('/a', 12), KEYS.recent(12), KEYS.bin(12)];
  const entries = [KEYS.entry(7), KEYS.entry(8)];
  assert.deepEqual(
    KNOWN.filter((key) => isOfDrive(key, 12)),
    [...entries, ...of12],
  );
  assert.deepEqual(
    KNOWN.filter((key) => isOfDrive(key, 'personal')),
    KNOWN.filter((key) => !of12.some((other) => other.join() === key.join())),
  );
});

test('no event makes searches in content stale, which the search page repeats', () => {
  const stale = toStaleQueries(FILE, 'personal') ?? assert.fail();
  for (const key of [KEYS.contentSearch('personal'), KEYS.contentSearch(12)]) {
    assert.ok(!isStale([...key, 'x'], stale));
    assert.ok(!isOfDrive([...key, 'x'], 'personal'));
    assert.ok(!isOfDrive([...key, 'x'], 12));
  }
});
