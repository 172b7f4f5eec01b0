// Records which SQL statements of the service each test file of this process runs, for statement-coverage.ts.
//
// Kysely compiles a statement while its caller is still on the stack. This shows which place built it, so
// that statements of the tests themselves can be left out. Programs started by a test are not recorded.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { DefaultQueryCompiler, type QueryId, type RootOperationNode } from 'kysely';
import { onFileStart } from './file-end.ts';
import { normaliseStatement, type RunStatement } from './statement-coverage.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
/** More frames than Kysely has between the caller and the compiler. */
const STACK_FRAMES = 20;
/** A longer text has a long list of values and will hardly run again, so it is not remembered. */
const MAX_KEPT_CHARACTERS = 4_000;

let file = '';
/** Raw texts that the current file has already run, so that they need not be examined again. */
const known = new Set<string>();
/** The statements of the current file, by their normalised text. */
const statements = new Map<string, RunStatement>();

/** Starts recording. At the end of each file, its statements are written into the directory. */
export function recordStatements(directory: string, engine: RunStatement['engine'], firstFile: string): void {
  file = path.relative(root, firstFile);
  const { prototype } = DefaultQueryCompiler;
  const { compileQuery } = prototype;
  prototype.compileQuery = function compileAndRecord(node: RootOperationNode, queryId: QueryId) {
    const compiled = compileQuery.call(this, node, queryId);
    record(compiled.sql, engine);
    return compiled;
  };
  // Several files may share the process.
  onFileStart((nextFile) => {
    write(directory);
    file = path.relative(root, nextFile);
  });
  process.on('exit', () => write(directory));
}

function write(directory: string): void {
  if (statements.size > 0) {
    writeFileSync(path.join(directory, `${randomUUID()}.json`), JSON.stringify([...statements.values()]));
  }
  statements.clear();
  known.clear();
}

function record(sql: string, engine: RunStatement['engine']): void {
  if (known.has(sql)) return;
  const place = findPlace();
  if (place === undefined) return;
  if (sql.length <= MAX_KEPT_CHARACTERS) known.add(sql);
  const text = normaliseStatement(sql);
  if (!statements.has(text)) statements.set(text, { text, engine, file, place });
}

/** Returns the file and line that built the statement; undefined if a test built it. */
function findPlace(): string | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = STACK_FRAMES;
  const frames = new Error('only for its stack').stack?.split('\n') ?? [];
  Error.stackTraceLimit = stackTraceLimit;
  const builder = frames.find((frame) => frame.includes(`${root}/`) && !isBetween(frame)) ?? '';
  return /server\/src\/[^:]*:\d+/.exec(builder)?.[0];
}

/** Whether the stack frame is between the code that built a statement and this file. */
function isBetween(frame: string): boolean {
  return frame.includes('/node_modules/') || frame.includes(import.meta.filename);
}
