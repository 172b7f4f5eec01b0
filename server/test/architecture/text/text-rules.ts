import path from 'node:path';
import { lineAt, type SourceModule } from '../source/source-module.ts';
import { findFunctions } from './function-length.ts';

const MAX_LINES = 400;
const MAX_FUNCTION_LINES = 80;

const FORBIDDEN_NAME = /^(?:index|service|utils?|types|helpers?)\.tsx?$|manager/;

interface TextRule {
  readonly words: RegExp;
  readonly in: 'code' | 'comments' | 'text';
  readonly appliesTo: (modulePath: string) => boolean;
  readonly sentence: string;
}

/** References to documents outside of the repository, which a reader cannot open. */
export const OUTSIDE_DOCUMENT =
  /\b(?:contract|specification|design), (?:section|rule|")|\bthe specification\b|\b(?:spec|design|contract)\.md\b/gi;

/** The only file that may normalise text. The web client shares it. */
const NORMALIZES = 'src/base/text/names/normal-form.ts';

const everywhere = () => true;
const inTests = (modulePath: string) => modulePath.startsWith('test/') || modulePath.endsWith('.test.ts');

const TEXT_RULES: readonly TextRule[] = [
  {
    words: OUTSIDE_DOCUMENT,
    in: 'text',
    appliesTo: (modulePath) => !modulePath.startsWith('test/architecture/'),
    sentence: 'state the rule itself, or refer to a page under docs/ or to an RFC',
  },
  {
    words: /\b(?:TODO|FIXME|XXX)\b/g,
    in: 'comments',
    appliesTo: everywhere,
    sentence: 'do it now, or plan it in an issue',
  },
  {
    words: /@ts-(?:ignore|nocheck)\b/g,
    in: 'comments',
    appliesTo: everywhere,
    sentence: 'correct the type instead',
  },
  {
    words: /(?:[:<|&]\s*|\bas\s+)any\b(?!\s*\()/g,
    in: 'code',
    appliesTo: everywhere,
    sentence: '"any" disables type checking; use "unknown"',
  },
  {
    words: /\.(?:only|skip|todo)\s*\(|(?<=[{,]\s*)(?:only|skip|todo)\s*:/g,
    in: 'code',
    appliesTo: inTests,
    sentence: 'every test must always run',
  },
  {
    words: /\bDate\.now\b|\bnew Date\b(?!\s*\(\s*[^)\s])|\bMath\.random\b/g,
    in: 'code',
    appliesTo: (modulePath) => isProduct(modulePath) && modulePath !== 'src/base/clock.ts',
    sentence: 'time comes from a Clock and randomness from Ids, which are passed as parameters',
  },
  {
    words: /\.normalize\(/g,
    in: 'code',
    appliesTo: (modulePath) =>
      /^(?:web\/)?src\/.*(?<!\.test)\.tsx?$/.test(modulePath) && modulePath !== NORMALIZES,
    sentence: 'toNormalForm checks the length first, because long text takes quadratic time',
  },
  {
    words: /\b(?:randomBytes|randomUUID|randomInt|randomFill|getRandomValues)\b/g,
    in: 'code',
    appliesTo: (modulePath) => isProduct(modulePath) && modulePath !== 'src/base/ids.ts',
    sentence: 'randomness comes from Ids, which are passed as a parameter',
  },
  {
    words: /\bkey=\{(?:index|idx|i)\}/g,
    in: 'code',
    // This view shows the rows of a file, which never move.
    appliesTo: (modulePath) =>
      modulePath.startsWith('web/') && modulePath !== 'web/src/features/preview/text/table-view.tsx',
    sentence: 'use the id of the item as its key: with an index, a field loses its text when the list shifts',
  },
];

/**
 * Finds violations of the rules about file names, lengths and words, as sentences.
 * @param root the folder that the paths of the modules are relative to
 */
export function findTextFaults(modules: readonly SourceModule[], root = 'server/'): string[] {
  return modules.flatMap((module) =>
    [...findFileFaults(module), ...findWordFaults(module)].map((fault) => root + fault),
  );
}

function findFileFaults(module: SourceModule): string[] {
  const { path: modulePath, text } = module;
  const faults: string[] = [];
  if (FORBIDDEN_NAME.test(path.posix.basename(modulePath))) {
    faults.push(`${modulePath}: name the file after its content.`);
  }
  const lines = lineAt(text.trimEnd(), text.length);
  if (lines > MAX_LINES) {
    faults.push(`${modulePath} has ${lines} lines: the maximum is ${MAX_LINES}.`);
  }
  return [...faults, ...findFunctionFaults(module)];
}

/** Routes files are exempt: their functions are lists. Components are exempt: markup takes many lines. */
function findFunctionFaults(module: SourceModule): string[] {
  if (!isProduct(module.path) || module.path.endsWith('routes.ts')) return [];
  return findFunctions(module)
    .filter(({ count }) => count > MAX_FUNCTION_LINES)
    .map(
      ({ line, count }) =>
        `${module.path}:${line} has a function of ${count} lines: the maximum is ${MAX_FUNCTION_LINES}.`,
    );
}

function findWordFaults(module: SourceModule): string[] {
  return TEXT_RULES.filter((rule) => rule.appliesTo(module.path)).flatMap((rule) =>
    [...module[rule.in].matchAll(rule.words)].map(
      (match) => `${module.path}:${lineAt(module.text, match.index)} "${match[0].trim()}": ${rule.sentence}.`,
    ),
  );
}

function isProduct(modulePath: string): boolean {
  return modulePath.startsWith('src/') && !modulePath.endsWith('.test.ts');
}
