import { Batches } from '../../base/concurrency/batches.ts';
import { Failure } from '../../base/failure.ts';
import type { Database } from '../../database/database.ts';
import type { Outcome } from './text-attempts.ts';

/** Outcomes with more terms are written one by one, and on a thread on SQLite, where others wait to write. */
const MAX_SHORT_TERMS = 1_000;

const MAX_BATCH = 64;

/** Writes outcomes as soon as they are there. Those that come meanwhile are written together. */
export class TextWriter {
  readonly #database: Database;
  readonly #failedOutcome: (outcome: Outcome, error: unknown) => Outcome;
  readonly #batches = new Batches<Outcome, void>(async (outcomes) => {
    for (const group of toGroups(outcomes)) await this.#writeGroup(group);
    return outcomes.map(() => undefined);
  }, MAX_BATCH);

  /** @param failedOutcome what is written instead of an outcome that cannot be written */
  constructor(database: Database, failedOutcome: (outcome: Outcome, error: unknown) => Outcome) {
    this.#database = database;
    this.#failedOutcome = failedOutcome;
  }

  /** @throws Failure `unavailable` if the database is unavailable */
  write(outcome: Outcome): Promise<void> {
    return this.#batches.add(outcome);
  }

  /** One outcome that cannot be written must not stop the others. */
  async #writeGroup(group: readonly Outcome[]): Promise<void> {
    try {
      await this.#commit(group);
    } catch (error) {
      if (error instanceof Failure && error.kind === 'unavailable') throw error;
      const [only, ...others] = group;
      if (only === undefined) return;
      if (others.length === 0) await this.#commit([this.#failedOutcome(only, error)]);
      else for (const outcome of group) await this.#writeGroup([outcome]);
    }
  }

  /** If few terms are written, volatile, because a text whose commit is lost is taken again. */
  async #commit(group: readonly Outcome[]): Promise<void> {
    const write = async (tx: Parameters<Outcome['write']>[0]) => {
      for (const outcome of group) await outcome.write(tx);
    };
    if (sumTerms(group) <= MAX_SHORT_TERMS) await this.#database.transactVolatile(write);
    else await this.#database.transactBySize(async () => true, write);
  }
}

/** The full-text index of SQLite takes texts fastest in the order of their ids. */
function toGroups(outcomes: readonly Outcome[]): readonly (readonly Outcome[])[] {
  const groups: Outcome[][] = [];
  let [group, terms]: [Outcome[], number] = [[], 0];
  for (const outcome of outcomes.toSorted((a, b) => a.claimed.blobId - b.claimed.blobId)) {
    terms += outcome.terms;
    if (group.length === 0 || terms > MAX_SHORT_TERMS) {
      group = [];
      groups.push(group);
      terms = outcome.terms;
    }
    group.push(outcome);
  }
  return groups;
}

function sumTerms(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, outcome) => sum + outcome.terms, 0);
}
