// Decides which test files run, on which engines, and what each of them needs.
//
// A test file states this itself, in comments on its first lines:
//
//   // tier: default             The runs that include the file: `default` all, `full` with --full or --long,
//                                `long` with --long. Every file has this line; see tiers.ts.
//   // runs on: sqlite           The file runs once on each of these engines. Without this line it runs once
//                                and opens no database.
//   // runs on, with --full: s3  The file also runs on these engines in that tier and in larger ones.
//   // needs: browser            What must be available before the file starts.
//
// Most files run only on SQLite. In the default tier, `postgres` is for behaviour that can differ between the
// engines: races and locks, several instances and notifications, retries, migrations, query plans. With
// --full, it is also for the comparison and order of text and nulls, large integers, hostile text, random
// operations compared with a model, and kills and faults. It is also for files with a statement that no other
// file runs on PostgreSQL: statement-coverage.ts finds these at the end of a whole run. `s3` includes
// PostgreSQL. It is for code that stores, reads, signs or deletes objects in a way that can differ between
// the stores.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { TIERS, type Tier } from './tiers.ts';

/** Database and object store: SQLite and local disk, PostgreSQL and local disk, PostgreSQL and S3. */
const ENGINES = ['sqlite', 'postgres', 's3'] as const;
export type Engine = (typeof ENGINES)[number];

/**
 * What a file can ask for: an S3 bucket without a database, the output of `npm run build`, a browser
 * (includes that output), the programs nginx and coturn, ZIP archivers, WebDAV clients, ffmpeg, temporary
 * files on a real disk (otherwise they are in memory), or a separate process, because it changes or observes
 * the process.
 */
const NEEDS = [
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
  /** A file runs if its path contains one of these. Empty means all files. */
  readonly filters: readonly string[];
  /** Only the tests whose full name contains this text run. Undefined means all. */
  readonly name: string | undefined;
  /** Undefined means every engine that a file declares. */
  readonly engine: Engine | undefined;
  readonly tier: Tier;
  /** Undefined means a fixed seed in the default tier, and a new one in each run of the others. */
  readonly seed: number | undefined;
  /** Whether to wait for a debugger before the only file is loaded. */
  readonly isInspected: boolean;
  /** Whether to run again whenever a source changes. */
  readonly isWatching: boolean;
}

/** One run of a test file. */
export interface TestJob {
  /** Relative to the root of the repository, with `/`. */
  readonly file: string;
  /** Undefined if the file opens no database. */
  readonly engine: Engine | undefined;
  readonly needs: readonly Need[];
}

