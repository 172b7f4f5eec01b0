// Reads the exports and their comments from the declarations (`.d.ts`) that the compiler writes.

export interface Declaration {
  readonly name: string;
  readonly kind: 'class' | 'interface' | 'type' | 'function' | 'const';
  /** The text of the comment before it; empty if there is none. */
  readonly comment: string;
  /** The whole declaration, without the comment before it and without `export declare`. */
  readonly text: string;
}

interface Member {
  readonly comment: string;
  /** The declaration in one line. */
  readonly signature: string;
}

const EXPORT = /^export (?:declare )?(?:abstract )?(class|interface|type|function|const) (\w+)/;

/** The exported declarations of a file, in the order of the file. */
export function readDeclarations(text: string): readonly Declaration[] {
  return readStatements(text.split('\n'), '').flatMap(({ comment, lines }) => {
    const [first = ''] = lines;
    const [, kind, name] = EXPORT.exec(first) ?? [];
    if (kind === undefined || name === undefined) return [];
    // The pattern allows only these words.
    const known = kind as Declaration['kind'];
    return [{ name, kind: known, comment, text: lines.join('\n').replace(/^export (?:declare )?/, '') }];
  });
}

/** The members of a class or interface, in their order. */
export function readMembers({ text }: Declaration): readonly Member[] {
  const lines = text.split('\n');
  return readStatements(lines.slice(1, -1), '    ').map(({ comment, lines: own }) => ({
    comment,
    signature: own
      .map((line) => line.trim())
      .join(' ')
      .replace(/;$/, ''),
  }));
}

interface Statement {
  readonly comment: string;
  readonly lines: readonly string[];
}

/** Splits lines into the statements at this indentation, each with the comment before it. */
function readStatements(lines: readonly string[], indent: string): readonly Statement[] {
  const statements: Statement[] = [];
  let comment: string[] = [];
  let current: string[] = [];
  let isInComment = false;
  for (const line of lines) {
    const own = line.slice(indent.length);
    if (current.length === 0 && (isInComment || own.startsWith('/**'))) {
      if (!isInComment) comment = [];
      comment.push(own);
      isInComment = !own.includes('*/');
      continue;
    }
    if (current.length === 0 && own.trim() === '') continue;
    current.push(own);
    // Nested statements are indented further.
    // Parts of a type may end with a brace, and the last one may begin with a blank: `| 'last';`
    const end = /^export (?:declare )?type /.test(current[0] ?? '') ? /^(?! {4}).*;$/ : /^\S.*[;}]$|^[;}]$/;
    const isEnd = end.test(own);
    if (!isEnd) continue;
    statements.push({ comment: cleanComment(comment), lines: current });
    comment = [];
    current = [];
  }
  return statements;
}

function cleanComment(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/^\/\*\*/, '')
    .replace(/\*\/\s*$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim();
}
