// Compares the processor time of a default run with that of the last full run on this machine.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** The maximum share of a full run's processor time that a default run should take. */
const BUDGET_SHARE = 0.38;

interface FullRun {
  /** In ISO 8601 format. */
  readonly endedAt: string;
  readonly cpuSeconds: number;
}

/** The record is outside the repository, so that every clone on the machine finds it. */
function findRecord(): string {
  const cache = process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
  return path.join(cache, 'holdall', 'full-test-run.json');
}

export function writeFullRun(run: FullRun, file = findRecord()): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(run)}\n`);
}

export function readFullRun(file = findRecord()): FullRun | undefined {
  try {
    // Written by this file. If it is damaged, only the comparison is lost.
    return JSON.parse(readFileSync(file, 'utf8')) as FullRun;
  } catch {
    return undefined;
  }
}

/** Returns the line about the processor time of a whole run in the default tier. */
export function describeBudget(cpuSeconds: number, full: FullRun | undefined): string {
  const taken = `Processor time: ${cpuSeconds.toFixed(0)} s`;
  if (full === undefined) return `${taken}; no full run is recorded on this machine to compare it with.\n`;
  const share = (cpuSeconds / full.cpuSeconds).toFixed(2);
  const budget = (full.cpuSeconds * BUDGET_SHARE).toFixed(0);
  const when = full.endedAt.slice(0, 16).replace('T', ' ');
  return (
    `${taken}, ${share} of the full run of ${when} UTC (${full.cpuSeconds.toFixed(0)} s); ` +
    `the budget is ${BUDGET_SHARE} (${budget} s).\n`
  );
}
