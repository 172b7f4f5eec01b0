// A shadow of a directory that knows which of its data a power cut may destroy.
//
// The file system calls of the store run as usual. In addition, this records for every file and directory
// below the root what was flushed and what was not: bytes after `fdatasync` or from a descriptor with
// O_DSYNC, names after `fsync` of their directory. `cut` builds the directory that a power cut leaves at this
// moment: all flushed data, and none or a random part of the rest. Names that were not flushed survive in the
// order in which they were made, as in the journal of a file system; unflushed writes survive in any
// combination.
import fs from 'node:fs';
import path from 'node:path';
import { mock } from 'node:test';
import type { Random } from '../../../../../tools/fuzz/requests/random.ts';

type Done<T = void> = (error: NodeJS.ErrnoException | null, result?: T) => void;

interface Write {
  /** Undefined truncates the file, or extends it with zeros, to `at`. */
  readonly bytes: Buffer | undefined;
  readonly at: number;
}

class ShadowFile {
  flushed: Buffer;
  unflushed: readonly Write[] = [];

  constructor(flushed = Buffer.alloc(0)) {
    this.flushed = flushed;
  }

  flush(writes: readonly Write[]): void {
    for (const write of writes) this.flushed = applyWrite(this.flushed, write);
    this.unflushed = this.unflushed.filter((write) => !writes.includes(write));
  }

  /** The bytes after a power cut. Without `random`, only flushed bytes are left. */
  afterCut(random?: Random): Buffer {
    if (random === undefined) return this.flushed;
    return this.unflushed.filter(() => random.chance(50)).reduce(applyWrite, this.flushed);
  }
}

class ShadowDirectory {
  readonly names: ReadonlyMap<string, ShadowFile | ShadowDirectory>;

  constructor(names: ReadonlyMap<string, ShadowFile | ShadowDirectory> = new Map()) {
    this.names = names;
  }
}

type Node = ShadowFile | ShadowDirectory;

interface NameChange {
  readonly directory: ShadowDirectory;
  readonly name: string;
  /** Undefined removes the name. */
  readonly node: Node | undefined;
}

/** The changes of names by one system call: a rename changes two. */
interface NameChanges {
  readonly changes: readonly NameChange[];
  isFlushed: boolean;
}

export class PowerLossDisk {
  readonly #rootPath: string;
  readonly #root: ShadowDirectory;
  readonly #open = new Map<number, { readonly node: Node; readonly isSync: boolean }>();
  readonly #changes: NameChanges[] = [];
  /** The names as they are now. */
  readonly #current = new Map<ShadowDirectory, Map<string, Node>>();

  /** The current content of the root counts as flushed. */
  constructor(root: string) {
    this.#rootPath = root;
    this.#root = this.#load(root);
    this.#observe();
  }

  /** Stops recording. */
  stop(): void {
    mock.restoreAll();
  }

  /** The number of names and writes that a power cut could take. */
  get unflushedCount(): number {
    const files = [...this.#current.values()].flatMap((names) => [...names.values()]);
    const writes = files.map((node) => (node instanceof ShadowFile ? node.unflushed.length : 0));
    const names = this.#changes.filter(({ isFlushed }) => !isFlushed).length;
    return writes.reduce((sum, count) => sum + count, names);
  }

  /**
   * Writes the directory that a power cut would leave now into `target`, synchronously. Without `random`,
   * only flushed data is left.
   */
  cut(target: string, random?: Random): void {
    const unflushed = this.#changes.filter(({ isFlushed }) => !isFlushed);
    const kept = new Set(unflushed.slice(0, random?.below(unflushed.length + 1) ?? 0));
    const names = new Map<ShadowDirectory, Map<string, Node>>();
    const namesOf = (directory: ShadowDirectory) =>
      getOrCreate(names, directory, () => new Map(directory.names));
    for (const change of this.#changes.filter((one) => one.isFlushed || kept.has(one))) {
      for (const one of change.changes) applyChange(namesOf, one);
    }
    const write = (node: Node, at: string) => {
      if (node instanceof ShadowFile) return fs.writeFileSync(at, node.afterCut(random));
      fs.mkdirSync(at, { recursive: true });
      for (const [name, child] of namesOf(node)) write(child, path.join(at, name));
    };
    write(this.#root, target);
  }

  #load(directory: string): ShadowDirectory {
    const names = new Map<string, Node>();
    for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
      const at = path.join(directory, entry.name);
      names.set(entry.name, entry.isDirectory() ? this.#load(at) : new ShadowFile(fs.readFileSync(at)));
    }
    return new ShadowDirectory(names);
  }

  #namesOf(directory: ShadowDirectory): Map<string, Node> {
    return getOrCreate(this.#current, directory, () => new Map(directory.names));
  }

  /** Undefined for a path outside the root, or one that does not exist. */
  #find(at: string): Node | undefined {
    const relative = path.relative(this.#rootPath, at);
    if (relative === '') return this.#root;
    let node: Node | undefined = this.#root;
    for (const name of relative.split(path.sep)) {
      node = node instanceof ShadowDirectory ? this.#namesOf(node).get(name) : undefined;
    }
    return node;
  }

  #change(...entries: readonly (readonly [at: string, node: Node | undefined])[]): void {
    const changes = entries.flatMap(([at, node]) => {
      const directory = this.#find(path.dirname(at));
      return directory instanceof ShadowDirectory ? [{ directory, name: path.basename(at), node }] : [];
    });
    if (changes.length === 0) return;
    for (const change of changes) applyChange((directory) => this.#namesOf(directory), change);
    this.#changes.push({ changes, isFlushed: false });
  }

  #write(descriptor: number, write: Write): void {
    const open = this.#open.get(descriptor);
    if (!(open?.node instanceof ShadowFile)) return;
    open.node.unflushed = [...open.node.unflushed, write];
    if (open.isSync) open.node.flush([write]);
  }

