// Programs from Debian or Ubuntu packages. Missing ones are installed if we are allowed to.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** The programs of a machine, and whether we may install more. */
export interface Machine {
  /** Directories of programs; the first one takes precedence. */
  readonly places: readonly string[];
  /** Undefined if we are not root or there is no apt-get. */
  readonly install: ((packages: readonly string[]) => Promise<void>) | undefined;
}

const INSTALL_SCRIPT = path.join(import.meta.dirname, 'install-packages.sh');
const LOCK = '/run/holdall-packages.lock';
const POLICY = '/usr/sbin/policy-rc.d';
const INSTALL_WITHIN_MS = 15 * 60_000;

/** Serialises installations, so that a program that several callers need is installed once. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Resolves when all of the programs exist. If they already exist, this needs no time and no permissions.
 * @throws Error with a sentence that names what is missing and how to get it
 */
export async function needPrograms(
  programs: readonly string[],
  packages: readonly string[],
  machine: Machine = thisMachine(),
): Promise<void> {
  const findMissing = () => programs.filter((name) => findProgram(name, machine.places) === undefined);
  if (findMissing().length === 0) return;
  const { install } = machine;
  if (install === undefined) throw new Error(missingSentence(findMissing(), packages));
  const installed = turn.then(async () => {
    if (findMissing().length > 0) await install(packages);
  });
  turn = installed.catch(() => {});
  await installed;
  const missing = findMissing();
  if (missing.length > 0)
    throw new Error(`The packages ${packages.join(', ')} are installed, but not ${listOf(missing)}.`);
}

/** The path of the program; undefined if it is missing. */
export function findProgram(name: string, places = thisMachine().places): string | undefined {
  return places.map((place) => path.join(place, name)).find(isProgram);
}

/** Options of `spawn` that pass only our PATH and nothing else from our environment. */
export function plainSpawnOptions() {
  return { cwd: '/', env: { PATH: thisMachine().places.join(':'), LC_ALL: 'C.UTF-8' } };
}

function thisMachine(): Machine {
  const own = (process.env.PATH ?? '').split(':').filter((place) => path.isAbsolute(place));
  // Programs of services are in /usr/sbin, which is not on every user's PATH.
  const places = [...new Set([...own, '/usr/sbin', '/usr/bin', '/sbin', '/bin'])];
  const mayInstall = process.getuid?.() === 0 && findProgram('apt-get', places) !== undefined;
  return { places, install: mayInstall ? installPackages : undefined };
}

/** @throws Error with apt's output */
async function installPackages(packages: readonly string[]): Promise<void> {
  const { cwd, env } = plainSpawnOptions();
  const apt = spawn('flock', [LOCK, 'sh', INSTALL_SCRIPT, POLICY, ...packages], {
    cwd,
    env: {
      ...process.env,
      ...env,
      DEBIAN_FRONTEND: 'noninteractive',
      // Ubuntu would restart services that use an updated library.
      NEEDRESTART_SUSPEND: '1',
    },
    // Not interrupted by Ctrl-C: half-installed packages are worse than a short wait.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const limit = setTimeout(() => {
    if (apt.pid !== undefined) process.kill(-apt.pid);
  }, INSTALL_WITHIN_MS);
  try {
    const [said, [code, signal]] = await Promise.all([text(apt.stderr), once(apt, 'close')]);
    if (code === 0) return;
    throw new Error(`apt-get could not install ${packages.join(' ')} (${code ?? signal}).\n${said.trim()}`);
  } finally {
    clearTimeout(limit);
  }
}

function missingSentence(programs: readonly string[], packages: readonly string[]): string {
  const command = `apt-get install --no-install-recommends ${packages.join(' ')}`;
  return (
    `There is no ${listOf(programs)} on this machine: run "${command}" as root on Debian or Ubuntu ` +
    '(the tests do that by themselves when they are run as root there), elsewhere install what holds them.'
  );
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
