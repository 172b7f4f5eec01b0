import type { Tx } from '../database/database.ts';

/** Something that is not as it has to be. */
export interface Fault {
  /** Which rule does not hold, such as `child-count`. */
  readonly rule: string;
  /** What the fault is about: the name of a table, or `object`. */
  readonly subject: string;
  readonly id: number | string;
  /** For a person. */
  readonly sentence: string;
}

/** What a check has done since it told last. */
export interface Progress {
  /** How many of what it looks at. */
  readonly looked: number;
  readonly faults: readonly Fault[];
}

/** What the caller wants to be done in the transaction of a repair. */
export type AlsoDo = (tx: Tx, fault: Fault) => Promise<void>;

/** Looks for faults of some rules. A new one is added to the list in `doctor.ts`. */
export interface Check {
  /** For progress and summary: `accounts`. */
  readonly looksAt: string;

  /** Looks at everything once, in bounded memory. What changes meanwhile may be told though it is right. */
  find(signal: AbortSignal): AsyncIterable<Progress>;

  /** Whether the fault is there now; how it is then. */
  lookAgain(fault: Fault, signal: AbortSignal): Promise<Fault | undefined>;

  /** Whether a program may put right what breaks this rule. Nothing that people stored is ever removed by it. */
  isMendable(fault: Fault): boolean;

  /** Puts it right, having asked again under a lock. False when it is gone, or changed meanwhile. */
  mend(fault: Fault, alsoDo: AlsoDo, signal: AbortSignal): Promise<boolean>;
}

export function isSameFault(one: Fault, other: Fault): boolean {
  return one.rule === other.rule && one.subject === other.subject && one.id === other.id;
}
