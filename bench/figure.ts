import type { Stage } from './stage.ts';

/** One thing measured: every run's value, and those of the bare server where it can do the same. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly runs: readonly number[];
  readonly bareRuns?: readonly number[];
}

/** Something that can be run by its name, alone. It leaves nothing behind. */
export interface Case {
  readonly name: string;
  readonly measure: (stage: Stage) => Promise<readonly Figure[]>;
}

/** Runs the one, then the other, and again, so that a change of the machine's mood meets both. Never both at once. */
export async function inTurn(
  runs: number,
  service: (run: number) => Promise<number>,
  bare: (run: number) => Promise<number>,
): Promise<{ readonly runs: readonly number[]; readonly bareRuns: readonly number[] }> {
  const serviceRuns: number[] = [];
  const bareRuns: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    serviceRuns.push(await service(run));
    bareRuns.push(await bare(run));
  }
  return { runs: serviceRuns, bareRuns };
}

export async function repeat(runs: number, measure: (run: number) => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let run = 0; run < runs; run += 1) values.push(await measure(run));
  return values;
}
