// Other programs that create and read ZIP archives: each side must read what the other writes.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { findProgram, needPrograms, plainSpawnOptions } from './debian-packages.ts';

const PROGRAMS = ['zip', 'unzip', '7z', 'python3'];
const PACKAGES = ['zip', 'unzip', 'p7zip-full', 'python3'];

/** The program of a JDK, or the small alternative in Debian. */
const JARS = ['jar', 'fastjar'];

/** @throws Error with one sentence if a program is missing and cannot be installed */
export async function needArchivers(): Promise<void> {
  await needPrograms(PROGRAMS, PACKAGES);
  if (findJar() === undefined) await needPrograms(['fastjar'], ['fastjar']);
}

/** Runs one of the programs in a directory and returns its output. @throws Error with its output */
export async function runArchiver(
  program: 'zip' | 'unzip' | '7z' | 'python3' | 'jar',
  args: readonly string[],
  directory: string,
): Promise<string> {
  const { env } = plainSpawnOptions();
  const file = program === 'jar' ? findJar() : findProgram(program);
  if (file === undefined) throw new Error(`There is no ${program} on this machine.`);
  const { stdout } = await promisify(execFile)(file, args, {
    cwd: path.resolve(directory),
    env,
    maxBuffer: 64 * 1024 ** 2,
  });
  return stdout;
}

function findJar(): string | undefined {
  return JARS.map((name) => findProgram(name)).find((file) => file !== undefined);
}
