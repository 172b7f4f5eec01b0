import type { ConflictRule } from '../../../../../client/src/client.ts';
import { SerialQueue } from '../../../../../client/src/common/serial-queue.ts';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import {
  askAboutConflict,
  type ConflictAnswer,
  type ConflictDecision,
  type ConflictScope,
  type NameConflict,
} from './conflict-questions.ts';

/** The user has skipped this entry. This is not a failure, so nothing is reported. */
export class Skipped extends Error {
  constructor() {
    super('The user skipped this entry.');
    this.name = 'Skipped';
  }
}

/** The rule of the service that does what the user decided. */
export const RULES = { 'keep-both': 'RENAME', replace: 'REPLACE' } as const;

type Ask = (conflict: NameConflict, scope: ConflictScope) => Promise<ConflictAnswer>;

/**
 * Resolves the name conflicts of one action of the user, which may change several entries at the same time.
 * Each entry is tried with the rule FAIL first, so that the user is asked only about real conflicts.
 */
export class ConflictDecisions {
  readonly #scope: ConflictScope;
  readonly #ask: Ask;
  readonly #questions = new SerialQueue();
  #forAll: ConflictDecision | undefined;

  /** @param count the number of entries that the action changes */
  constructor(count: number, ask: Ask = askAboutConflict) {
    this.#scope = count > 1 ? 'several' : 'one';
    this.#ask = ask;
  }

  /**
   * Changes one entry, and again with the user's decision if the name is taken.
   * @throws Skipped; what `act` throws
   */
  async run<T>(conflict: NameConflict, act: (rule: ConflictRule) => Promise<T>): Promise<T> {
    try {
      return await act('FAIL');
    } catch (error) {
      if (!isNameConflict(error)) throw error;
    }
    const decision = await this.#questions.run(() => this.#decide(conflict));
    if (decision === 'skip') throw new Skipped();
    return act(RULES[decision]);
  }

  async #decide(conflict: NameConflict): Promise<ConflictDecision> {
    if (this.#forAll !== undefined) return this.#forAll;
    const { decision, isForAll } = await this.#ask(conflict, this.#scope);
    if (isForAll) this.#forAll = decision;
    return decision;
  }
}

function isNameConflict(error: unknown): boolean {
  return error instanceof HoldallError && error.status === 409;
}
