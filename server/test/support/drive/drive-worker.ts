import assert from 'node:assert/strict';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { formOf, type Person } from '../app/person.ts';

/** The paths below a worker's directory, each with the SHA-256 of its bytes, or null for a directory. */
type Tree = ReadonlyMap<string, string | null>;

/** A change, and the tree after it. */
interface Step {
  readonly after: Tree;
  readonly act: () => Promise<EntryRecord | null>;
}

/**
 * Changes its own directory step by step, and remembers which changes were acknowledged. If the service
 * crashes, the running step must have happened completely or not at all.
 */
export class DriveWorker {
  acknowledged = 0;
  readonly #home: string;
  readonly #pauseMs: number;
  #person: Person;
  #tree: Tree = new Map();
  #ids = new Map<string, number>();
  #running: Tree | undefined;
  #isResting = false;
  /**
   * Hashes by entry id. Each file is read only once, because its bytes never change. A final check reads all
   * files again.
   */
  readonly #read = new Map<number, string>();

  /** @param pauseMs the time between two steps */
  constructor(person: Person, home: string, pauseMs = 0) {
    this.#person = person;
    this.#home = home;
    this.#pauseMs = pauseMs;
  }

  /**
   * Works until the service is gone or {@link rest} is called.
   * @param isInterruption whether an error leaves it unknown if the step has happened
   */
  async work(isInterruption = isBrokenConnection): Promise<void> {
    this.#isResting = false;
    while (!this.#isResting) {
      const { after, act } = this.#nextStep();
      this.#running = after;
      try {
        await act();
      } catch (error) {
        if (isInterruption(error)) return;
        throw error;
      }
      this.#tree = after;
      this.#running = undefined;
      this.acknowledged += 1;
      if (this.#pauseMs > 0) await sleep(this.#pauseMs);
    }
  }

  /** Stops after the running step. */
  rest(): void {
    this.#isResting = true;
  }

  /** Compares the stored tree with the acknowledged changes, byte for byte, and continues from it. */
  async compare(person: Person): Promise<void> {
    this.#person = person;
    const { tree, ids } = await this.#readHome();
    const found = linesOf(tree);
    const isAllDone = this.#running !== undefined && found.join() === linesOf(this.#running).join();
    if (!isAllDone) assert.deepEqual(found, linesOf(this.#tree));
    this.#tree = tree;
    this.#ids = ids;
    this.#running = undefined;
  }

  #nextStep(): Step {
    const files = [...this.#tree].filter(([, hash]) => hash !== null).map(([path]) => path);
    const file = files[randomInt(Math.max(1, files.length))];
    const chance = randomInt(10);
    if (file === undefined || chance < 5 || files.length < 4) return this.#upload();
    if (chance < 6) return this.#mkdir();
    return chance < 8 ? this.#move(file) : this.#recycle(file);
  }

  #upload(): Step {
    const bytes = randomBytes(randomInt(12) === 0 ? 3_000_000 : randomInt(60_000));
    const path = `${this.#newDirectory()}/${newName()}`;
    const after = this.#with(path, createHash('sha256').update(bytes).digest('hex'));
    return {
      after,
      act: async () => {
        const form = formOf(this.#home + path, new Uint8Array(bytes));
        return this.#remember(path, await this.#person.ask('POST', '/api/files/upload', { body: form }));
      },
    };
  }

  #mkdir(): Step {
    const path = `${this.#newDirectory()}/${newName()}`;
    return {
      after: this.#with(path, null),
      act: () => this.#person.ask('POST', '/api/files/mkdir', { body: { path: this.#home + path } }),
    };
  }

  #move(path: string): Step {
    const directories = [...this.#tree].filter(([, hash]) => hash === null).map(([each]) => each);
    const target = directories[randomInt(directories.length)] ?? '';
    const moved = `${target}/${path.slice(path.lastIndexOf('/') + 1)}`;
    const after = new Map(this.#tree);
    after.delete(path);
    after.set(moved, this.#tree.get(path) ?? null);
    return {
      after,
      act: async () => {
        const body = { path: this.#home + target };
        const url = `/api/files/${this.#ids.get(path)}/move`;
        return this.#remember(moved, await this.#person.ask('PATCH', url, { body }));
      },
    };
  }

  #recycle(path: string): Step {
    const after = new Map(this.#tree);
    after.delete(path);
    return { after, act: () => this.#person.ask('DELETE', `/api/files/${this.#ids.get(path)}`) };
  }

  /** A directory that exists, or one that the step creates. */
  #newDirectory(): string {
    return `/${'abcdefgh'[randomInt(8)]}/${'uvwxyz'[randomInt(6)]}`;
  }

  #with(path: string, hash: string | null): Tree {
    const after = new Map(this.#tree);
    for (let cut = path.indexOf('/', 1); cut > 0; cut = path.indexOf('/', cut + 1)) {
      after.set(path.slice(0, cut), null);
    }
    return after.set(path, hash);
  }

  #remember(path: string, record: EntryRecord): EntryRecord {
    this.#ids.set(path, record.id);
    return record;
  }

  async #readHome(): Promise<{ tree: Map<string, string | null>; ids: Map<string, number> }> {
    const tree = new Map<string, string | null>();
    const ids = new Map<string, number>();
    const waiting = [''];
    for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
      const answer = await this.#person.call<{ items: EntryRecord[] } | null>(
        'GET',
        `/api/files/list?${new URLSearchParams({ path: this.#home + directory, size: '1000' })}`,
      );
      // The first step, which also creates the home directory, has not happened.
      if (answer.data === null && directory === '') break;
      for (const entry of answer.data?.items ?? assert.fail(`no ${directory}`)) {
        const path = entry.path.slice(this.#home.length);
        ids.set(path, entry.id);
        tree.set(path, entry.directory ? null : await this.#hashOf(entry));
        if (entry.directory) waiting.push(path);
      }
    }
    return { tree, ids };
  }

  async #hashOf(entry: EntryRecord): Promise<string> {
    const known = this.#read.get(entry.id);
    if (known !== undefined) return known;
    const hash = createHash('sha256')
      .update(await this.#person.download(entry))
      .digest('hex');
    this.#read.set(entry.id, hash);
    return hash;
  }
}

/** Whether fetch threw the error because the connection broke. Error answers are failures of the test. */
export function isBrokenConnection(error: unknown): boolean {
  return error instanceof TypeError;
}

function linesOf(tree: Tree): string[] {
  return [...tree].map(([path, hash]) => `${path} ${hash}`).toSorted();
}

function newName(): string {
  return randomBytes(6).toString('hex');
}