  #observe(): void {
    const { open, write, writev, fdatasync, fsync, ftruncate, copyFile, rename, unlink, mkdir, rmdir } = fs;

    mock.method(fs, 'open', (at: string, flags: number, ...rest: [number, Done<number>] | [Done<number>]) => {
      const done = rest.at(-1) as Done<number>;
      const onOpen: Done<number> = (error, descriptor = -1) => {
        if (!error) this.#onOpen(at, flags, descriptor);
        done(error, descriptor);
      };
      open(at, flags, rest.length === 2 ? rest[0] : undefined, onOpen as never);
    });
    mock.method(
      fs,
      'write',
      (
        descriptor: number,
        from: Uint8Array,
        offset: number,
        length: number,
        at: number,
        done: Done<number>,
      ) => {
        const bytes = Buffer.from(from.subarray(offset, offset + length));
        write(descriptor, from, offset, length, at, (error, written) => {
          if (!error) this.#write(descriptor, { bytes: bytes.subarray(0, written), at });
          done(error, written);
        });
      },
    );
    mock.method(fs, 'writev', (descriptor: number, chunks: Uint8Array[], at: number, done: Done<number>) => {
      const bytes = Buffer.concat(chunks);
      writev(descriptor, chunks, at, (error, written) => {
        if (!error) this.#write(descriptor, { bytes: bytes.subarray(0, written), at });
        done(error, written);
      });
    });
    mock.method(fs, 'ftruncate', (descriptor: number, size: number, done: Done) => {
      ftruncate(descriptor, size, (error) => {
        if (!error) this.#write(descriptor, { bytes: undefined, at: size });
        done(error);
      });
    });
    for (const [name, flush] of [
      ['fdatasync', fdatasync],
      ['fsync', fsync],
    ] as const) {
      mock.method(fs, name, (descriptor: number, done: Done) => {
        // A flush covers all changes that were made before it began.
        const commit = this.#prepareFlush(descriptor);
        flush(descriptor, (error) => {
          if (!error) commit();
          done(error);
        });
      });
    }
    mock.method(fs, 'copyFile', (from: string, to: string, mode: number, done: Done) => {
      copyFile(from, to, mode, (error) => {
        if (!error && this.#find(path.dirname(to)) !== undefined) {
          const copy = new ShadowFile();
          copy.unflushed = [{ bytes: fs.readFileSync(from), at: 0 }];
          this.#change([to, copy]);
        }
        done(error);
      });
    });
    mock.method(fs, 'rename', (from: string, to: string, done: Done) => {
      rename(from, to, (error) => {
        if (!error) this.#change([to, this.#find(from)], [from, undefined]);
        done(error);
      });
    });
    for (const [name, remove] of [
      ['unlink', unlink],
      ['rmdir', rmdir],
    ] as const) {
      mock.method(fs, name, (at: string, done: Done) => {
        remove(at, (error) => {
          if (!error) this.#change([at, undefined]);
          done(error);
        });
      });
    }
    mock.method(fs, 'mkdir', (at: string, options: fs.MakeDirectoryOptions, done: Done<string>) => {
      mkdir(at, options, (error, first) => {
        const isNew = !error && this.#find(at) === undefined;
        if (isNew) this.#change([at, new ShadowDirectory()]);
        done(error, first);
      });
    });
  }

  #onOpen(at: string, flags: number, descriptor: number): void {
    this.#open.delete(descriptor);
    if ((flags & fs.constants.O_CREAT) !== 0 && this.#find(at) === undefined) {
      this.#change([at, new ShadowFile()]);
    }
    const node = this.#find(at);
    const isSync = (flags & fs.constants.O_DSYNC) !== 0;
    if (node !== undefined) this.#open.set(descriptor, { node, isSync });
  }

  /** Returns a function that must be called when the flush has succeeded. */
  #prepareFlush(descriptor: number): () => void {
    const node = this.#open.get(descriptor)?.node;
    if (node instanceof ShadowFile) {
      const writes = node.unflushed;
      return () => node.flush(writes);
    }
    const names = this.#changes.filter(({ changes }) => changes.some(({ directory }) => directory === node));
    return () => {
      for (const change of names) change.isFlushed = true;
    };
  }
}

function applyWrite(content: Buffer, { bytes, at }: Write): Buffer {
  const size = bytes === undefined ? at : Math.max(content.length, at + bytes.length);
  const result = Buffer.alloc(size);
  content.copy(result);
  bytes?.copy(result, at);
  return result;
}

function applyChange(
  namesOf: (directory: ShadowDirectory) => Map<string, Node>,
  { directory, name, node }: NameChange,
): void {
  if (node === undefined) namesOf(directory).delete(name);
  else namesOf(directory).set(name, node);
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = create();
  map.set(key, created);
  return created;
}
