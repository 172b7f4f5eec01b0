import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const MAIN = path.join(import.meta.dirname, '..', '..', '..', 'src', 'main.ts');

/** Holdall as a program of its own, for tests that kill it. */
export class ServiceProcess {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /**
   * Resolves when it listens.
   * @param program another program below `test/support` that says so as the service does
   */
  static async start(env: Readonly<Record<string, string>>, program?: string): Promise<ServiceProcess> {
    const script = program === undefined ? MAIN : path.join(import.meta.dirname, '..', program);
    const child = spawn(process.execPath, [script], {
      env: { PATH: process.env.PATH, HOLDALL_PORT: '0', HOLDALL_LOG_LEVEL: 'error', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => printed.push(String(text)));
    for await (const line of createInterface(child.stdout)) {
      const url = /^listening on (http:\S+)$/.exec(line)?.[1];
      if (url === undefined) continue;
      // Further output must not block the process when nobody reads it.
      child.stdout.resume();
      return new ServiceProcess(child, url);
    }
    throw new Error(`Holdall did not start:\n${printed.join('')}`);
  }

  /** Kills the process, which loses everything in its memory as a power cut would. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill(signal);
    await exit;
  }
}
