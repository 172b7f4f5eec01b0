// A separate process that uses a store on local disk, for tests that kill it or fill its disk:
// `store-child.ts endless <root>`, `store-child.ts pieces <root>` or `store-child.ts full <root>`.
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../../src/base/failure.ts';
import { LocalDiskStore } from '../../../src/storage/disk/local-disk.ts';
import { NOTHING_WRITTEN, type ResumePoint } from '../../../src/storage/resumable-writes.ts';
import { numberedBytes, send } from './byte-sources.ts';
import { MIB } from './store-assertions.ts';

/** The only line that `full` prints. */
export interface FullDiskReport {
  readonly failures: readonly string[];
  readonly objects: readonly string[];
  readonly incoming: readonly string[];
  readonly openFiles: number;
  readonly sizeAfterwards: number;
}

/** The size of the object that `pieces` never finishes. */
const PIECES_BYTES = 192 * MIB;

const [, , mode, root] = process.argv;
if (root === undefined) throw new Error('The argument <root> is missing.');
const store = new LocalDiskStore(root);
const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

if (mode === 'endless') {
  await Promise.all([writeWithoutEnd(), writeAndPrint()]);
} else if (mode === 'pieces') {
  await writePieces();
} else {
  const before = (await readdir('/proc/self/fd')).length;
  const failures = [
    await failureOf(store.write('full/large', send(...Array(64).fill(randomBytes(65_536))))),
    // The last write crosses the limit: the disk accepts a part of it without an error.
    await failureOf(store.write('full/last', send(...Array(2).fill(randomBytes(655_360))))),
    await failureOf(writeTooLargePiece()),
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
  print(report);
}

async function failureOf(writing: Promise<unknown>): Promise<string> {
  try {
    await writing;
    return 'none';
  } catch (error) {
    return error instanceof Failure && error.cause instanceof Error ? error.kind : String(error);
  }
}

async function writeTooLargePiece(): Promise<void> {
  const key = 'full/pieces';
  const write = { key, id: await store.resumable.begin(key), size: 4 * MIB };
  try {
    await store.resumable.append(write, NOTHING_WRITTEN, send(...numberedBytes(0, 4 * MIB)), {
      signal: new AbortController().signal,
      newKey: () => 'full/tail',
      onPoint: async () => {},
    });
  } finally {
    await store.resumable.abort(write, NOTHING_WRITTEN);
  }
}

async function writeWithoutEnd(): Promise<void> {
  await store.write('killed/endless', trickle());
}

/** Writes five pieces of 3 MiB, then a long one. Prints each point. */
async function writePieces(): Promise<void> {
  const key = 'killed/pieces';
  const write = { key, id: await store.resumable.begin(key), size: PIECES_BYTES };
  let point: ResumePoint = NOTHING_WRITTEN;
  const ends = [3, 6, 9, 12, 15].map((mebibytes) => mebibytes * MIB);
  for (const source of [
    ...ends.map((end) => () => slowly(numberedBytes(point.size, end))),
    // The process is killed while it waits for the last bytes.
    () => slowlyWithoutEnd(numberedBytes(point.size, PIECES_BYTES - MIB)),
  ]) {
    await store.resumable.append(write, point, source(), {
      signal: new AbortController().signal,
      newKey: () => 'killed/tail',
      onPoint: async (reached) => {
        point = reached;
        print({ id: write.id, point });
      },
    });
  }
}

async function* slowly(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    yield chunk;
    await nextRound();
  }
}

async function* slowlyWithoutEnd(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* slowly(chunks);
  await sleep(600_000);
}

async function* trickle(): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield randomBytes(262_144);
    await sleep(5);
  }
}

async function writeAndPrint(): Promise<void> {
  for (let number = 1; ; number += 1) {
    const digest = await store.write(`killed/acknowledged/${number}`, send(randomBytes(number * 1_000)));
    print({ key: `killed/acknowledged/${number}`, ...digest });
  }
}
