/*
 * A model of a drive with plain objects in memory. Each method does what the service should do, and returns
 * the expected HTTP status. Property tests compare the service with it. It is kept simple so that it can be
 * trusted.
 */

interface ModelEntry {
  name: string;
  /** Null for a directory. */
  readonly content: string | null;
  readonly children: Map<string, ModelEntry>;
  parent: ModelEntry | undefined;
}

interface RecycledEntry {
  readonly entry: ModelEntry;
  readonly from: readonly string[];
}

/** Where a copy or move into another drive puts the entry. */
interface Target {
  readonly drive: ModelDrive;
  readonly directory: readonly string[];
  /** The id of the entry that has the name there, if it may be replaced. */
  readonly replacedId?: number | undefined;
}

export class ModelDrive {
  readonly root = newEntry('', null);
  /** The recycled entries, by their ids in the service. */
  readonly bin = new Map<number, RecycledEntry>();
  readonly #quota: number;

  /** @param quota also limits the bytes in the bin */
  constructor(quota: number) {
    this.#quota = quota;
  }

  get usedBytes(): number {
    return sizeOf(this.root);
  }

  find(path: readonly string[]): ModelEntry | undefined {
    let entry: ModelEntry | undefined = this.root;
    for (const name of path) entry = entry?.children.get(name);
    return entry;
  }

  mkdir(path: readonly string[]): number {
    if (path.length === 0) return 400;
    if (this.find(path) !== undefined) return 409;
    return this.#ensure(path) === undefined ? 409 : 200;
  }

