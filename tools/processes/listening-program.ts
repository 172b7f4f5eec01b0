import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ProgramOptions {
  /** A file that Node can run. */
  readonly script: string;
  readonly scriptArguments?: readonly string[];
  readonly nodeArguments?: readonly string[];
  /** Added to this process's environment, from which every `HOLDALL_…` is removed. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A command prefix such as `['taskset', '-c', '0']`. It must exec the program. */
  readonly prefix?: readonly string[];
}

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 15_000;
const KEPT_OUTPUT = 4_000;
const ADDRESS = /listening on (http:\/\/[^\s"]+)/;

/** A Node program, run with the current Node, that has printed `listening on http://HOST:PORT`. */
export class ListeningProgram {
  readonly url: URL;
  readonly pid: number;
  /** The time from the start of the process until it printed its address. */
  readonly startMs: number;
  readonly #child: ChildProcess;
  readonly #output: () => string;

  private constructor(child: ChildProcess, startMs: number, url: URL, output: () => string) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    this.url = url;
    this.startMs = startMs;
    this.#output = output;
  }

  /** @throws if the program ends, or prints no address within 30 seconds; the message contains its output */
  static async start(options: ProgramOptions): Promise<ListeningProgram> {
    const words = [
      ...(options.prefix ?? []),
      process.execPath,
      ...(options.nodeArguments ?? []),
      options.script,
      ...(options.scriptArguments ?? []),
    ];
    const [command = process.execPath, ...rest] = words;
    const start = performance.now();
    const child = spawn(command, rest, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...ownEnvironment(), ...options.environment },
    });
    // It must not stay behind if this process ends without stopping it.
    const killWithParent = () => child.kill('SIGKILL');
    process.once('exit', killWithParent);
    child.once('exit', () => process.removeListener('exit', killWithParent));
    const { address, output } = watchOutput(child);
    try {
      const url = new URL(await address);
      return new ListeningProgram(child, performance.now() - start, url, output);
    } catch (cause) {
      child.kill('SIGKILL');
      throw new Error(`${options.script} did not start: ${String(cause)}\n${output()}`, { cause });
    }
  }

  /** The last part of its standard output and standard error. */
  get output(): string {
    return this.#output();
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Sends SIGTERM, and SIGKILL after 15 seconds. */
  async stop(): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const force = setTimeout(() => this.#child.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(force);
  }

  /** Ends it immediately. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

function watchOutput(child: ChildProcess) {
  let kept = '';
  let start: string | undefined = '';
  const address = new Promise<string>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error('no address in time')), START_LIMIT_MS);
    const settle = (end: () => void) => {
      clearTimeout(limit);
      end();
    };
    child.once('error', (error) => settle(() => reject(error)));
    child.once('exit', (code, signal) => settle(() => reject(new Error(`it ended with ${code ?? signal}`))));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      kept = (kept + text).slice(-KEPT_OUTPUT);
      if (start === undefined) return;
      start += text;
      const found = ADDRESS.exec(start.slice(0, start.lastIndexOf('\n') + 1))?.[1];
      if (found === undefined) return;
      start = undefined;
      settle(() => resolve(found));
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      kept = (kept + text).slice(-KEPT_OUTPUT);
    });
  });
  return { address, output: () => kept.replace(/^listening on .*$/m, '').trim() };
}

function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDALL_')));
}
