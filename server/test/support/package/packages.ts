// Unpacks and runs packages of Holdall, without the Node.js of this machine.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';

type Settings = Readonly<Record<string, string>>;

interface RunningPackage {
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything that it has printed on both streams. */
  output(): string;
  stop(): Promise<void>;
}

/** Unpacks an archive. Returns its top directory. */
export function unpack(archive: string, directory: string): string {
  mkdirSync(directory, { recursive: true });
  const { status, stderr } = spawnSync('tar', ['-xzf', archive, '-C', directory], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return path.join(directory, path.basename(archive, '.tar.gz'));
}

/** Limits `PATH`, so a package finds only the programs of the system. */
export function environmentOf(settings: Settings): Settings {
  return { PATH: '/usr/bin:/bin', HOLDALL_PORT: '0', HOLDALL_LOG_LEVEL: 'warn', ...settings };
}

export function runPacked(home: string, words: readonly string[], settings: Settings) {
  const { status, stdout, stderr } = spawnSync(path.join(home, 'bin', 'holdall'), words, {
    cwd: '/',
    encoding: 'utf8',
    env: environmentOf(settings),
  });
  return { status, stdout, stderr };
}

/** Resolves when the service of the package listens. */
export function startPacked(home: string, settings: Settings): Promise<RunningPackage> {
  return startService([path.join(home, 'bin', 'holdall'), 'serve'], environmentOf(settings));
}

/** Resolves when the service that the command starts listens. */
export async function startService(
  [program = '', ...words]: readonly string[],
  env: Settings,
): Promise<RunningPackage> {
  const child = spawn(program, words, { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  after(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      output += bytes;
    });
  }
  for await (const line of createInterface(child.stdout)) {
    const url = /^listening on (http:\S+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    const stop = async () => {
      child.kill();
      assert.deepEqual(await exit, [0, null], output);
    };
    return { url, child, output: () => output, stop };
  }
  throw new Error(`The package does not start:\n${output}`);
}
