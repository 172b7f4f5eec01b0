/** With fewer vanished entries, a mistake cannot be told apart from tidying up. */
const MIN_VANISHED = 50;

/** During a watch, one large deletion arrives in several parts, so all within this time are added up. */
const WINDOW_MS = 60_000;

/** One side has lost so much that it is probably a mistake, such as a disk that is not mounted. */
export class MassDeletion extends Error {
  override readonly name = 'MassDeletion';
}

/** The entries that a pass is about to delete because they vanished on one side. */
interface Vanished {
  readonly paths: ReadonlySet<string>;
  /** The entries that were equal on both sides. */
  readonly base: ReadonlyMap<string, unknown>;
  /** The entries that are left on the side where the paths vanished. */
  readonly present: ReadonlyMap<string, unknown>;
}

/** Prevents that too many entries are deleted on one side because they vanished on the other. */
export class DeletionGuard {
  readonly #recent = new RecentDeletions();

  /**
   * Throws if nothing is left, or if more than half of many entries have vanished. Entries that vanished
   * within the last minute are included.
   * @param side where the entries vanished, such as `/home/ann/Photos`
   * @throws MassDeletion
   */
  check(side: string, { paths, base, present }: Vanished, nowMs: number): void {
    if (paths.size === 0) return;
    const recent = this.#recent.countOthers(paths, nowMs);
    const vanished = paths.size + recent;
    const known = base.size + recent;
    // Entries that were not synced, such as `lost+found` in an empty file system, prove nothing.
    const isEverything = !hasCommonPath(base, present);
    if (!isEverything && (vanished < MIN_VANISHED || vanished * 2 <= known)) {
      this.#recent.note(paths, nowMs);
      return;
    }
    throw new MassDeletion(describe(side, { isEverything, isEmpty: present.size === 0, vanished, known }));
  }
}

function hasCommonPath(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  for (const path of a.keys()) if (b.has(path)) return true;
  return false;
}

function describe(
  side: string,
  {
    isEverything,
    isEmpty,
    vanished,
    known,
  }: Readonly<Record<'isEverything' | 'isEmpty', boolean>> & {
    readonly vanished: number;
    readonly known: number;
  },
): string {
  const some = `${vanished} of ${known} entries are missing in ${side}`;
  const all = isEmpty ? `${side} is empty` : `Nothing that was synced is in ${side} any more`;
  return (
    `${isEverything ? all : some}. The sync has stopped, and does not delete them on the other side. ` +
    'Is a disk not mounted? To delete them there too, add --allow-mass-deletion.'
  );
}

/** The entries that the sync has deleted on one side within the last minute. */
class RecentDeletions {
  readonly #times = new Map<string, number>();

  /** How many there are apart from these paths, which are about to be deleted. */
  countOthers(paths: ReadonlySet<string>, nowMs: number): number {
    for (const [path, atMs] of this.#times) {
      if (nowMs - atMs < WINDOW_MS) break;
      this.#times.delete(path);
    }
    return [...this.#times.keys()].filter((path) => !paths.has(path)).length;
  }

  note(paths: ReadonlySet<string>, nowMs: number): void {
    for (const path of paths) {
      // Moves the entry to the end of the map, so that the oldest one stays first.
      this.#times.delete(path);
      this.#times.set(path, nowMs);
    }
  }
}
