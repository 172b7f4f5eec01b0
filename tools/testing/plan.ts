// Decides which test files run, on which engines, and what each of them needs.
//
// A test file states this itself, in comments on its first lines:
//
//   // runs on: sqlite, postgres     The file runs once on each of these engines. Without this line it runs once and
//                                    opens no database.
//   // runs on, with --long: s3      The file runs on these engines too if the tests that take minutes do.
//   // needs: browser                What has to be there before the file starts.
//
// Most files run on SQLite only. `postgres` is for what can differ between the engines: races and locks, several
// instances and notifications, transactions and retries, migrations, query plans and counts of statements, the
// comparison and the order of text and nulls, large integers, hostile text, random operations compared with a
// model, kills and faults. It is also for a file that runs a statement which no other file runs on PostgreSQL:
// statement-coverage.ts finds these at the end of a whole run. `s3` is PostgreSQL, too, and is for what stores,
// reads, signs or deletes objects in a way that can differ between the stores.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Database and object store: SQLite and local disk, PostgreSQL and local disk, PostgreSQL and S3. */
export const ENGINES = ['sqlite', 'postgres', 's3'] as const;
export type Engine = (typeof ENGINES)[number];

/**
 * What a file can ask for: an S3 bucket without a database, what `npm run build` builds, a browser (with what is
 * built), the programs nginx and coturn, those that make and read ZIP archives and those that speak WebDAV, ffmpeg,
 * temporary files on a real disk (otherwise they are in memory), a process that it shares with no other file,
 * because it changes or observes the process.
 */
export const NEEDS = [
  'bucket',
  'build',
  'browser',
  'nginx',
  'archivers',
  'webdav',
  'coturn',
  'ffmpeg',
  'disk',
  'process',
] as const;
export type Need = (typeof NEEDS)[number];

export interface TestRequest {
  /** A file runs when its path contains one of them; none means all. */
  readonly filters: readonly string[];
  /** Undefined: every engine that a file declares. */
  readonly engine: Engine | undefined;
  /** Whether the tests that take minutes run too. */
  readonly isLong: boolean;
}

/** One run of a test file. */
export interface TestJob {
  /** Relative to the root of the repository, with `/`. */
  readonly file: string;
  /** Undefined: the file opens no database. */
  readonly engine: Engine | undefined;
  readonly needs: readonly Need[];
}

export interface Declaration {
  readonly engines: readonly Engine[];
  readonly longEngines: readonly Engine[];
  readonly needs: readonly Need[];
}

const PATTERNS = [
  'server/src/**/*.test.ts',
  'server/test/**/*.test.ts',
  'web/**/*.test.ts',
  'cli/**/*.test.ts',
  'client/**/*.test.ts',
  'tools/**/*.test.ts',
  'bench/**/*.test.ts',
];

/** Declarations are looked for in this many lines. */
const HEAD_LINES = 6;

/** Reads `[filter…] [--engine sqlite|postgres|s3] [--long]`. @throws Error with a sentence for the user */
export function readRequest(words: readonly string[]): TestRequest {
  const filters: string[] = [];
  let engine: Engine | undefined;
  let isLong = false;
  for (const [index, word] of words.entries()) {
    if (words[index - 1] === '--engine') continue;
    if (word === '--engine') engine = toEngine(words[index + 1]);
    else if (word.startsWith('--engine=')) engine = toEngine(word.slice('--engine='.length));
    else if (word === '--long') isLong = true;
    else if (word.startsWith('-')) {
      throw new Error(`There is no option ${word}; the options are --engine and --long.`);
    } else filters.push(word);
  }
  return { filters, engine, isLong };
}

/** Whether every test file runs on every engine that it declares. */
export function isWholeRun({ filters, engine }: TestRequest): boolean {
  return filters.length === 0 && engine === undefined;
}

/** Lists the test files below the root, relative to it. */
export function listTestFiles(root: string): string[] {
  const found = globSync(PATTERNS, { cwd: root, exclude: ['**/node_modules/**'] });
  return found.map((file) => file.split(path.sep).join('/')).sort();
}

/** Plans the runs of the files that the request asks for. @throws Error where a declaration has an unknown word */
export function planJobs(root: string, files: readonly string[], request: TestRequest): TestJob[] {
  return files
    .filter((file) => isRequested(file, request.filters))
    .flatMap((file) => {
      const declaration = readDeclaration(file, readFileSync(path.join(root, file), 'utf8'));
      return jobsOf(file, declaration, request);
    });
}

/** @throws Error with a sentence that names the file */
export function readDeclaration(file: string, text: string): Declaration {
  const head = text.split('\n', HEAD_LINES);
  const read = <T extends string>(key: string, known: readonly T[]) => {
    const prefix = `// ${key}: `;
    const lines = head.filter((line) => line.startsWith(prefix));
    return lines.flatMap((line) =>
      line
        .slice(prefix.length)
        .split(',')
        .map((word) => toKnown(word.trim(), known, `${file} ${key === 'needs' ? 'needs' : 'runs on'}`)),
    );
  };
  return {
    engines: read('runs on', ENGINES),
    longEngines: read('runs on, with --long', ENGINES),
    needs: read('needs', NEEDS),
  };
}

/** The jobs of one file; `engine` leaves out the others, and S3 where it is not asked for. */
export function jobsOf(
  file: string,
  { engines, longEngines, needs }: Declaration,
  { engine, isLong }: Pick<TestRequest, 'engine' | 'isLong'>,
): TestJob[] {
  if (needs.includes('bucket') && engine !== undefined && engine !== 's3') return [];
  if (engines.length === 0) return [{ file, engine: undefined, needs }];
  const all = isLong ? [...engines, ...longEngines] : engines;
  const chosen = engine === undefined ? all : all.filter((one) => one === engine);
  return chosen.map((one) => ({ file, engine: one, needs }));
}

/**
 * What takes the place of a job where no S3 store can be started: the same file on PostgreSQL with local
 * disk, unless it is only about S3, or runs there anyway.
 */
export function replaceS3(job: TestJob, jobs: readonly TestJob[]): TestJob | undefined {
  if (job.engine !== 's3') return undefined;
  const engines = jobs.filter(({ file }) => file === job.file).map(({ engine }) => engine);
  const isForDisk = engines.includes('sqlite') && !engines.includes('postgres');
  return isForDisk ? { ...job, engine: 'postgres' } : undefined;
}

/** The heading under which the outcome of a job is counted. */
export function describeEngine({ engine, needs }: Pick<TestJob, 'engine' | 'needs'>): string {
  if (engine === 'sqlite') return 'on SQLite and local disk';
  if (engine === 'postgres') return 'on PostgreSQL and local disk';
  if (engine === 's3') return 'on PostgreSQL and S3';
  return needs.includes('bucket') ? 'on S3 without a database' : 'without a database';
}

function toEngine(word: string | undefined): Engine {
  return toKnown(word ?? 'nothing', ENGINES, '--engine takes');
}

function toKnown<T extends string>(word: string, known: readonly T[], start: string): T {
  const found = known.find((one) => one === word);
  if (found === undefined) throw new Error(`${start} ${known.join(' or ')}, not ${word}.`);
  return found;
}

function isRequested(file: string, filters: readonly string[]): boolean {
  return filters.length === 0 || filters.some((filter) => file.includes(filter));
}
