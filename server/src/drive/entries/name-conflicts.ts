import type { ConflictRule } from '../../base/domain/conflict-rules.ts';
import { Failure } from '../../base/failure.ts';
import type { FileName } from '../../base/text/names/file-name.ts';
import { childOf, isAtOrBelow, type LogicalPath } from '../../base/text/names/logical-path.ts';
import { parseNumberedName, withNumber } from '../../base/text/names/numbered-name.ts';
import type { Db, Tx } from '../../database/database.ts';
import { nameTaken } from './directories.ts';
import type { Actor, Entry, EntryWithPath } from './entry.ts';
import { findChild, findTakenNames } from './entry-queries.ts';
import type { Place } from './place.ts';

/** The maximum number of names that one request tries before it fails. */
const MAX_TRIED_NAMES = 100_000;
/** The maximum number of entries that one request replaces. */
const MAX_REPLACED = 2_000;
/** Names are tried in groups. Each group is twice as large as the one before, up to this size. */
const MAX_GROUP = 500;

/** Moves a live entry to the recycle bin, in a transaction that has locked the drive. */
export type Recycle = (tx: Tx, actor: Actor, entry: EntryWithPath) => Promise<void>;

/** Applies conflict rules, in transactions that have locked the drive. */
export class NameConflicts {
  readonly #recycle: Recycle;

  constructor(recycle: Recycle) {
    this.#recycle = recycle;
  }

  /**
   * Makes the name at a place free, or finds another name.
   * @param sourcePath where the entry is now, if it is in the same drive. Neither the entry itself nor a
   *   directory that contains it is replaced.
   * @returns the name that the entry gets
   * @throws Failure `conflict` if the name is taken and the rule is FAIL; `rejected` if the entry would
   *   replace itself or a directory that contains it
   */
  async resolve(
    tx: Tx,
    actor: Actor,
    { directory, directoryPath, name }: Omit<Place, 'directory'> & { readonly directory: Pick<Entry, 'id'> },
    rule: ConflictRule,
    sourcePath?: LogicalPath,
  ): Promise<FileName> {
    const existing = await findChild(tx, directory.id, name);
    if (existing === undefined) return name;
    if (rule === 'FAIL') throw nameTaken(name);
    if (rule === 'RENAME') return (await findFreeNames(tx, directory.id, [name])).get(name) as FileName;
    if (sourcePath !== undefined) checkNotWithin(sourcePath, childOf(directoryPath, name));
    await this.#recycle(tx, actor, { entry: existing, parentPath: directoryPath });
    return name;
  }

  /**
   * Does the same as {@link resolve} for many names in one directory.
   * @param target.keptPath of an entry that must not be replaced, neither itself nor a directory around it
   * @returns the new name of each name that is changed
   */
  async resolveAll(
    tx: Tx,
    actor: Actor,
    target: { readonly directoryId: number; readonly path: LogicalPath; readonly keptPath: LogicalPath },
    names: readonly FileName[],
    rule: ConflictRule,
  ): Promise<ReadonlyMap<FileName, FileName>> {
    const { directoryId, path, keptPath } = target;
    const taken = await findTakenNames(tx, directoryId, names);
    const [first] = taken;
    if (first === undefined) return new Map();
    if (rule === 'FAIL') throw nameTaken(first);
    if (rule === 'RENAME') return findFreeNames(tx, directoryId, taken, new Set(names));
    if (taken.length > MAX_REPLACED) {
      throw new Failure(
        'conflict',
        `More than ${MAX_REPLACED.toLocaleString('en')} entries would be replaced.`,
      );
    }
    for (const name of taken) {
      if (isAtOrBelow(keptPath, childOf(path, name))) throw nameTaken(name);
      const entry = await findChild(tx, directoryId, name);
      if (entry !== undefined) await this.#recycle(tx, actor, { entry, parentPath: path });
    }
    return new Map();
  }
}

/**
 * Finds the first free name with a number for each name.
 * @param reserved more names that must not be used
 */
async function findFreeNames(
  db: Db,
  directoryId: number,
  names: readonly FileName[],
  reserved: ReadonlySet<string> = new Set(),
): Promise<ReadonlyMap<FileName, FileName>> {
  const free = new Map<FileName, FileName>();
  const used = new Set<string>(reserved);
  let waiting = names.map((name) => ({ name, parsed: parseNumberedName(name) }));
  for (let tried = 0, skipped = 0, size = 1; waiting.length > 0; size = Math.min(MAX_GROUP, 2 * size)) {
    tried += waiting.length * size;
    if (tried > MAX_TRIED_NAMES) throw nameTaken(waiting[0]?.name ?? '');
    const groups = waiting.map(({ name, parsed }) => ({
      name,
      parsed,
      candidates: Array.from({ length: size }, (_, index) =>
        withNumber(parsed, parsed.number + skipped + index + 1),
      ),
    }));
    const candidates = groups.flatMap((group) => group.candidates);
    const taken = new Set<string>(await findTakenNames(db, directoryId, candidates));
    waiting = groups.filter((group) => {
      const found = group.candidates.find((candidate) => !taken.has(candidate) && !used.has(candidate));
      if (found === undefined) return true;
      used.add(found);
      free.set(group.name, found);
      return false;
    });
    skipped += size;
  }
  return free;
}

/** @throws Failure `rejected` */
function checkNotWithin(sourcePath: LogicalPath, replacedPath: LogicalPath): void {
  if (!isAtOrBelow(sourcePath, replacedPath)) return;
  throw new Failure('rejected', 'An entry cannot replace itself or a directory that contains it.');
}
