import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import type { Holdall } from './holdall.ts';

const CLI = path.join(import.meta.dirname, '..', '..', '..', '..', 'cli', 'src', 'main.mjs');

export type Environment = Readonly<Record<string, string | undefined>>;

interface CommandEnd {
  readonly code: number;
  /** Lines on standard output. */
  readonly said: readonly string[];
  /** Lines on standard error. */
  readonly complained: readonly string[];
}

/** The environment for commands that run beside a Holdall: the settings it was started with. */
export function environmentOf({ dataDir, databaseUrl, storage }: Holdall): Environment {
  return { HOLDALL_DATA_DIR: dataDir, HOLDALL_DATABASE_URL: databaseUrl, ...storage.env };
}

/** Runs the command line in this process. */
export async function runCommand(
  env: Environment,
  words: readonly string[],
  options: { signal?: AbortSignal; input?: string; onProgress?: (sentence: string) => void } = {},
): Promise<CommandEnd> {
  const said: string[] = [];
  const complained: string[] = [];
  const code = await runCommandLine(
    words,
    {
      env,
      say: (line) => said.push(...line.split('\n')),
      progress: options.onProgress ?? (() => {}),
      signal: options.signal ?? new AbortController().signal,
      readLine: async () => options.input ?? '',
    },
    (line) => complained.push(...line.split('\n')),
  );
  return { code, said, complained };
}

/** Runs the command line in a separate process. */
export async function spawnCommand(
  env: Environment,
  words: readonly string[],
  input = '',
): Promise<CommandEnd> {
  const child = startCommand(env, words);
  child.stdin.end(input);
  const [said, complained, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, said: toLines(said), complained: toLines(complained) };
}

/** Starts the command line in a separate process and returns it, for tests that kill it. */
export function startCommand(env: Environment, words: readonly string[]) {
  return spawn(process.execPath, [CLI, ...words], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

function toLines(printed: string): string[] {
  return printed.split('\n').filter((line) => line !== '');
}
