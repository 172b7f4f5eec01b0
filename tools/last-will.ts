import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const EXECUTOR = path.join(import.meta.dirname, 'last-will.sh');

/**
 * What is to be done with programs and their directory at the end of this process, however it ends: a shell that waits
 * for it does it, so it is done even when nothing of ours can run any more. It keeps no process from ending.
 */
export class LastWill {
  readonly #executor: ChildProcess;
  readonly #end: Promise<unknown>;

  /** @param directory absolute; removed with all that is in it */
  constructor(directory: string) {
    // A session of its own, so that what is sent to all of ours (Ctrl-C, a kill of the group) does not reach it.
    this.#executor = spawn('sh', [EXECUTOR, directory], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#end = once(this.#executor, 'close');
    // Should it be killed, nobody is there to be told anything.
    this.#executor.stdin?.on('error', () => {});
    this.#executor.unref();
  }

  /** @param signal what the program needs to take its own children with it; KILL for one without any */
  add(program: ChildProcess, signal: 'KILL' | 'QUIT' | 'TERM' = 'KILL'): void {
    const { pid } = program;
    if (pid === undefined) return;
    this.#tell(`program ${signal} ${pid}`);
    // From then on the number may be given to another.
    program.once('exit', () => this.#tell(`gone ${signal} ${pid}`));
    program.unref();
  }

  /** Does it now; more than one call is fine. */
  async execute(): Promise<void> {
    this.#executor.ref();
    this.#executor.stdin?.end();
    await this.#end;
  }

  #tell(line: string): void {
    if (this.#executor.stdin?.writable) this.#executor.stdin.write(`${line}\n`);
  }
}
