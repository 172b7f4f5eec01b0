// A real PostgreSQL: a fresh cluster in a temporary directory, removed when it stops.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chownSync, closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CleanupProcess } from '../../processes/cleanup-process.ts';
import { findFreePorts } from '../../processes/free-ports.ts';
import { findPrograms, makeReachableDirectory, runAs, toReadablePrograms } from './postgres-programs.ts';

interface PostgresOptions {
  /**
   * True for tests that cut the power or measure writes: commits then wait for the disk, as in production.
   * Otherwise nothing is flushed.
   */
  readonly fsync: boolean;
}

export interface Postgres {
  /** The URL of a superuser, with the database `postgres`. */
  readonly url: string;
  /** Stops the server and removes its data; may be called repeatedly. */
  stop(): Promise<void>;
}

/** Settings for a server whose data is not needed after a crash. */
const FAST = [
  'fsync = off',
  'full_page_writes = off',
  'synchronous_commit = off',
  'wal_level = minimal',
  'max_wal_senders = 0',
  // Compiling a query takes longer than any query of a test.
  'jit = off',
  // Otherwise it would visit every database of every test once a minute.
  'autovacuum = off',
];

const READY_WITHIN_MS = 30_000;
const USER = 'postgres';

/** @throws Error with one sentence if there is no PostgreSQL, with its log if it does not start */
export async function startPostgres({ fsync }: PostgresOptions): Promise<Postgres> {
  const programs = findPrograms();
  const directory = makeReachableDirectory();
  const cleanup = new CleanupProcess(directory);
  try {
    const readable = toReadablePrograms(programs, directory);
    const password = randomBytes(16).toString('hex');
    initialise(readable, directory, password, fsync);
    return await startServer(readable, directory, password, cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

function initialise(programs: string, directory: string, password: string, fsync: boolean): void {
  const data = dataOf(directory);
  const passwordFile = path.join(directory, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (runAs.uid !== undefined) chownSync(passwordFile, runAs.uid, runAs.gid ?? runAs.uid);
  // A password is needed, because every local user can reach the port, and a superuser can start programs.
  const access = [`--username=${USER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  // Sorts by locale, not by bytes, so that tests notice a column without its collation.
  const text = ['--encoding=UTF8', '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en'];
  const answer = spawnSync(
    path.join(programs, 'initdb'),
    [`--pgdata=${data}`, ...access, ...text, '--no-sync', '--no-instructions'],
    { ...spawnOptions(), encoding: 'utf8' },
  );
  rmSync(passwordFile);
  if (answer.status !== 0) throw new Error(`initdb failed: ${answer.error ?? answer.stderr}`);
  appendFileSync(
    path.join(data, 'postgresql.conf'),
    [
      `listen_addresses = '127.0.0.1'`,
      // No socket: its path may have at most 107 bytes, and some temporary directories are longer.
      `unix_socket_directories = ''`,
      // Three test files run at a time, and one of them may start six instances with 21 connections each.
      'max_connections = 500',
      ...(fsync ? [] : FAST),
      '',
    ].join('\n'),
  );
}

async function startServer(
  programs: string,
  directory: string,
  password: string,
  cleanup: CleanupProcess,
): Promise<Postgres> {
  const logFile = path.join(directory, 'log');
  // A file, because a pipe that no one reads would block the server.
  const log = openSync(logFile, 'a');
  const port = await findFreePorts(1);
  const server = spawn(path.join(programs, 'postgres'), ['-D', dataOf(directory), '-p', String(port)], {
    ...spawnOptions(),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  // An `error` event means that it did not start. That is noticed below.
  server.on('error', () => {});
  // QUIT is an immediate shutdown: the data is no longer needed, but the child processes must end too.
  cleanup.add(server, 'QUIT');
  if (!(await isReady(server, directory))) {
    throw new Error(`PostgreSQL did not start:\n${readFileSync(logFile, 'utf8').trim()}`);
  }
  return {
    url: `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`,
    stop: () => cleanup.run(),
  };
}

/** PostgreSQL accepts connections once the last line of its lock file is `ready`. */
async function isReady(server: ChildProcess, directory: string): Promise<boolean> {
  const lockFile = path.join(dataOf(directory), 'postmaster.pid');
  for (let waitedMs = 0; waitedMs < READY_WITHIN_MS && isRunning(server); waitedMs += 20) {
    if (readIfThere(lockFile).trimEnd().endsWith('ready')) return true;
    await sleep(20);
  }
  return false;
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function dataOf(directory: string): string {
  return path.join(directory, 'data');
}

/** Does not pass our environment: a PGDATA or locale in it would change how PostgreSQL behaves. */
function spawnOptions() {
  return { cwd: '/', env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8' }, ...runAs };
}
