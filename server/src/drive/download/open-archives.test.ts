// tier: default
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, test } from 'node:test';
import type { DownloadClient } from '../../http/download/download-client.ts';
import { OpenArchives } from './open-archives.ts';
import type { TopEntry } from './zip-contents.ts';

const FILE = {
  id: 1,
  name: 'a',
  blobId: 1,
  size: 1,
  modifiedAt: 0,
  crc32: 1,
  isDirectory: false,
  childCount: 0,
};

/** The top entries of an archive of `count` files. */
const files = (count: number): readonly TopEntry[] =>
  Array.from({ length: count }, (_, index) => ({ ...FILE, id: index + 1, name: `${index}` }));

class Client extends EventEmitter implements DownloadClient {
  readonly key: string;
  readonly signal: AbortSignal;

  constructor(key: string, signal = new AbortController().signal) {
    super();
    this.key = key;
    this.signal = signal;
  }

  readonly onEnd = (call: () => void): void => void this.once('end', call);

  end(): void {
    this.emit('end');
  }
}

function makeArchives(limits: { archivesOfClient?: number; entriesOfClient?: number; entries?: number }) {
  const treeReader = { walk: async function* () {} };
  const all = { archivesOfClient: 2, entriesOfClient: 100, entries: 1_000, ...limits };
  return new OpenArchives({ treeReader, maxTreeEntries: 1_000, limits: all });
}

const REJECTED = { name: 'Failure', kind: 'too-many' };

describe('open archives', () => {
  test('are limited for each client, until its responses end', async () => {
    const archives = makeArchives({});
    const [first, second] = [new Client('alice'), new Client('alice')];
    await archives.read(files(1), first);
    await archives.read(files(1), second);
    await assert.rejects(archives.read(files(1), new Client('alice')), REJECTED);
    await archives.read(files(1), new Client('bob'));
    first.end();
    await archives.read(files(1), new Client('alice'));
    await assert.rejects(archives.read(files(1), new Client('alice')), REJECTED);
  });

  test('share the memory for their entries between clients', async () => {
    const archives = makeArchives({ entriesOfClient: 10, entries: 15 });
    const [alice, bob, carol] = [new Client('alice'), new Client('bob'), new Client('carol')];
    await assert.rejects(archives.read(files(11), alice), REJECTED);
    alice.end();
    assert.equal(archives.entryCount, 0);
    await archives.read(files(10), bob);
    await assert.rejects(archives.read(files(6), carol), REJECTED);
    carol.end();
    await archives.read(files(5), new Client('carol'));
    bob.end();
    assert.equal(archives.entryCount, 5);
  });

  test('stop counting when their client disconnects, even if their directory is still being read', async () => {
    const archives = makeArchives({});
    const client = new Client('alice');
    const reading = archives.read(files(50), client);
    client.end();
    await reading;
    assert.equal(archives.entryCount, 0);
  });
});
