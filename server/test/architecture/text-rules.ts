import path from 'node:path';
import { lineAt, type SourceModule } from './source-module.ts';

const MAX_LINES = 400;

const FORBIDDEN_NAME = /^(?:index|service|utils?|types|helpers?)\.tsx?$|manager/;

interface TextRule {
  readonly words: RegExp;
  readonly in: 'code' | 'comments';
  readonly appliesTo: (modulePath: string) => boolean;
  readonly sentence: string;
}

const everywhere = () => true;
const inTests = (modulePath: string) => modulePath.startsWith('test/') || modulePath.endsWith('.test.ts');

const TEXT_RULES: readonly TextRule[] = [
  {
    words: /\b(?:TODO|FIXME|XXX)\b/g,
    in: 'comments',
    appliesTo: everywhere,
    sentence: 'what is left to do is done, or written down where work is planned',
  },
  {
    words: /@ts-(?:ignore|nocheck)\b/g,
    in: 'comments',
    appliesTo: everywhere,
    sentence: 'a type that is wrong is put right',
  },
  {
    words: /(?:[:<|&]\s*|\bas\s+)any\b(?!\s*\()/g,
    in: 'code',
    appliesTo: everywhere,
    sentence: '"any" switches the types off; "unknown" does not',
  },
  {
    words: /\.(?:only|skip|todo)\s*\(|(?<=[{,]\s*)(?:only|skip|todo)\s*:/g,
    in: 'code',
    appliesTo: inTests,
    sentence: 'every test runs, always',
  },
  {
    words: /\bDate\.now\b|\bnew Date\b(?!\s*\(\s*[^)\s])|\bMath\.random\b/g,
    in: 'code',
    appliesTo: (modulePath) => isProduct(modulePath) && modulePath !== 'src/base/clock.ts',
    sentence: 'time comes from the clock and chance from the ids that the caller hands in',
  },
  {
    words: /\b(?:randomBytes|randomUUID|randomInt|randomFill|getRandomValues)\b/g,
    in: 'code',
    appliesTo: (modulePath) => isProduct(modulePath) && modulePath !== 'src/base/ids.ts',
    sentence: 'randomness comes from the ids that the caller hands in',
  },
];

/**
 * What is wrong with the names and the words of files, in sentences.
 * @param root where the paths of the modules begin
 */
export function findTextFaults(modules: readonly SourceModule[], root = 'server/'): string[] {
  return modules.flatMap((module) =>
    [...findFileFaults(module), ...findWordFaults(module)].map((fault) => root + fault),
  );
}

function findFileFaults({ path: modulePath, text }: SourceModule): string[] {
  const faults: string[] = [];
  if (FORBIDDEN_NAME.test(path.posix.basename(modulePath))) {
    faults.push(`${modulePath}: a file is named after what is inside.`);
  }
  const lines = lineAt(text.trimEnd(), text.length);
  if (lines > MAX_LINES) {
    faults.push(`${modulePath} has ${lines} lines: a file is one idea, in at most ${MAX_LINES}.`);
  }
  return faults;
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
