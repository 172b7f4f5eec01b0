import { quoteName } from '../../formats/zip/reading/fault.ts';
import type { JsonObject } from '../engine/job.ts';

/** The maximum number of names in a task's public state. The total counts are also part of it. */
const MAX_LISTED = 20;
const MAX_NAME_LENGTH = 200;

/** The differences between an archive and the extracted files. */
export class ExtractReport {
  readonly #renamed: JsonObject[] = [];
  readonly #leftOut: JsonObject[] = [];
  #renamedCount = 0;
  #leftOutCount = 0;
  #replacedCount = 0;
  /** The sentence about the first entry that was left out. */
  firstLeftOut: string | undefined;

  /** @param name the path in the archive */
  addRenamed(name: string, newName: string): void {
    this.#renamedCount += 1;
    if (this.#renamed.length < MAX_LISTED) this.#renamed.push({ name: shorten(name), newName });
  }

  /** @param reason the end of a sentence about the entry, such as "is a device" */
  addLeftOut(name: string, reason: string): void {
    this.#leftOutCount += 1;
    this.firstLeftOut ??= `The entry ${quoteName(name)} ${reason}.`;
    if (this.#leftOut.length < MAX_LISTED) this.#leftOut.push({ name: shorten(name), reason });
  }

  /** Counts an entry that a later entry with the same path has replaced. */
  addReplaced(): void {
    this.#replacedCount += 1;
  }

  /** The members of the public state; none if nothing differs. */
  toState(): JsonObject {
    return {
      ...(this.#renamedCount > 0 && { renamedCount: this.#renamedCount, renamed: this.#renamed }),
      ...(this.#leftOutCount > 0 && { leftOutCount: this.#leftOutCount, leftOut: this.#leftOut }),
      ...(this.#replacedCount > 0 && { replacedCount: this.#replacedCount }),
    };
  }
}

function shorten(name: string): string {
  return Array.from(name.toWellFormed()).slice(0, MAX_NAME_LENGTH).join('');
}
