/** How long a program may take to write the new file after it has renamed the old one. */
const KEPT_MS = 60_000;
const MAX_RENAMES = 1_000;

/** The old names of recently renamed files, with the ids of the files in the drive. */
export class RecentRenames {
  readonly #renames = new Map<string, { readonly id: number; readonly at: number }>();

  add(oldPath: string, id: number, nowMs: number): void {
    this.#renames.delete(oldPath);
    this.#renames.set(oldPath, { id, at: nowMs });
    for (const [path, { at }] of this.#renames) {
      if (nowMs - at < KEPT_MS && this.#renames.size <= MAX_RENAMES) break;
      this.#renames.delete(path);
    }
  }

  /** The id of the file that recently had this name. */
  find(oldPath: string, nowMs: number): number | undefined {
    const rename = this.#renames.get(oldPath);
    return rename !== undefined && nowMs - rename.at < KEPT_MS ? rename.id : undefined;
  }
}
