import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const SCRIPT = path.join(import.meta.dirname, 'cleanup-process.sh');

/**
 * Ends programs and removes their directory when this process ends. A shell waits for the end and does the
 * work, so it happens even if this process is killed. It does not keep the process alive.
 */
export class CleanupProcess {
  readonly #shell: ChildProcess;
  readonly #end: Promise<unknown>;

  /** @param directory an absolute path; the directory is removed with its content */
  constructor(directory: string) {
    // A separate session, so that signals to our process group, such as Ctrl-C, do not reach it.
    this.#shell = spawn('sh', [SCRIPT, directory], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#end = once(this.#shell, 'close');
    // Ignores the error of writing to a shell that was killed.
    this.#shell.stdin?.on('error', () => {});
    this.#shell.unref();
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

  /** Does the work now; may be called repeatedly. */
  async run(): Promise<void> {
    this.#shell.ref();
    this.#shell.stdin?.end();
    await this.#end;
  }

  #sendLine(line: string): void {
    if (this.#shell.stdin?.writable) this.#shell.stdin.write(`${line}\n`);
  }
}
