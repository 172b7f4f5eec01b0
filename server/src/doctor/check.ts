import type { Tx } from '../database/database.ts';

/** Something in the database or a store that breaks a rule. */
export interface Fault {
  /** The rule that is broken, such as `child-count`. */
  readonly rule: string;
  /** What the fault is about: the name of a table, or `object`. */
  readonly subject: string;
  readonly id: number | string;
  /** Describes the fault to a person. */
  readonly sentence: string;
}

/** What a check has done since its last report. */
export interface CheckProgress {
  /** How many things it checked, in the unit of its label. */
  readonly checked: number;
  readonly faults: readonly Fault[];
}

/**
 * Runs in the transaction of each repair, for example to audit it. If it throws, the repair is rolled back.
 */
export type OnRepair = (tx: Tx, fault: Fault) => Promise<void>;

/** Looks for faults against some rules. Add new ones to `listChecks` in `doctor.ts`. */
export interface Check {
  /** What it checks, as shown in progress and summary, such as `accounts`. */
  readonly label: string;

  /**
   * Checks everything once, in bounded memory. A fault may be false if the rows change while it reads them.
   */
  findFaults(signal: AbortSignal): AsyncIterable<CheckProgress>;

  /** Checks one fault again. Returns it in its current state, or undefined if it is gone. */
  recheck(fault: Fault, signal: AbortSignal): Promise<Fault | undefined>;

  /**
   * Repairs the fault, after checking it again under a lock. Missing if no repair is safe. A repair never
   * removes anything that a user has stored.
   *
   * @returns false if faults of this rule cannot be repaired, or if the fault is gone
   */
  repair?(fault: Fault, onRepair: OnRepair, signal: AbortSignal): Promise<boolean>;
}

export function isSameFault(one: Fault, other: Fault): boolean {
  return one.rule === other.rule && one.subject === other.subject && one.id === other.id;
}
