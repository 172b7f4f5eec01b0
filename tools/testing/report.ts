// Counts the outcome of a run, and shows it: the slowest files, a line for each kind of engine, and the sum as last line.
import { describeEngine, type TestJob } from './plan.ts';
import type { TestCounts } from './tally.ts';

const SHOWN_FILES = 20;
const SHOWN_FROM_SECONDS = 1;

export interface JobOutcome extends TestCounts {
  readonly job: TestJob;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** The files that took longest, one a line, with their processor time; nothing for a run in which none took long. */
export function describeSlowest(outcomes: readonly JobOutcome[]): string {
  const slowest = outcomes
    .filter(({ seconds }) => seconds >= SHOWN_FROM_SECONDS)
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, SHOWN_FILES);
  if (slowest.length < 2) return '';
  const lines = slowest.map(
    ({ job, seconds, cpuSeconds }) =>
      `${toColumn(seconds)} s ${toColumn(cpuSeconds)} s CPU  ${job.file} ${describeEngine(job)}\n`,
  );
  return `The slowest files:\n${lines.join('')}`;
}

/** The processor time of the programs that all files share: databases, the object store, the browser. */
export function describePrograms(cpuSeconds: ReadonlyMap<string, number>): string {
  const programs = [...cpuSeconds].filter(([, seconds]) => seconds >= SHOWN_FROM_SECONDS);
  if (programs.length === 0) return '';
  const list = programs.map(([program, seconds]) => `${program} ${seconds.toFixed(1)} s`).join(', ');
  return `CPU of the programs that files share: ${list}\n`;
}

/** One line for each kind of engine. The seconds are those of its files together; several run at a time. */
export function describeParts(outcomes: readonly JobOutcome[]): string {
  const titles = new Set(outcomes.map(({ job }) => describeEngine(job)));
  return [...titles]
    .sort()
    .map((title) => describePart(title, outcomes))
    .join('');
}

function describePart(title: string, all: readonly JobOutcome[]): string {
  const outcomes = all.filter(({ job }) => describeEngine(job) === title);
  const sum = (of: (outcome: JobOutcome) => number) =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const failed = sum((outcome) => outcome.failed);
  const skippedCount = sum((outcome) => outcome.skipped);
  const skipped = skippedCount === 0 ? '' : `, ${skippedCount} SKIPPED`;
  const counts = `${sum((outcome) => outcome.passed)} passed, ${failed} failed${skipped}`;
  const seconds = sum((outcome) => outcome.seconds).toFixed(1);
  const cpuSeconds = sum((outcome) => outcome.cpuSeconds).toFixed(1);
  const sums = `${outcomes.length} files, ${seconds} s, ${cpuSeconds} s CPU`;
  return `${failed === 0 ? '✔' : '✖'} ${title}: ${counts} (${sums})\n`;
}

function toColumn(seconds: number): string {
  return seconds.toFixed(1).padStart(7);
}