export interface Declaration {
  readonly tier: Tier;
  /** For each tier, the engines that it adds to those of the smaller tiers. */
  readonly engines: Readonly<Record<Tier, readonly Engine[]>>;
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

/** Declarations must be in this many first lines. */
const HEAD_LINES = 6;

const OPTIONS = {
  name: { type: 'string' },
  engine: { type: 'string' },
  seed: { type: 'string' },
  full: { type: 'boolean', default: false },
  long: { type: 'boolean', default: false },
  inspect: { type: 'boolean', default: false },
  watch: { type: 'boolean', default: false },
} as const;

const USAGE =
  'Usage: npm test -- [part of a path …] [--name TEXT] [--engine ENGINE] [--full | --long] [--seed NUMBER] ' +
  '[--inspect] [--watch]';

/** Parses the command line. @throws Error with a sentence for the user */
export function readRequest(words: readonly string[]): TestRequest {
  const { values, positionals } = parse(words);
  const { name, engine, seed, full, long, inspect, watch } = values;
  return {
    filters: positionals,
    name,
    engine: engine === undefined ? undefined : toKnown(engine, ENGINES, '--engine takes'),
    tier: long ? 'long' : full ? 'full' : 'default',
    seed: seed === undefined ? undefined : toSeed(seed),
    isInspected: inspect,
    isWatching: watch,
  };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${USAGE}`, { cause: error });
  }
}

/** Whether every test file of the tier runs on every engine that it declares there. */
export function isWholeRun({ filters, name, engine }: TestRequest): boolean {
  return filters.length === 0 && name === undefined && engine === undefined;
}

/** Lists the test files below the root, relative to it. */
export function listTestFiles(root: string): string[] {
  const found = globSync(PATTERNS, { cwd: root, exclude: ['**/node_modules/**'] });
  return found.map((file) => file.split(path.sep).join('/')).sort();
}

/**
 * Plans the jobs for a request.
 * @throws Error with a sentence for the user if a declaration has an unknown word, if nothing would run, or
 *   if several files would wait for one debugger
 */
export function planRun(
  root: string,
  request: TestRequest,
): { readonly jobs: readonly TestJob[]; readonly isWhole: boolean } {
  const files = listTestFiles(root).filter((file) => isRequested(file, request.filters));
  const declarations = new Map(
    files.map((file) => [file, readDeclaration(file, readFileSync(path.join(root, file), 'utf8'))]),
  );
  const planFor = (tier: Tier) =>
    [...declarations].flatMap(([file, declaration]) => jobsOf(file, declaration, { ...request, tier }));
  const jobs = planFor(request.tier);
  if (jobs.length === 0) {
    const tier = TIERS.find((one) => planFor(one).length > 0);
    if (tier === undefined) throw new Error('There is no such test file.');
    const [{ file }] = planFor(tier) as [TestJob];
    throw new Error(`${file} runs in the ${tier} tier only: add --${tier}.`);
  }
  if (request.isInspected && jobs.length > 1) {
    const names = jobs.map(({ file, engine }) => (engine === undefined ? file : `${file} (${engine})`));
    throw new Error(`--inspect takes one file on one engine, not these: ${names.slice(0, 10).join(', ')}.`);
  }
  return { jobs, isWhole: isWholeRun(request) };
}

/** @throws Error with a sentence that names the file */
export function readDeclaration(file: string, text: string): Declaration {
  const head = text.split('\n', HEAD_LINES);
  const read = <T extends string>(key: string, known: readonly T[], verb: string) => {
    const prefix = `// ${key}: `;
    const lines = head.filter((line) => line.startsWith(prefix));
    return lines.flatMap((line) =>
      line
        .slice(prefix.length)
        .split(',')
        .map((word) => toKnown(word.trim(), known, `${file} ${verb}`)),
    );
  };
  const [tier] = read('tier', TIERS, 'is in tier');
  if (tier === undefined) {
    throw new Error(
      `${file} does not say its tier: let it begin with "// tier: default" or "// tier: full".`,
    );
  }
  const engines = {
    default: read('runs on', ENGINES, 'runs on'),
    full: read('runs on, with --full', ENGINES, 'runs on'),
    long: read('runs on, with --long', ENGINES, 'runs on'),
  };
  return { tier, engines, needs: read('needs', NEEDS, 'needs') };
}

/** The jobs of one file. `engine` excludes the other engines, and buckets unless it is `s3`. */
export function jobsOf(
  file: string,
  declaration: Declaration,
  { engine, tier }: Pick<TestRequest, 'engine' | 'tier'>,
): TestJob[] {
  const { engines, needs } = declaration;
  if (!isIn(tier, declaration.tier)) return [];
  if (needs.includes('bucket') && engine !== undefined && engine !== 's3') return [];
  const all = TIERS.filter((one) => isIn(tier, one)).flatMap((one) => engines[one]);
  const hasDatabase = TIERS.some((one) => engines[one].length > 0);
  if (!hasDatabase) return [{ file, engine: undefined, needs }];
  const chosen = engine === undefined ? all : all.filter((one) => one === engine);
  return chosen.map((one) => ({ file, engine: one, needs }));
}

/** Whether a run of one tier includes the tests of another. */
function isIn(run: Tier, tier: Tier): boolean {
  return TIERS.indexOf(tier) <= TIERS.indexOf(run);
}

/**
 * The replacement for a job if no S3 store can be started: the same file on PostgreSQL with local disk.
 * Undefined if the file is only about S3, or runs on PostgreSQL anyway.
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

function toSeed(word: string): number {
  if (!/^\d{1,10}$/.test(word))
    throw new Error(`--seed takes a whole number of at most ten digits, not ${word}.`);
  return Number(word);
}

function toKnown<T extends string>(word: string, known: readonly T[], start: string): T {
  const found = known.find((one) => one === word);
  if (found === undefined) throw new Error(`${start} ${known.join(' or ')}, not ${word}.`);
  return found;
}

function isRequested(file: string, filters: readonly string[]): boolean {
  return filters.length === 0 || filters.some((filter) => file.includes(filter));
}
