import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const SUPPORT = path.dirname(import.meta.dirname);
const MAIN = path.join(SUPPORT, '..', '..', 'src', 'main.mjs');

/** A process that has already loaded the service, which saves most of the start time. */
export interface StandbyProcess {
  /** Resolves when it listens. */
  start(): Promise<ServiceProcess>;
  kill(): Promise<void>;
}

/** Holdall in a separate process, for tests that kill it. */
export class ServiceProcess {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /**
   * Resolves when it listens.
   * @param program another program below `test/support` that reports this as the service does
   */
  static start(env: Readonly<Record<string, string>>, program?: string): Promise<ServiceProcess> {
    const script = program === undefined ? MAIN : path.join(SUPPORT, program);
    return ServiceProcess.#untilListening(spawnProgram(script, env));
  }

  /** Starts a process that loads the service, and starts it on request. */
  static standBy(env: Readonly<Record<string, string>>): StandbyProcess {
    const child = spawnProgram(path.join(SUPPORT, 'kills', 'standby-program.ts'), env);
    return {
      start: () => {
        child.stdin.write('start\n');
        return ServiceProcess.#untilListening(child);
      },
      kill: () => endProcess(child, 'SIGKILL'),
    };
  }

  static async #untilListening(child: ChildProcessWithoutNullStreams): Promise<ServiceProcess> {
    const printed: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => printed.push(String(text)));
    for await (const line of createInterface(child.stdout)) {
      const url = /^listening on (http:\S+)$/.exec(line)?.[1];
      if (url === undefined) continue;
      // Discards further output: a full pipe would block the process.
      child.stdout.resume();
      return new ServiceProcess(child, url);
    }
    throw new Error(`Holdall did not start:\n${printed.join('')}`);
  }

  /** Kills the process, which loses everything in its memory as a power cut would. */
  async kill(): Promise<void> {
    await endProcess(this.#child, 'SIGKILL');
  }

  async stop(): Promise<void> {
    await endProcess(this.#child, 'SIGTERM');
  }
}

function spawnProgram(script: string, env: Readonly<Record<string, string>>): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, HOLDALL_PORT: '0', HOLDALL_LOG_LEVEL: 'error', ...env },
  });
  // The process may be killed while the test writes to it.
  child.stdin.on('error', () => {});
  return child;
}

/** Resolves when the process has ended. */
export async function endProcess(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
