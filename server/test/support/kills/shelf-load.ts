import { Load, type LoadOptions } from './load.ts';
import { Shelf } from './shelf.ts';

/** With more files, the oldest one is deleted to keep the state small. */
const MAX_FILES = 6;

/** A load whose files arrive in one directory, each under its own name. */
export abstract class ShelfLoad extends Load {
  protected readonly shelf: Shelf;

  constructor(options: LoadOptions, directory = options.home) {
    super(options);
    this.shelf = new Shelf(directory);
  }

  clearReads(): void {
    this.shelf.clearReads();
  }

  protected get isFull(): boolean {
    return this.shelf.size >= MAX_FILES;
  }

  protected async removeOldest(): Promise<void> {
    await this.shelf.removeOldest(this.person, (answer) => this.acknowledge(answer));
  }
}
