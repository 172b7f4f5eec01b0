import path from 'node:path';
import type { DirectoryFlush } from './directory-flush.ts';
import { hasCode, isMissing } from './failures.ts';
import { createDirectories, createDirectory, removeDirectory } from './file-system.ts';

/** The maximum number of known directories. Each takes a path of about a hundred bytes in memory. */
const MAX_KNOWN = 16_384;

const MAX_ATTEMPTS = 8;

/**
 * Creates the directories of a store when an object needs them, and removes them with their last object.
 *
 * A directory is *known* once it exists and its name has been flushed in its parent, so that both survive a
 * power cut. Another instance may remove a known directory while it is empty. A caller that then gets
 * `ENOENT` calls `removeFromKnown` and then `ensure` again.
 */
export class DiskDirectories {
  readonly #root: string;
  readonly #flush: DirectoryFlush;
  readonly #known = new Set<string>();
  readonly #creating = new Map<string, Promise<void>>();

  /** @param root absolute, without a `/` at the end */
  constructor(root: string, flush: DirectoryFlush) {
    this.#root = root;
    this.#flush = flush;
  }

  /** Resolves when the directory exists and is durable. Returns immediately for a known directory. */
  async ensure(directory: string): Promise<void> {
    if (this.#known.has(directory)) return;
    const running = this.#creating.get(directory);
    if (running !== undefined) return running;
    const creating = this.#create(directory).finally(() => this.#creating.delete(directory));
    this.#creating.set(directory, creating);
    return creating;
  }

  /** Marks a directory and its parents as no longer known. */
  removeFromKnown(directory: string): void {
    for (const each of this.#upwards(directory)) this.#known.delete(each);
    this.#known.delete(this.#root);
  }

  /** Removes the directory and its parents up to the first that is not empty. Never removes the root. */
  async removeEmpty(directory: string): Promise<void> {
    for (const each of this.#upwards(directory)) {
      // Must come before the removal, so that a later writer creates the directory again.
      this.#known.delete(each);
      try {
        await removeDirectory(each);
      } catch (error) {
        // Usually it is not empty. Other errors do not matter either: an empty directory does no harm.
        if (!isMissing(error)) return;
      }
    }
  }

  async #create(directory: string): Promise<void> {
    if (directory === this.#root) await this.#createRoot();
    else await this.#createBelowRoot(directory);
    this.#remember(directory);
  }

  async #createBelowRoot(directory: string): Promise<void> {
    const parent = path.dirname(directory);
    for (let attempt = 1; ; attempt += 1) {
      await this.ensure(parent);
      try {
        await this.#createOne(directory);
        await this.#flush.flush(parent);
        return;
      } catch (error) {
        // Another instance has removed the parent meanwhile.
        if (!hasCode(error, 'ENOENT') || attempt === MAX_ATTEMPTS) throw error;
        this.removeFromKnown(parent);
      }
    }
  }

  async #createOne(directory: string): Promise<void> {
    try {
      await createDirectory(directory);
    } catch (error) {
      // Another instance has created it, perhaps just now: it exists, but may not be durable yet.
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }

  async #createRoot(): Promise<void> {
    const topmost = await createDirectories(this.#root);
    if (topmost === undefined) return;
    for (let made = this.#root; made.length >= topmost.length; made = path.dirname(made)) {
      await this.#flush.flush(path.dirname(made));
    }
  }

  #remember(directory: string): void {
    for (const oldest of this.#known) {
      if (this.#known.size < MAX_KNOWN) break;
      this.#known.delete(oldest);
    }
    this.#known.add(directory);
  }

  *#upwards(directory: string): Generator<string> {
    for (let each = directory; each.length > this.#root.length; each = path.dirname(each)) yield each;
  }
}
