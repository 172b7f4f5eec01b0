import assert from 'node:assert/strict';
import type { Person } from '../app/person.ts';
import { toHash } from './load.ts';

interface StoredFile {
  readonly id: number;
  readonly hash: string;
}

/** Waits for the answer to a change, and counts it. */
type Acknowledge = <T>(answer: Promise<T>) => Promise<T>;

/**
 * The files of one directory, each under its own name. The acknowledged ones must exist with their bytes.
 * Apart from them, only the file whose request was interrupted may exist.
 */
export class Shelf {
  readonly directory: string;
  readonly #files = new Map<string, StoredFile>();
  /** The hash of each file that an unfinished request may have created, by name. */
  readonly #arriving = new Map<string, string>();
  /** Names that an unfinished request may have removed. */
  readonly #leaving = new Set<string>();
  /** Ids in the recycle bin that are yet to be deleted. */
  readonly #recycled: number[] = [];
  readonly #read = new Set<number>();

  constructor(directory: string) {
    this.directory = directory;
  }

  get size(): number {
    return this.#files.size;
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  /** Call before the request that creates the file. */
  expect(name: string, hash: string): void {
    this.#arriving.set(name, hash);
  }

  /** Call when the request is acknowledged. */
  add(name: string, id: number | null): void {
    const hash = this.#arriving.get(name) ?? this.#files.get(name)?.hash;
    assert.ok(id !== null && hash !== undefined, `${name} is there without having been sent`);
    const known = this.#files.get(name);
    if (known !== undefined) assert.equal(id, known.id, `${name} is there twice`);
    this.#arriving.delete(name);
    this.#files.set(name, { id, hash });
  }

  /** Deletes the oldest file permanently, in two steps. */
  async removeOldest(person: Person, acknowledge: Acknowledge): Promise<void> {
    const [id] = this.#recycled;
    if (id !== undefined) {
      const { status } = await acknowledge(person.call('DELETE', `/api/files/recycle-bin/${id}`));
      // An interrupted request may have deleted it.
      assert.ok(status === 200 || status === 404, `the purge of ${id} was answered with ${status}`);
      this.#recycled.shift();
      return;
    }
    for (const [name, file] of this.#files) {
      this.#leaving.add(name);
      await acknowledge(person.recycle(file));
      this.#leaving.delete(name);
      this.#files.delete(name);
      this.#recycled.push(file.id);
      return;
    }
  }

  async check(person: Person): Promise<void> {
    const { items } = await person.list(this.directory, { size: 1_000 });
    const found = new Map(items.map((entry) => [entry.filename, entry]));
    for (const [name, file] of this.#files) {
      const entry = found.get(name);
      if (entry !== undefined) {
        assert.equal(entry.id, file.id, `${this.directory}/${name} is another file`);
        continue;
      }
      assert.ok(this.#leaving.has(name), `${this.directory}/${name} was acknowledged and is not there`);
      this.#files.delete(name);
    }
    for (const [name, { id }] of found) {
      if (this.#files.has(name)) continue;
      const hash = this.#arriving.get(name) ?? assert.fail(`nobody has sent ${this.directory}/${name}`);
      this.#files.set(name, { id, hash });
    }
    this.#arriving.clear();
    this.#leaving.clear();
    await this.#readNewFiles(person);
  }

  clearReads(): void {
    this.#read.clear();
  }

  /** Each file is read once: its bytes never change. */
  async #readNewFiles(person: Person): Promise<void> {
    for (const [name, file] of this.#files) {
      if (this.#read.has(file.id)) continue;
      const bytes = await person.download(file);
      assert.equal(toHash(bytes), file.hash, `${this.directory}/${name} has other bytes than were sent`);
      this.#read.add(file.id);
    }
  }
}
