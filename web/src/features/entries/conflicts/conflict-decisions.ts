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

/** Thrown if the user skips an entry. This is not a failure, so it is not reported. */
export class Skipped extends Error {
  constructor() {
    super('The user skipped this entry.');
    this.name = 'Skipped';
  }
}

/** The conflict rule of the service for each decision of the user. */
export const RULES = { 'keep-both': 'RENAME', replace: 'REPLACE' } as const;

type Ask = (conflict: NameConflict, scope: ConflictScope) => Promise<ConflictAnswer>;

/**
 * Resolves the name conflicts of one user action, which may change several entries at the same time. Each
 * entry is first tried with the rule FAIL, so the user is asked only about real conflicts.
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
   * Changes one entry. If the name is taken, tries again with the user's decision.
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
