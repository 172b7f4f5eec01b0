// Finds tests of the default tier that wait for a fixed time, measure time, or decide at random.

/** What a test of the default tier must not do, and what it should do instead. */
const RULES: readonly { readonly pattern: RegExp; readonly sentence: string }[] = [
  {
    pattern: /\b(?:sleep|setTimeout|setInterval)\(/,
    sentence:
      'waits for a time: wait for the condition (wait-until.ts), use a gate, or move the test to --full',
  },
  {
    pattern: /\bperformance\.now\(|\bprocess\.hrtime\b|\bDate\.now\(\) - /,
    sentence: 'measures a time: check what happened instead, or move the test to --full',
  },
  {
    pattern: /\bMath\.random\(|\brandomInt\(/,
    sentence: 'decides by chance: use SEED (seed.ts) or fc (fast-check.ts)',
  },
];

const COMMENT = /^\s*(?:\/\/|\/?\*).*$/;
/** A string on one line. Template strings come first, because they may contain quotes. */
const STRING = /`[^`]*`|'[^']*'/g;
const BLOCK = /^(?:await )?(?:\w+\.)?(?:test|it|describe|suite)\(/;

/** Returns a sentence for each line that breaks a rule, except in tests that run only with `--full`. */
export function findTimedTests(file: string, text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const code = line.replace(COMMENT, '').replaceAll(STRING, "''");
    const rule = RULES.find(({ pattern }) => pattern.test(code));
    if (rule === undefined || isInFull(lines, index)) return [];
    return [`${file}:${index + 1} ${rule.sentence}.`];
  });
}

/**
 * Whether a test or suite around a line has the option `inFull`. Relies on the indentation of the formatter.
 */
function isInFull(lines: readonly string[], index: number): boolean {
  let indent = indentOf(lines[index] ?? '');
  for (let above = index; above >= 0; above -= 1) {
    const line = lines[above] ?? '';
    if (line.trim() === '' || (above !== index && indentOf(line) >= indent)) continue;
    // The start of a statement that ends with `}, async () => {` has the same indentation.
    indent = indentOf(line) + (/^\s*[})]/.test(line) ? 1 : 0);
    if (BLOCK.test(line.trimStart()) && readHeader(lines, above).includes('inFull')) return true;
  }
  return false;
}

/** The text of a `test` or `describe` call up to the start of its body. */
function readHeader(lines: readonly string[], start: number): string {
  const end = lines.findIndex((line, index) => index >= start && line.includes('=>'));
  return lines.slice(start, end + 1).join('\n');
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
