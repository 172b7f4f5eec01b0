import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const EXECUTOR = path.join(import.meta.dirname, 'last-will.sh');

/**
 * Ends programs and removes their directory at the end of this process, however it ends: a shell waits for
 * the end and does it, so it happens even if this process is killed. It does not keep the process running.
 */
export class LastWill {
  readonly #executor: ChildProcess;
  readonly #end: Promise<unknown>;

  /** @param directory absolute; removed with its content */
  constructor(directory: string) {
    // In its own session, so that signals to our process group (Ctrl-C, a kill of the group) do not reach it.
    this.#executor = spawn('sh', [EXECUTOR, directory], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#end = once(this.#executor, 'close');
    // If the shell is killed, an error has no receiver.
    this.#executor.stdin?.on('error', () => {});
    this.#executor.unref();
  }

  /**
   * @param signal the signal with which the program also ends its children; KILL for a program without
   * children
   */
  add(program: ChildProcess, signal: 'KILL' | 'QUIT' | 'TERM' = 'KILL'): void {
    const { pid } = program;
    if (pid === undefined) return;
    this.#sendLine(`program ${signal} ${pid}`);
    // Afterwards the process id may be reused.
    program.once('exit', () => this.#sendLine(`gone ${signal} ${pid}`));
    program.unref();
  }

  /** Executes it now; may be called repeatedly. */
  async execute(): Promise<void> {
    this.#executor.ref();
    this.#executor.stdin?.end();
    await this.#end;
  }

  #sendLine(line: string): void {
    if (this.#executor.stdin?.writable) this.#executor.stdin.write(`${line}\n`);
  }
}
