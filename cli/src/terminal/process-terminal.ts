import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ProgressLine } from '../../../server/src/cli/progress.ts';
import type { Terminal } from '../drive-command.ts';
import { printable } from './format.ts';

/** The terminal of this process: results go to standard output, everything else to standard error. */
export class ProcessTerminal implements Terminal {
  readonly #line = new ProgressLine(process.stderr);
  /** Lines of standard input that is no terminal. */
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
