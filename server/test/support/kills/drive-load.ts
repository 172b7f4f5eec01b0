import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { Load, toHash } from './load.ts';

/** The SHA-256 of each file, and null for a directory, by path. */
type Tree = ReadonlyMap<string, string | null>;

interface DriveState {
  readonly live: Tree;
  /** Each recycled tree by its former path. Paths in it are relative to its root, whose own path is empty. */
  readonly bin: ReadonlyMap<string, Tree>;
}

/** A change, and the drive after it. */
interface Change {
  readonly after: DriveState;
  readonly send: () => Promise<unknown>;
}

const MAX_ENTRIES = 40;
const MAX_RECYCLED = 6;
const MAX_COPIED = 10;

/** Uploads by form, creates directories, and renames, moves, copies, recycles, restores and purges entries. */
export class DriveLoad extends Load {
  #state: DriveState = { live: new Map(), bin: new Map() };
  /** The drive once the running change has been acknowledged. */
  #running: DriveState | undefined;
  readonly #read = new Map<number, string>();

  clearReads(): void {
    this.#read.clear();
  }

  protected async step(): Promise<void> {
    const { after, send } = await this.#nextChange();
    this.#running = after;
    await this.acknowledge(send());
    this.#state = after;
    this.#running = undefined;
  }

  protected async compare(): Promise<void> {
    const found = toLines(await this.#readState());
    if (this.#running !== undefined && isSame(found, toLines(this.#running))) this.#state = this.#running;
    else assert.deepEqual(found, toLines(this.#state), `${this.home} is not as it was acknowledged`);
    this.#running = undefined;
  }

  async #nextChange(): Promise<Change> {
    const { live, bin } = this.#state;
    // Directories with fixed names are only parents, so a restored name is never taken.
    const own = [...live.keys()].filter((at) => path.basename(at).length > 1);
    if (own.length < 5) return this.#upload();
    if (bin.size >= MAX_RECYCLED) return await this.#purge(this.random.pick([...bin.keys()]));
    const at = this.random.pick(own);
    if (live.size >= MAX_ENTRIES) return await this.#recycle(at);
    const dice = this.random.below(16);
    if (dice < 5) return this.#upload();
    if (dice < 7) return this.#mkdir();
    if (dice < 9) return await this.#relocate(at, `${path.dirname(at)}/${this.random.word()}`);
    if (dice < 11) return await this.#moveOrCopy(at, 'move');
    if (dice < 13) return await this.#moveOrCopy(at, 'copy');
    if (dice < 14 && bin.size > 0) return await this.#restore(this.random.pick([...bin.keys()]));
    if (dice < 15 && bin.size > 0) return await this.#purge(this.random.pick([...bin.keys()]));
    return await this.#recycle(at);
  }

  #upload(): Change {
    const bytes = randomBytes(this.pickSize());
    const at = this.#newPath();
    return {
      after: { ...this.#state, live: withTree(this.#state.live, at, new Map([['', toHash(bytes)]])) },
      send: () => this.person.upload(this.home + at, bytes),
    };
  }

  #mkdir(): Change {
    const at = this.#newPath();
    return {
      after: { ...this.#state, live: withTree(this.#state.live, at, new Map([['', null]])) },
      send: () => this.person.mkdir(this.home + at),
    };
  }

  /** Renames an entry to a new path in the same directory. */
  async #relocate(from: string, to: string): Promise<Change> {
    const { live } = this.#state;
    const entry = await this.#find(from);
    return {
      after: { ...this.#state, live: withTree(without(live, from), to, treeAt(live, from)) },
      send: () => this.person.rename(entry, path.basename(to)),
    };
  }

  async #moveOrCopy(from: string, how: 'move' | 'copy'): Promise<Change> {
    const { live } = this.#state;
    const tree = treeAt(live, from);
    const targets = [...live.keys()].filter(
      (at) =>
        live.get(at) === null &&
        !isInside(at, from) &&
        live.get(`${at}/${path.basename(from)}`) === undefined,
    );
    if (targets.length === 0 || (how === 'copy' && tree.size > MAX_COPIED)) return this.#upload();
    const target = this.random.pick(targets);
    const rest = how === 'move' ? without(live, from) : live;
    const entry = await this.#find(from);
    return {
      after: { ...this.#state, live: withTree(rest, `${target}/${path.basename(from)}`, tree) },
      send: () => this.person[how](entry, this.home + target),
    };
  }

  async #recycle(at: string): Promise<Change> {
    const { live, bin } = this.#state;
    // Two recycled entries with the same former path could not be distinguished.
    if (bin.has(at)) return this.#mkdir();
    const entry = await this.#find(at);
    return {
      after: { live: without(live, at), bin: new Map([...bin, [at, treeAt(live, at)]]) },
      send: () => this.person.recycle(entry),
    };
  }

  async #restore(at: string): Promise<Change> {
    const { live, bin } = this.#state;
    const tree = bin.get(at) ?? assert.fail(at);
    if (live.has(at)) return await this.#purge(at);
    // A restore creates missing parents. It would fail if a file had the name of one, which renames never
    // cause.
    const id = await this.#findRecycled(at);
    return {
      after: { live: withTree(live, at, tree), bin: withoutKey(bin, at) },
      send: () => this.person.restore({ id }),
    };
  }

  async #purge(at: string): Promise<Change> {
    const { live, bin } = this.#state;
    const id = await this.#findRecycled(at);
    return { after: { live, bin: withoutKey(bin, at) }, send: () => this.person.purge({ id }) };
  }

