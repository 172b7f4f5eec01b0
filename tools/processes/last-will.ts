import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const EXECUTOR = path.join(import.meta.dirname, 'last-will.sh');

/**
 * Ends programs and removes their directory when this process ends. A shell waits for the end and does the
 * work, so it happens even if this process is killed. It does not keep the process alive.
 */
export class LastWill {
  readonly #executor: ChildProcess;
  readonly #end: Promise<unknown>;

  /** @param directory an absolute path; the directory is removed with its content */
  constructor(directory: string) {
    // A separate session, so that signals to our process group, such as Ctrl-C, do not reach it.
    this.#executor = spawn('sh', [EXECUTOR, directory], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#end = once(this.#executor, 'close');
    // Ignores the error of writing to a shell that was killed.
    this.#executor.stdin?.on('error', () => {});
    this.#executor.unref();
  }

  /**
   * @param signal a signal that makes the program end its children as well; KILL for a program without
   *   children
   */
  add(program: ChildProcess, signal: 'KILL' | 'QUIT' | 'TERM' = 'KILL'): void {
    const { pid } = program;
    if (pid === undefined) return;
    this.#sendLine(`program ${signal} ${pid}`);
    // After its exit, the process id may be reused, so it must not be killed any more.
    program.once('exit', () => this.#sendLine(`gone ${signal} ${pid}`));
    program.unref();
  }

  /** Executes the will now; may be called repeatedly. */
  async execute(): Promise<void> {
    this.#executor.ref();
    this.#executor.stdin?.end();
    await this.#end;
  }

  #sendLine(line: string): void {
    if (this.#executor.stdin?.writable) this.#executor.stdin.write(`${line}\n`);
  }
}
