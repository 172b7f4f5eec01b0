import type { ConformanceOutcome } from './conformance.ts';
import type { CheckResult } from './suite.ts';

export function describeResult({ section, check, fault }: CheckResult): string {
  return fault === undefined ? `✔ ${section}: ${check}` : `✖ ${section}: ${check}\n    ${indent(fault)}`;
}

/** One line per section, the operations that were not called, and the totals. */
export function describeSections({ results, called }: ConformanceOutcome): string {
  const lines = [...Map.groupBy(results, ({ section }) => section)].map(([section, ofSection]) => {
    const failed = countFaults(ofSection);
    return `${failed === 0 ? '✔' : '✖'} ${section}: ${ofSection.length - failed} of ${ofSection.length}`;
  });
  lines.push(`${called.count} of ${called.total} operations were called.`);
  for (const operation of called.listMissing()) lines.push(`  not called: ${operation}`);
  const failed = countFaults(results);
  return [...lines, `${results.length - failed} passed, ${failed} failed`].join('\n');
}

/** For other programs. */
export function toJson({ results, called }: ConformanceOutcome): string {
  const operations = { called: called.count, total: called.total, missing: called.listMissing() };
  return `${JSON.stringify({ passed: countFaults(results) === 0, operations, results }, null, 2)}\n`;
}

export function countFaults(results: readonly CheckResult[]): number {
  return results.filter(({ fault }) => fault !== undefined).length;
}

function indent(text: string): string {
  return text.trim().replaceAll('\n', '\n    ');
}
