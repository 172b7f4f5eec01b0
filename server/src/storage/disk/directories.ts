import path from 'node:path';
import type { DirectoryFlush } from './directory-flush.ts';
import { hasCode, isMissing } from './failures.ts';
import { createDirectories, createDirectory, removeDirectory } from './file-system.ts';

/** Each is a path of some hundred bytes. */
const MAX_REMEMBERED = 16_384;

const MAX_ATTEMPTS = 8;

/**
 * The directories of a store: made on the way to an object, removed with the last one.
 *
 * A directory is *known* once it stands and its name is flushed in its parent. Another instance may remove a
 * known one when it is empty; who then meets `ENOENT` calls `forget` and `ensure` again.
 */
export class DiskDirectories {
  readonly #root: string;
  readonly #flush: DirectoryFlush;
  readonly #known = new Set<string>();
  readonly #making = new Map<string, Promise<void>>();

  /** @param root absolute, without a `/` at the end */
  constructor(root: string, flush: DirectoryFlush) {
    this.#root = root;
    this.#flush = flush;
  }

  /** Resolves when the directory stands and is durable. Costs nothing while it is known. */
  async ensure(directory: string): Promise<void> {
    if (this.#known.has(directory)) return;
    const running = this.#making.get(directory);
    if (running !== undefined) return running;
    const making = this.#make(directory).finally(() => this.#making.delete(directory));
    this.#making.set(directory, making);
    return making;
  }

  /** Takes back what is known of a directory and of those above it. */
  forget(directory: string): void {
    for (const each of this.#upwards(directory)) this.#known.delete(each);
    this.#known.delete(this.#root);
  }

  /** Removes the directory and those above it, up to the first that is not empty, but never the root. */
  async removeEmpty(directory: string): Promise<void> {
    for (const each of this.#upwards(directory)) {
      // Forgotten first: a writer that comes from now on makes it again.
      this.#known.delete(each);
      try {
        await removeDirectory(each);
      } catch (error) {
        // Mostly it is not empty. Whatever else it is, the objects are gone and an empty directory does no harm.
        if (!isMissing(error)) return;
      }
    }
  }

  async #make(directory: string): Promise<void> {
    if (directory === this.#root) await this.#makeRoot();
    else await this.#makeBelowRoot(directory);
    this.#remember(directory);
  }

  async #makeBelowRoot(directory: string): Promise<void> {
    const parent = path.dirname(directory);
    for (let attempt = 1; ; attempt += 1) {
      await this.ensure(parent);
      try {
        await this.#makeOne(directory);
        await this.#flush.flush(parent);
        return;
      } catch (error) {
        // The parent was removed in between.
        if (!hasCode(error, 'ENOENT') || attempt === MAX_ATTEMPTS) throw error;
        this.forget(parent);
      }
    }
  }

  async #makeOne(directory: string): Promise<void> {
    try {
      await createDirectory(directory);
    } catch (error) {
      // Another instance was faster, perhaps only just: that it stands does not say that it is durable.
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }

  async #makeRoot(): Promise<void> {
    const topmost = await createDirectories(this.#root);
    if (topmost === undefined) return;
    for (let made = this.#root; made.length >= topmost.length; made = path.dirname(made)) {
      await this.#flush.flush(path.dirname(made));
    }
  }

  #remember(directory: string): void {
    for (const oldest of this.#known) {
      if (this.#known.size < MAX_REMEMBERED) break;
      this.#known.delete(oldest);
    }
    this.#known.add(directory);
  }

  *#upwards(directory: string): Generator<string> {
    for (let each = directory; each.length > this.#root.length; each = path.dirname(each)) yield each;
  }
}
