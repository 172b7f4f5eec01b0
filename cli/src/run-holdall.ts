import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { onStopSignals } from '../../server/src/app/process/stop-signals.ts';
import { ProgressLine } from '../../server/src/cli/progress.ts';
import type { Terminal } from './drive-command.ts';
import { describeCommands, isDriveCommand, runDriveCommandLine } from './drive-command-line.ts';
import { printable } from './terminal/format.ts';

/**
 * Runs the command named by the arguments and sets the exit code. It is a command for users of a drive or, if
 * there is none with that name, for operators of a service.
 */
export async function runHoldall(args: readonly string[]): Promise<void> {
  const isHelp = ['help', '--help', '-h'].includes(args[0] ?? '');
  if (isDriveCommand(args) || isHelp) {
    process.stdout.on('error', endWithOutput);
  }
  if (isDriveCommand(args)) {
    await runInTerminal(args);
    return;
  }
  // Loaded only here, because loading it takes longer than most of the drive commands.
  const service = await import('../../server/src/cli/terminal.ts');
  await service.runInTerminal();
  if (!isHelp || args.length > 1) return;
  process.stdout.write(
    `\nFor people who use a drive ("holdall COMMAND --help" explains one):\n${describeCommands()}\n`,
  );
}

/** Ends the process, because the result cannot be written. A reader such as `head` needs no message. */
function endWithOutput(error: NodeJS.ErrnoException): never {
  // 128 plus SIGPIPE, as shells report it.
  if (error.code === 'EPIPE') process.exit(141);
  process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.exit(1);
}

async function runInTerminal(args: readonly string[]): Promise<void> {
  const end = new AbortController();
  onStopSignals(
    () => end.abort(),
    () => process.exit(1),
  );
  process.exitCode = await runDriveCommandLine(args, {
    env: process.env,
    terminal: new ProcessTerminal(),
    signal: end.signal,
  });
}

/** The terminal of this process: results go to standard output, everything else to standard error. */
class ProcessTerminal implements Terminal {
  readonly #line = new ProgressLine(process.stderr);
  /** The lines of standard input, if it is not a terminal. */
  #lines: AsyncIterator<string> | undefined;

  print(line: string): void {
    this.#line.clear();
    process.stdout.write(`${line}\n`);
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#line.clear();
    if (!process.stdout.write(bytes)) await once(process.stdout, 'drain');
  }

  note(text: string): void {
    this.#line.clear();
    // Messages of a service must not change the terminal.
    process.stderr.write(`${text.split('\n').map(printable).join('\n')}\n`);
  }

  progress(line: string): void {
    this.#line.show(line);
  }

  async ask(question: string, { isSecret = false } = {}): Promise<string> {
    this.#line.clear();
    if (!process.stdin.isTTY) return await this.#readLine();
    process.stderr.write(question);
    // `readline` echoes what is typed to its output. A secret has an output that shows nothing.
    const output = isSecret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr;
    const prompt = createInterface({ input: process.stdin, output, terminal: true });
    try {
      return await prompt.question('');
    } finally {
      prompt.close();
      if (isSecret) process.stderr.write('\n');
    }
  }

  async #readLine(): Promise<string> {
    this.#lines ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const next = await this.#lines.next();
    return next.done ? '' : next.value;
  }
}