  upload(directory: readonly string[], name: string, content: string): number {
    if (!this.#fits(content.length)) return 413;
    if (this.find([...directory, name]) !== undefined) return 409;
    const parent = this.#ensure(directory);
    if (parent === undefined) return 409;
    attach(parent, newEntry(name, content));
    return 200;
  }

  rename(path: readonly string[], name: string): number {
    const entry = this.#findNamed(path);
    const parent = entry?.parent;
    if (entry === undefined || parent === undefined) return 404;
    if (entry.name === name) return 200;
    if (parent.children.has(name)) return 409;
    parent.children.delete(entry.name);
    entry.name = name;
    attach(parent, entry);
    return 200;
  }

  move(path: readonly string[], target: readonly string[]): number {
    const [entry, directory] = [this.#findNamed(path), this.#findDirectory(target)];
    if (entry === undefined || directory === undefined) return 404;
    if (isInside(directory, entry)) return 400;
    if (entry.parent === directory) return 200;
    if (directory.children.has(entry.name)) return 409;
    entry.parent?.children.delete(entry.name);
    attach(directory, entry);
    return 200;
  }

  copy(path: readonly string[], target: readonly string[]): number {
    const [entry, directory] = [this.#findNamed(path), this.#findDirectory(target)];
    if (entry === undefined || directory === undefined) return 404;
    if (isInside(directory, entry)) return 400;
    if (directory.children.has(entry.name)) return 409;
    if (!this.#fits(sizeOf(entry))) return 413;
    attach(directory, cloneOf(entry));
    return 200;
  }

  /** Copies an entry into a directory of another drive. */
  copyTo(path: readonly string[], { drive, directory: target, replacedId }: Target): number {
    if (drive === this) return this.copy(path, target);
    const [entry, directory] = [this.#findNamed(path), drive.#findDirectory(target)];
    if (entry === undefined || directory === undefined) return 404;
    const replaced = directory.children.get(entry.name);
    if (replaced !== undefined && replacedId === undefined) return 409;
    if (!drive.#fits(sizeOf(entry), replaced)) return 413;
    if (replacedId !== undefined) drive.recycle([...target, entry.name], replacedId);
    attach(directory, cloneOf(entry));
    return 200;
  }

  /** Moves an entry into a directory of another drive. The original with this id goes to the bin. */
  moveTo(path: readonly string[], target: Target, id: number): number {
    if (target.drive === this) return this.move(path, target.directory);
    const status = this.copyTo(path, target);
    return status === 200 ? this.recycle(path, id) : status;
  }

  /** Fills a new drive with the content of the directory with this id, which goes to the bin. */
  moveIntoNew(path: readonly string[], drive: ModelDrive, id: number): number {
    const directory = this.#findNamed(path);
    if (directory === undefined) return 404;
    if (directory.content !== null) return 400;
    if (!drive.#fits(sizeOf(directory))) return 413;
    for (const child of directory.children.values()) attach(drive.root, cloneOf(child));
    return this.recycle(path, id);
  }

  recycle(path: readonly string[], id: number): number {
    const entry = this.#findNamed(path);
    if (entry?.parent === undefined) return 404;
    entry.parent.children.delete(entry.name);
    entry.parent = undefined;
    this.bin.set(id, { entry, from: path.slice(0, -1) });
    this.#makeRoom(id);
    return 200;
  }

  restore(id: number): number {
    const recycled = this.bin.get(id);
    if (recycled === undefined) return 404;
    const { entry, from } = recycled;
    if (this.find([...from, entry.name]) !== undefined) return 409;
    if (this.#isBlocked(from)) return 409;
    if (!this.#fits(sizeOf(entry))) return 413;
    const parent = this.#ensure(from);
    if (parent === undefined) return 409;
    attach(parent, entry);
    this.bin.delete(id);
    return 200;
  }

  purge(id: number): number {
    return this.bin.delete(id) ? 200 : 404;
  }

  /** Purges what was recycled first, until the bin is not larger than the quota. The newest stays. */
  #makeRoom(newest: number): void {
    let bytes = [...this.bin.values()].reduce((sum, { entry }) => sum + sizeOf(entry), 0);
    for (const [id, { entry }] of this.bin) {
      if (bytes <= this.#quota) return;
      if (id === newest) continue;
      bytes -= sizeOf(entry);
      this.bin.delete(id);
    }
  }

  /** Whether a segment of the path is a file. */
  #isBlocked(path: readonly string[]): boolean {
    return path.some((_, index) => typeof this.find(path.slice(0, index + 1))?.content === 'string');
  }

  /** @param replaced an entry that makes room */
  #fits(bytes: number, replaced?: ModelEntry): boolean {
    const freed = replaced === undefined ? 0 : sizeOf(replaced);
    return bytes === 0 || this.usedBytes - freed + bytes <= this.#quota;
  }

  #findNamed(path: readonly string[]): ModelEntry | undefined {
    return path.length === 0 ? undefined : this.find(path);
  }

  #findDirectory(path: readonly string[]): ModelEntry | undefined {
    const entry = this.find(path);
    return entry?.content === null ? entry : undefined;
  }

  /**
   * Creates missing directories. Returns undefined, and creates nothing, if a segment of the path is a file.
   */
  #ensure(path: readonly string[]): ModelEntry | undefined {
    if (this.#isBlocked(path)) return undefined;
    let directory = this.root;
    for (const name of path) {
      const child = directory.children.get(name) ?? newEntry(name, null);
      attach(directory, child);
      directory = child;
    }
    return directory;
  }
}

/** The paths below a directory with their content (null for directories), sorted. */
export function describeTree(entry: ModelEntry, path = ''): [string, string | null][] {
  const below = [...entry.children.values()].flatMap((child): [string, string | null][] => [
    [`${path}/${child.name}`, child.content],
    ...describeTree(child, `${path}/${child.name}`),
  ]);
  return path === '' ? below.toSorted(([a], [b]) => (a < b ? -1 : 1)) : below;
}

function newEntry(name: string, content: string | null): ModelEntry {
  return { name, content, children: new Map(), parent: undefined };
}

function attach(parent: ModelEntry, entry: ModelEntry): void {
  entry.parent = parent;
  parent.children.set(entry.name, entry);
}

function cloneOf(entry: ModelEntry): ModelEntry {
  const clone = newEntry(entry.name, entry.content);
  for (const child of entry.children.values()) attach(clone, cloneOf(child));
  return clone;
}

function sizeOf(entry: ModelEntry): number {
  return [...entry.children.values()].reduce(
    (sum, child) => sum + sizeOf(child),
    entry.content === null ? 0 : entry.content.length,
  );
}

function isInside(entry: ModelEntry | undefined, directory: ModelEntry): boolean {
  for (let each = entry; each !== undefined; each = each.parent) if (each === directory) return true;
  return false;
}
