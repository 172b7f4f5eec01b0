// Which test files run, on what, and how often.
import { globSync } from 'node:fs';
import path from 'node:path';

/** Where rows and bytes lie: SQLite and local disk, PostgreSQL and local disk, PostgreSQL and S3. */
export const GROUNDS = ['sqlite', 'postgres', 's3'] as const;
export type Ground = (typeof GROUNDS)[number];

/** Of all three these show the most in the least time. */
const USUAL_GROUNDS: readonly Ground[] = ['sqlite', 's3'];

export interface TestRequest {
  /** A file runs when its path contains one of them; none means all. */
  readonly filters: readonly string[];
  readonly grounds: readonly Ground[];
}

/** Files that run together on one ground. */
export interface TestPart {
  readonly title: string;
  /** Undefined: none of it, whether rows or bytes. */
  readonly database: 'sqlite' | 'postgres' | undefined;
  readonly onS3: boolean;
  /** Relative to the root, with `/`. */
  readonly files: readonly string[];
}

/**
 * Everything in `server/test` runs once on every ground, except what lies here: files and folders that open
 * no database, so that a second run could show nothing new. A file that is missing here costs time and no
 * truth.
 */
const WITHOUT_DATABASE = [
  'architecture',
  'http/file-download',
  'http/file-download-socket',
  'storage/local-disk',
  'storage/local-disk-disasters',
  'storage/local-disk-pieces',
  'storage/s3-answers',
];

/** These need the S3 store itself, and no database. */
const S3_ALONE = [
  'server/test/storage/s3-store',
  'server/test/storage/s3-network',
  'server/test/storage/s3-leftovers',
  'server/test/support/storage/test-storage',
  'tools/s3',
];

/** These are about the local disk, the documents or the web client, and one database is as good as another. */
const SQLITE_ALONE = ['server/test/http/nginx', 'server/test/http/api-docs', 'server/test/web/'];

/** What only a service on S3 can do. */
const ON_S3_ONLY = 'server/test/on-s3/';

const ALONE = ['server/src/**/*.test.ts', 'web/src/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'];
const BEHAVIOUR = ['server/test/**/*.test.ts'];

const ON_GROUND: Readonly<Record<Ground, Omit<TestPart, 'files'>>> = {
  sqlite: { title: 'on SQLite and local disk', database: 'sqlite', onS3: false },
  postgres: { title: 'on PostgreSQL and local disk', database: 'postgres', onS3: false },
  s3: { title: 'on PostgreSQL and S3', database: 'postgres', onS3: true },
};

/** Reads `[filter…] [--engine sqlite|postgres|s3]`. @throws Error with a sentence for the person */
export function readRequest(words: readonly string[]): TestRequest {
  const filters: string[] = [];
  let grounds = USUAL_GROUNDS;
  for (const [index, word] of words.entries()) {
    if (words[index - 1] === '--engine') continue;
    if (word === '--engine') grounds = [toGround(words[index + 1])];
    else if (word.startsWith('--engine=')) grounds = [toGround(word.slice('--engine='.length))];
    else if (word.startsWith('-')) throw new Error(`There is no option ${word}; there is --engine.`);
    else filters.push(word);
  }
  return { filters, grounds };
}

/** What runs where no S3 store is to be had: the same tests on the same database, the bytes on disk. */
export function withoutS3(request: TestRequest): TestRequest {
  const grounds = request.grounds.map((ground) => (ground === 's3' ? 'postgres' : ground));
  return { ...request, grounds: [...new Set(grounds)] };
}

export function listTestFiles(root: string): string[] {
  const found = globSync([...ALONE, ...BEHAVIOUR], { cwd: root, exclude: ['**/node_modules/**'] });
  return found.map((file) => file.split(path.sep).join('/')).sort();
}

/** The parts that hold at least one file. */
export function planParts(files: readonly string[], request: TestRequest): TestPart[] {
  const { filters, grounds } = request;
  const asked = files.filter((file) => isAsked(file, filters));
  const filesOf = (place: Place) => asked.filter((file) => placeOf(file) === place);
  const parts: TestPart[] = [
    { title: 'without a database', database: undefined, onS3: false, files: filesOf('nowhere') },
    { title: 'on S3 without a database', database: undefined, onS3: true, files: filesOf('s3 alone') },
    ...grounds.map((ground) => ({
      ...ON_GROUND[ground],
      files: asked.filter((file) => runsOn(file, ground)),
    })),
  ];
  const isS3There = grounds.includes('s3');
  return parts.filter(({ onS3, files }) => files.length > 0 && (isS3There || !onS3));
}

type Place = 'nowhere' | 's3 alone' | 'sqlite alone' | 's3 ground' | 'every ground';

function placeOf(file: string): Place {
  const is = (name: string) => file === `${name}.test.ts`;
  if (S3_ALONE.some(is)) return 's3 alone';
  if (SQLITE_ALONE.some((name) => is(name) || (name.endsWith('/') && file.startsWith(name))))
    return 'sqlite alone';
  if (file.startsWith(ON_S3_ONLY)) return 's3 ground';
  if (!file.startsWith('server/test/')) return 'nowhere';
  const opensNone = WITHOUT_DATABASE.some(
    (name) => is(`server/test/${name}`) || file.startsWith(`server/test/${name}/`),
  );
  return opensNone ? 'nowhere' : 'every ground';
}

function runsOn(file: string, ground: Ground): boolean {
  const place = placeOf(file);
  if (place === 'sqlite alone') return ground === 'sqlite';
  if (place === 's3 ground') return ground === 's3';
  return place === 'every ground';
}

function toGround(word: string | undefined): Ground {
  const ground = GROUNDS.find((known) => known === word);
  if (ground === undefined)
    throw new Error(`--engine takes ${GROUNDS.join(' or ')}, not ${word ?? 'nothing'}.`);
  return ground;
}

function isAsked(file: string, filters: readonly string[]): boolean {
  return filters.length === 0 || filters.some((filter) => file.includes(filter));
}