  #newPath(): string {
    return `/${this.random.pick([...'abc'])}/${this.random.pick([...'xy'])}/${this.random.word()}`;
  }

  async #find(at: string): Promise<EntryRecord> {
    const { items } = await this.person.list(this.home + path.dirname(at), { size: 1_000 });
    return items.find((entry) => entry.path === this.home + at) ?? assert.fail(`${at} is not there`);
  }

  async #findRecycled(at: string): Promise<number> {
    const found = (await this.person.bin()).items.find(({ originalPath }) => originalPath === this.home + at);
    return found?.id ?? assert.fail(`${at} is not in the recycle bin`);
  }

  async #readState(): Promise<DriveState> {
    const live = new Map<string, string | null>();
    for (const entry of await this.person.tree(this.home)) {
      live.set(entry.path.slice(this.home.length), entry.directory ? null : await this.#hashOf(entry));
    }
    const { items } = await this.person.bin();
    const own = items.filter(({ originalPath }) => isInside(originalPath, this.home));
    const bin = new Map(own.map(({ originalPath }) => [originalPath.slice(this.home.length), new Map()]));
    return { live, bin };
  }

  /** Each file is read once: its bytes never change. */
  async #hashOf(entry: EntryRecord): Promise<string> {
    const known = this.#read.get(entry.id);
    if (known !== undefined) return known;
    const hash = toHash(await this.person.download(entry));
    this.#read.set(entry.id, hash);
    return hash;
  }
}

function isInside(at: string, directory: string): boolean {
  return at === directory || at.startsWith(`${directory}/`);
}

/** The entry at a path and everything below it, by path relative to it. */
function treeAt(tree: Tree, at: string): Tree {
  const inside = [...tree].filter(([each]) => isInside(each, at));
  return new Map(inside.map(([each, hash]) => [each.slice(at.length), hash]));
}

function without(tree: Tree, at: string): Tree {
  return new Map([...tree].filter(([each]) => !isInside(each, at)));
}

/** Adds an entry and everything below it, and creates the directories above it. */
function withTree(tree: Tree, at: string, added: Tree): Tree {
  const all = new Map(tree);
  for (let cut = at.indexOf('/', 1); cut > 0; cut = at.indexOf('/', cut + 1)) all.set(at.slice(0, cut), null);
  for (const [below, hash] of added) all.set(at + below, hash);
  return all;
}

function withoutKey<T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> {
  return new Map([...map].filter(([each]) => each !== key));
}

/** The content of a recycled tree is compared only when it is restored. */
function toLines({ live, bin }: DriveState): readonly string[] {
  const recycled = [...bin.keys()].map((at) => `recycled ${at}`);
  return [...[...live].map(([at, hash]) => `${at} ${hash}`), ...recycled].toSorted();
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.join('\n') === other.join('\n');
}
