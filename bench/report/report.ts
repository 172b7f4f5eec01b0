import type { Figure } from './figure.ts';
import { GOALS, type Goal, isReached } from './goals.ts';
import { median } from './median.ts';

export interface Row {
  readonly case: string;
  readonly figure: string;
  readonly unit: string;
  readonly value: number;
  readonly bare: number | null;
  readonly ratio: number | null;
  /** Processor time of the server per operation, in milliseconds. */
  readonly cpuMs: number | null;
  /** The processor time of the peer divided by that of the service. */
  readonly cpuRatio: number | null;
  readonly goal: string | null;
  readonly reached: boolean | null;
  readonly runs: readonly number[];
  readonly bareRuns: readonly number[];
}

/** @param judge false for a scale without goals, to leave them out */
export function toRow(caseName: string, figure: Figure, judge: boolean): Row {
  const value = median(figure.runs);
  const bare = figure.bareRuns === undefined ? null : median(figure.bareRuns);
  const ratio = bare === null ? null : value / bare;
  const cpuMs = figure.cpuMs === undefined ? null : median(figure.cpuMs);
  const goal = judge ? GOALS.find((candidate) => candidate.figure === figure.name) : undefined;
  return {
    case: caseName,
    figure: figure.name,
    unit: figure.unit,
    value,
    bare,
    ratio,
    cpuMs,
    cpuRatio: cpuMs === null || figure.bareCpuMs === undefined ? null : median(figure.bareCpuMs) / cpuMs,
    goal: goal === undefined ? null : describe(goal, figure.unit),
    reached: goal === undefined ? null : isReached(goal, { value, ratio }),
    runs: figure.runs,
    bareRuns: figure.bareRuns ?? [],
  };
}

export function toTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => [
    row.figure,
    formatNumber(row.value),
    row.unit,
    row.bare === null ? '' : formatNumber(row.bare),
    row.ratio === null ? '' : row.ratio.toFixed(2),
    row.cpuMs === null ? '' : formatNumber(row.cpuMs),
    row.cpuRatio === null ? '' : row.cpuRatio.toFixed(2),
    row.goal ?? '',
    row.reached === null ? '' : row.reached ? 'reached' : 'NOT reached',
  ]);
  const titles = ['figure', 'value', 'unit', 'bare', 'ratio', 'CPU ms', 'CPU ratio', 'goal', ''];
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  const isNumber = (column: number) => column === 1 || (column >= 3 && column <= 6);
  const toLine = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (isNumber(column) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`;
  return [toLine(titles), rule, ...lines.map(toLine)].join('\n');
}

/** One line per missed goal, with the measured value. */
export function toMissedGoals(rows: readonly Row[]): string {
  const missed = rows.filter((row) => row.reached === false);
  if (missed.length === 0) return 'Every goal that was measured is reached.';
  const lines = missed.map((row) => {
    const ratio = row.ratio === null ? '' : `, ratio ${row.ratio.toFixed(2)}`;
    return `- ${row.figure}: ${formatNumber(row.value)} ${row.unit}${ratio}; the goal is ${row.goal}`;
  });
  return ['Missed goals:', ...lines].join('\n');
}

function describe(goal: Goal, unit: string): string {
  const subject = goal.of === 'ratio' ? 'ratio ' : '';
  const bound = goal.atLeast === undefined ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`;
  const other = goal.orValueAtLeast === undefined ? '' : ` or >= ${goal.orValueAtLeast} ${unit}`;
  return `${subject}${bound}${goal.of === 'ratio' ? '' : ` ${unit}`}${other}`;
}

function formatNumber(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
