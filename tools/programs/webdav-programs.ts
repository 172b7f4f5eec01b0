// WebDAV clients. Each of them must work with a drive.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { findProgram, needPrograms, plainSpawnOptions } from './debian-packages.ts';

const PROGRAMS = ['litmus', 'rclone', 'cadaver', 'curl'] as const;

export type WebdavProgram = (typeof PROGRAMS)[number];

/** @throws Error with one sentence if a program is missing and cannot be installed */
export async function needWebdavPrograms(): Promise<void> {
  await needPrograms(PROGRAMS, PROGRAMS);
}

interface ProgramRun {
  readonly args: readonly string[];
  readonly directory: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Text for its standard input. */
  readonly input?: string;
  /** A signal that kills the program, so that it cannot clean up. */
  readonly killed?: AbortSignal;
}

/**
 * Runs one of the programs to its end. Returns its output and its exit code, which is null if it was killed.
 */
export async function runWebdavProgram(
  program: WebdavProgram,
  { args, directory, env = {}, input = '', killed }: ProgramRun,
): Promise<{ readonly output: string; readonly code: number | null }> {
  const file = findProgram(program);
  if (file === undefined) throw new Error(`There is no ${program} on this machine.`);
  const child = spawn(file, args, {
    cwd: directory,
    // Programs keep settings and caches in the home directory.
    env: { ...plainSpawnOptions().env, HOME: directory, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  killed?.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
  child.stdin.end(input);
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { output: output + errors, code };
}
