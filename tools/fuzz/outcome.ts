/** One fault, with the first request that showed it. */
interface FuzzFault {
  /** Names the operation and says what is wrong. */
  readonly sentence: string;
  readonly requestNumber: number;
  readonly reproduction: string;
  /** The error in the service's log, or the beginning of the response. */
  readonly detail: string;
  count: number;
}

export interface FuzzOutcome {
  readonly seed: number;
  readonly requests: number;
  readonly faults: readonly FuzzFault[];
  /** How often each operation succeeded. */
  readonly successes: ReadonlyMap<string, number>;
  /** How often each status was returned. */
  readonly statuses: ReadonlyMap<number, number>;
  /** The longest block of the event loop, the minimum of three tries, in milliseconds. */
  readonly longestBlockMs: number;
}

/** Counts what happened during a run. */
export class Tally {
  readonly successes: Map<string, number>;
  readonly statuses = new Map<number, number>();
  readonly #faults = new Map<string, FuzzFault>();
  longestBlockMs = 0;

  constructor(operations: readonly string[]) {
    this.successes = new Map(operations.map((name) => [name, 0]));
  }

  get faults(): readonly FuzzFault[] {
    return [...this.#faults.values()];
  }

  countStatus(operation: string | undefined, status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (operation === undefined || status >= 400) return;
    this.successes.set(operation, (this.successes.get(operation) ?? 0) + 1);
  }

  /** Keeps each fault only once. */
  addFault(fault: Omit<FuzzFault, 'count'>): void {
    const known = this.#faults.get(fault.sentence);
    if (known === undefined) this.#faults.set(fault.sentence, { ...fault, count: 1 });
    else known.count += 1;
  }
}

/** The outcome as text for people. */
export function describeOutcome(outcome: FuzzOutcome): string {
  const { seed, requests, faults, successes, statuses, longestBlockMs } = outcome;
  const succeeded = [...successes.values()].filter((count) => count > 0).length;
  const never = [...successes].filter(([, count]) => count === 0).map(([name]) => name);
  const rows = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  return [
    `${requests} requests with the seed ${seed}; statuses ${rows.join(', ')}`,
    `${succeeded} of ${successes.size} operations succeeded at least once`,
    ...(never.length === 0 ? [] : [`without success: ${never.join(', ')}`]),
    `longest block of the event loop: ${longestBlockMs.toFixed(0)} ms`,
    ...faults.map((fault) => describeFault(fault, seed)),
    faults.length === 0 ? 'No faults.' : `${faults.length} faults.`,
  ].join('\n');
}

function describeFault(
  { sentence, count, requestNumber, reproduction, detail }: FuzzFault,
  seed: number,
): string {
  const times = count === 1 ? '' : ` (${count} times)`;
  return `\n✖ ${sentence}${times}\n  seed ${seed}, request ${requestNumber}\n  ${reproduction}\n  ${detail}`;
}
