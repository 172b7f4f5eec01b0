// Counts and shows the outcome of a run: the costliest files, a line per kind of engine, the flakes, and the
// totals as the last line.
import { describeEngine, type Engine, type Need, type TestJob } from './plan.ts';
import { type FileOutcome, indent, type TestCounts } from './tally.ts';
import type { Tier } from './tiers.ts';

const SHOWN_FILES = 20;
const SHOWN_FROM_SECONDS = 1;

export interface JobOutcome extends Omit<FileOutcome, 'file'> {
  readonly job: TestJob;
}

/** A file that failed, but passed when it ran again alone. */
export interface Flake {
  readonly first: JobOutcome;
  readonly second: JobOutcome;
}

/** The content of `.cache/test-report.json`. All times are in seconds. */
export interface Report {
  readonly tier: Tier;
  readonly seed: number;
  /** In ISO 8601 format. */
  readonly endedAt: string;
  readonly seconds: number;
  /** The time of the run with all of its programs. */
  readonly cpuSeconds: number;
  /** The time of each program that files share. */
  readonly sharedCpuSeconds: Readonly<Record<string, number>>;
  readonly passed: number;
  readonly failed: number;
  readonly flaky: readonly string[];
  /** The costliest first. */
  readonly files: readonly (TestCounts & {
    readonly file: string;
    readonly engine: Engine | 'none';
    readonly needs: readonly Need[];
    readonly seconds: number;
    /** Includes the file's estimated share of the programs that files share. */
    readonly cpuSeconds: number;
  })[];
}

export function listFiles(outcomes: readonly JobOutcome[]): Report['files'] {
  return byCost(outcomes).map(({ job, seconds, cpuSeconds, passed, failed, skipped }) => ({
    file: job.file,
    engine: job.engine ?? 'none',
    needs: job.needs,
    seconds: Number(seconds.toFixed(2)),
    cpuSeconds: Number(cpuSeconds.toFixed(2)),
    passed,
    failed,
    skipped,
  }));
}

/** The files that took the most processor time, one per line. Empty if none took long. */
export function describeCostliest(outcomes: readonly JobOutcome[]): string {
  const costliest = byCost(outcomes)
    .filter(({ cpuSeconds }) => cpuSeconds >= SHOWN_FROM_SECONDS)
    .slice(0, SHOWN_FILES);
  if (costliest.length < 2) return '';
  const lines = costliest.map(
    ({ job, seconds, cpuSeconds }) =>
      `${toColumn(cpuSeconds)} s CPU ${toColumn(seconds)} s  ${job.file} ${describeEngine(job)}\n`,
  );
  return `The costliest files:\n${lines.join('')}`;
}

/** The processor time of the programs that all files share: databases, the object store, the browser. */
export function describePrograms(cpuSeconds: ReadonlyMap<string, number>): string {
  const programs = [...cpuSeconds].filter(([, seconds]) => seconds >= SHOWN_FROM_SECONDS);
  if (programs.length === 0) return '';
  const list = programs.map(([program, seconds]) => `${program} ${seconds.toFixed(1)} s`).join(', ');
  return `CPU of the programs that files share: ${list}\n`;
}

/** One line per kind of engine. The seconds are the sum for its files, several of which run at a time. */
export function describeParts(outcomes: readonly JobOutcome[]): string {
  const titles = new Set(outcomes.map(({ job }) => describeEngine(job)));
  return [...titles]
    .sort()
    .map((title) => describePart(title, outcomes))
    .join('');
}

/** Both outcomes of each flake, and its line. */
export function describeFlakes(flakes: readonly Flake[]): string {
  return flakes
    .map(({ first, second }) => {
      const failures = first.failures.map(({ test, reason }) => `FLAKY: ${test}\n${indent(reason)}\n`);
      const outputs = [
        ['The output when it failed', first.output],
        [`The output when it passed, with ${second.passed} tests`, second.output],
      ].map(([title, output]) => `  ${title}:\n${indent(output || '(none)')}\n`);
      return [...failures, ...outputs].join('');
    })
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

function byCost(outcomes: readonly JobOutcome[]): readonly JobOutcome[] {
  return outcomes.toSorted((one, other) => other.cpuSeconds - one.cpuSeconds);
}

function toColumn(seconds: number): string {
  return seconds.toFixed(1).padStart(7);
}
