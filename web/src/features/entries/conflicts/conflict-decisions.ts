import type { ConflictRule, EntryRecord } from '../../../../../client/src/client.ts';
import { SerialQueue } from '../../../../../client/src/common/serial-queue.ts';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import type {
  ConflictAnswer,
  ConflictDecision,
  ConflictScope,
  FolderDecision,
  NameConflict,
} from './conflict-questions.ts';

/** Thrown if the user skips an entry. This is not a failure, so it is not reported. */
export class Skipped extends Error {
  constructor() {
    super('The user skipped this entry.');
    this.name = 'Skipped';
  }
}

/** The conflict rule of the service for each decision of the user. */
export const RULES = { 'keep-both': 'RENAME', replace: 'REPLACE' } as const;

interface DecisionParts {
  readonly ask: (conflict: NameConflict, scope: ConflictScope, action: object) => Promise<ConflictAnswer>;
  /** Returns the entry that has the name; undefined if it is gone. */
  readonly find: (conflict: NameConflict) => Promise<EntryRecord | undefined>;
}

/**
 * Resolves the name conflicts of one user action, which may change several entries at the same time. Each
 * entry is first tried with the rule FAIL, so the user is asked only about real conflicts. Those of a list
 * are asked together; others one after another.
 */
export class ConflictDecisions {
  readonly #scope: ConflictScope;
  readonly #parts: DecisionParts;
  readonly #questions = new SerialQueue();
  #forAll: ConflictDecision | undefined;

  constructor(scope: ConflictScope, parts: DecisionParts) {
    this.#scope = scope;
    this.#parts = parts;
  }

  /**
   * Changes one entry. If the name is taken, tries again with the user's decision.
   * @param merge puts the content of a folder into the existing folder that has its name
   * @throws Skipped; what `act` throws
   */
  async run<T>(
    conflict: NameConflict,
    act: (rule: ConflictRule) => Promise<T>,
    merge?: (existing: EntryRecord) => Promise<T>,
  ): Promise<T> {
    try {
      return await act('FAIL');
    } catch (error) {
      if (!isNameConflict(error)) throw error;
    }
    return this.resolve(conflict, await this.#parts.find(conflict), act, merge);
  }

  /**
   * Changes an entry whose name is taken.
   * @param found the entry that has the name
   * @throws Skipped; what `act` throws
   */
  async resolve<T>(
    conflict: NameConflict,
    found: EntryRecord | undefined,
    act: (rule: ConflictRule) => Promise<T>,
    merge?: (existing: EntryRecord) => Promise<T>,
  ): Promise<T> {
    for (let existing = found; ; ) {
      const canMerge = merge !== undefined && existing?.directory === true;
      const canReplace = existing === undefined || existing.directory === conflict.isDirectory;
      const decision = await this.#decide({ ...conflict, existing, canMerge, canReplace });
      if (decision === 'keep-both') return act(RULES[decision]);
      if (decision === 'merge' && canMerge && existing !== undefined) return merge(existing);
      if (decision !== 'replace') throw new Skipped();
      // Another entry may have the name by now, such as a folder, about which nobody was asked.
      const now = await this.#parts.find(conflict);
      if (now === undefined || now.directory === existing?.directory) return act(RULES[decision]);
      existing = now;
    }
  }

  /** The entry that has the name; undefined if it is gone. */
  find(conflict: NameConflict): Promise<EntryRecord | undefined> {
    return this.#parts.find(conflict);
  }

  #decide(conflict: NameConflict): Promise<FolderDecision> {
    const decide = async () => {
      const known = this.#forAll && decisionFor(conflict, this.#forAll);
      if (known !== undefined) return known;
      const { decision, forAll } = await this.#parts.ask(conflict, this.#scope, this);
      this.#forAll ??= forAll;
      return decision;
    };
    return this.#scope === 'list' ? decide() : this.#questions.run(decide);
  }
}

/**
 * What a decision for all means for one conflict. To replace everything, folders are merged. A file and a
 * folder do not replace each other.
 */
export function decisionFor(
  { canMerge, canReplace }: Pick<NameConflict, 'canMerge' | 'canReplace'>,
  forAll: ConflictDecision,
): FolderDecision {
  if (forAll !== 'replace') return forAll;
  if (canMerge === true) return 'merge';
  return canReplace === false ? 'keep-both' : 'replace';
}

export function isNameConflict(error: unknown): boolean {
  return error instanceof HoldallError && error.status === 409;
}
