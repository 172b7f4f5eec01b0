import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type SourceText, splitSource } from './source-text.ts';

export interface Import {
  /** The text between the quotes; undefined if it is computed. */
  readonly specifier: string | undefined;
  readonly line: number;
  readonly isType: boolean;
  /** Whether a call loads the module, only when it is needed. */
  readonly isCall: boolean;
}

export interface SourceModule extends SourceText {
  /**
   * Relative to `server`, or to the root of the repository for code outside of it. Always with `/`, such as
   * `src/drive/drive.ts`.
   */
  readonly path: string;
  readonly imports: readonly Import[];
}

// These patterns are applied to code without the content of strings, so a quote begins a specifier.
const FROM = /\b(?:import|export)\b([^'"`;()]*?)\bfrom\s*(?=['"])/g;
const FOR_EFFECT = /\bimport\s*(?=['"])/g;
// Does not match methods called `import`: a call has a dot before it, a declaration no quote after it.
const CALL = /(?<![.\w#])(?:import|require)\s*\(\s*(?=['"`])/g;
const COMPUTED_CALL = /(?:\bawait|\breturn|=>|[=(,:])\s*(?:import|require)\s*\(\s*(?=[^'"`\s])/g;

export function toModule(modulePath: string, text: string): SourceModule {
  const source = splitSource(text);
  return { ...source, path: modulePath, imports: findImports(source) };
}

/** Reads all TypeScript and JavaScript files below `<root>/<folder>`. */
export function readModules(root: string, folder: string): SourceModule[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .filter((name) => /\.(?:tsx?|mjs)$/.test(name))
    .sort()
    .map((name) => toModule(name, readFileSync(path.join(root, name), 'utf8')));
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function findImports({ text, code }: SourceText): Import[] {
  const found: (Import & { readonly offset: number })[] = [];
  for (const pattern of [FROM, FOR_EFFECT, CALL, COMPUTED_CALL]) {
    for (const match of code.matchAll(pattern)) {
      const specifier =
        pattern === COMPUTED_CALL ? undefined : specifierAt(text, match.index + match[0].length);
      const isType = /^\s*type\b/.test(match[1] ?? '');
      const isCall = pattern === CALL || pattern === COMPUTED_CALL;
      found.push({ specifier, line: lineAt(text, match.index), isType, isCall, offset: match.index });
    }
  }
  return found.sort((a, b) => a.offset - b.offset).map(({ offset: _, ...found }) => found);
}

/** Returns the text of a specifier; undefined for a template with an interpolation, which is computed. */
function specifierAt(text: string, quote: number): string | undefined {
  const specifier = text.slice(quote + 1, text.indexOf(text.charAt(quote), quote + 1));
  return specifier.includes('${') ? undefined : specifier;
}
