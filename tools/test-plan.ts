// Which test files run, and how often.
import { globSync } from 'node:fs';
import path from 'node:path';

export const ENGINES = ['sqlite', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];

export interface TestRequest {
  /** A file runs when its path contains one of them; none means all. */
  readonly filters: readonly string[];
  readonly engines: readonly Engine[];
}

/** Files that run together on one database, or without any. */
export interface TestPart {
  readonly title: string;
  readonly engine: Engine | undefined;
  /** Relative to the root, with `/`. */
  readonly files: readonly string[];
}

/**
 * Everything in `server/test` runs once on every database, except what lies here: files and folders that open no
 * database, so that a second run could show nothing new. A file that is missing here costs time and no truth.
 */
const WITHOUT_DATABASE = [
  'architecture',
  'file-download',
  'file-download-socket',
  'local-disk',
  'local-disk-disasters',
];

const ALONE = ['server/src/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'];
const BEHAVIOUR = ['server/test/**/*.test.ts'];

/** Reads `[filter…] [--engine sqlite|postgres]`. @throws Error with a sentence for the person */
export function readRequest(words: readonly string[]): TestRequest {
  const filters: string[] = [];
  let engines: readonly Engine[] = ENGINES;
  for (const [index, word] of words.entries()) {
    if (words[index - 1] === '--engine') continue;
    if (word === '--engine') engines = [toEngine(words[index + 1])];
    else if (word.startsWith('--engine=')) engines = [toEngine(word.slice('--engine='.length))];
    else if (word.startsWith('-')) throw new Error(`There is no option ${word}; there is --engine.`);
    else filters.push(word);
  }
  return { filters, engines };
}

export function listTestFiles(root: string): string[] {
  const found = globSync([...ALONE, ...BEHAVIOUR], { cwd: root, exclude: ['**/node_modules/**'] });
  return found.map((file) => file.split(path.sep).join('/')).sort();
}

/** The parts that hold at least one file. */
export function planParts(files: readonly string[], request: TestRequest): TestPart[] {
  const asked = files.filter((file) => isAsked(file, request.filters));
  const [once, perEngine] = [asked.filter((file) => !needsDatabase(file)), asked.filter(needsDatabase)];
  const parts: TestPart[] = [
    { title: 'without a database', engine: undefined, files: once },
    ...request.engines.map((engine) => ({ title: `on ${engine}`, engine, files: perEngine })),
  ];
  return parts.filter((part) => part.files.length > 0);
}

function toEngine(word: string | undefined): Engine {
  const engine = ENGINES.find((known) => known === word);
  if (engine === undefined)
    throw new Error(`--engine takes ${ENGINES.join(' or ')}, not ${word ?? 'nothing'}.`);
  return engine;
}

function isAsked(file: string, filters: readonly string[]): boolean {
  return filters.length === 0 || filters.some((filter) => file.includes(filter));
}

function needsDatabase(file: string): boolean {
  const [, rest] = file.split(/^server\/test\//);
  if (rest === undefined) return false;
  return !WITHOUT_DATABASE.some((name) => rest.startsWith(`${name}/`) || rest === `${name}.test.ts`);
}
