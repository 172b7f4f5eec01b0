import type { Stage } from '../stage.ts';

/** One measurement: the values of all runs, and those of the bare server if it supports the same work. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly runs: readonly number[];
  readonly bareRuns?: readonly number[];
  /**
   * The processor time of the server per operation, in milliseconds, for each run. Unlike a rate, it hardly
   * depends on what else the machine does.
   */
  readonly cpuMs?: readonly number[];
  readonly bareCpuMs?: readonly number[];
}

/** The result of one run. */
export interface Run {
  readonly value: number;
  readonly cpuMs: number;
}

/** A case that can be run alone, by name. It leaves nothing behind. */
export interface Case {
  readonly name: string;
  readonly measure: (stage: Stage) => Promise<readonly Figure[]>;
}

/**
 * Alternates between the two, so that changes of the machine affect both. They never run at the same time.
 */
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

/** Like {@link inTurn}, with the processor time of both. */
export async function inTurnWithCpu(
  runs: number,
  service: (run: number) => Promise<Run>,
  bare: (run: number) => Promise<Run>,
): Promise<Required<Pick<Figure, 'runs' | 'bareRuns' | 'cpuMs' | 'bareCpuMs'>>> {
  const cpuMs: number[] = [];
  const bareCpuMs: number[] = [];
  const noting = (into: number[], measure: (run: number) => Promise<Run>) => async (run: number) => {
    const measured = await measure(run);
    into.push(measured.cpuMs);
    return measured.value;
  };
  const rates = await inTurn(runs, noting(cpuMs, service), noting(bareCpuMs, bare));
  return { ...rates, cpuMs, bareCpuMs };
}

export async function repeat(runs: number, measure: (run: number) => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let run = 0; run < runs; run += 1) values.push(await measure(run));
  return values;
}
