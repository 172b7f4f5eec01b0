import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

const MAIN = path.join(import.meta.dirname, '..', '..', 'server', 'src', 'main.mjs');

/** Editors and `git switch` write several files in a row. */
const QUIET_MS = 100;
/** The service itself ends within ten seconds. */
const STOP_LIMIT_MS = 12_000;

const FAILED = 'The service has ended. It starts again when one of its files changes.';

/** The service, running from its sources in a separate process. */
export class Service {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #show: (line: string) => void;
  readonly #ended = Promise.withResolvers<void>();
  #child: ChildProcess | undefined;
  /** False once a file has changed since the process started. */
  #isCurrent = false;
  #isStopping = false;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param environment added to that of this process
   * @param show receives the output of the service, line by line
   */
  constructor(environment: Readonly<Record<string, string>>, show: (line: string) => void) {
    this.#environment = { ...process.env, ...environment };
    this.#show = show;
    process.once('exit', () => this.#kill());
  }

  /** Starts it, or restarts it if it is running. Called for each changed file. */
  start(): void {
    if (this.#isStopping) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#startAgain(), QUIET_MS);
  }

  /** Stops it gracefully; the second call kills it. Resolves when it has ended. */
  stop(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#child === undefined) this.#ended.resolve();
    else if (this.#isStopping) this.#kill();
    else this.#child.kill('SIGTERM');
    this.#isStopping = true;
    setTimeout(() => this.#kill(), STOP_LIMIT_MS).unref();
    return this.#ended.promise;
  }

  #startAgain(): void {
    if (this.#child === undefined) {
      this.#spawn();
    } else if (this.#isCurrent) {
      // The handler of `close` starts the next process.
      this.#isCurrent = false;
      this.#child.kill('SIGTERM');
    }
  }

  #spawn(): void {
    const child = spawn(process.execPath, [MAIN], {
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'inherit'],
      // A separate process group, so that Ctrl+C reaches only this program, which then sends one signal.
      detached: true,
    });
    this.#child = child;
    this.#isCurrent = true;
    createInterface(child.stdout).on('line', this.#show);
    child.once('close', () => {
      this.#child = undefined;
      if (this.#isStopping) this.#ended.resolve();
      else if (this.#isCurrent) this.#show(FAILED);
      else this.#spawn();
    });
  }

  /** Kills it with its child processes. */
  #kill(): void {
    try {
      if (this.#child?.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
}
