import { LocalDiskStore } from '../../../src/storage/disk/local-disk.ts';
import type { StoredObject } from '../../../src/storage/object-store.ts';

/** A store whose removals a test can observe and make fail. */
export class WatchedStore extends LocalDiskStore {
  beforeRemoval: (keys: readonly string[]) => Promise<void> = async () => {};
  readonly listed: string[] = [];

  override async remove(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.beforeRemoval(keys);
    await super.remove(keys);
  }

  /** Changes an object in a listing. */
  describe: (object: StoredObject) => StoredObject = (object) => object;

  override async *list(prefix: string): AsyncGenerator<StoredObject> {
    this.listed.push(prefix);
    for await (const object of super.list(prefix)) yield this.describe(object);
  }
}
