// A program of its own that uses a store on local disk, for tests that kill it or take its disk away:
// `store-child.ts endless <root>` or `store-child.ts full <root>`.
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../src/base/failure.ts';
import { LocalDiskStore } from '../../src/storage/local-disk.ts';
import { send } from './byte-sources.ts';

/** What `full` tells on its only line. */
export interface FullDiskReport {
  readonly failures: readonly string[];
  readonly objects: readonly string[];
  readonly incoming: readonly string[];
  readonly openFiles: number;
  readonly sizeAfterwards: number;
}

const [, , mode, root] = process.argv;
if (root === undefined) throw new Error('A root is needed.');
const store = new LocalDiskStore(root);
const tell = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

if (mode === 'endless') {
  await Promise.all([writeWithoutEnd(), writeAndTell()]);
} else {
  const before = (await readdir('/proc/self/fd')).length;
  const failures = [
    await failureOf(store.write('full/large', send(...Array(64).fill(randomBytes(65_536))))),
    // The last write begins inside the limit and ends outside: the disk takes a part of it without an error.
    await failureOf(store.write('full/last', send(...Array(2).fill(randomBytes(655_360))))),
  ];
  const objects: string[] = [];
  for await (const object of store.list('')) objects.push(object.key);
  const report: FullDiskReport = {
    failures,
    objects,
    incoming: await readdir(path.join(root, '.incoming')),
    openFiles: (await readdir('/proc/self/fd')).length - before,
    sizeAfterwards: (await store.write('full/small', send(Buffer.alloc(4_096)))).size,
  };
  tell(report);
}

async function failureOf(writing: Promise<unknown>): Promise<string> {
  try {
    await writing;
    return 'none';
  } catch (error) {
    return error instanceof Failure && error.cause instanceof Error ? error.kind : String(error);
  }
}

async function writeWithoutEnd(): Promise<void> {
  await store.write('killed/endless', trickle());
}

async function* trickle(): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield randomBytes(262_144);
    await sleep(5);
  }
}

async function writeAndTell(): Promise<void> {
  for (let number = 1; ; number += 1) {
    const digest = await store.write(`killed/acknowledged/${number}`, send(randomBytes(number * 1_000)));
    tell({ key: `killed/acknowledged/${number}`, ...digest });
  }
}
