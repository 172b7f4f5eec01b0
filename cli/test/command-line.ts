import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import type { Connect } from '../../client/src/client.ts';
import type { Holdall as Service } from '../../server/test/support/app/holdall.ts';
import { PASSWORD, type Person } from '../../server/test/support/app/person.ts';
import type { Terminal } from '../src/drive-command.ts';
import { runDriveCommandLine } from '../src/drive-command-line.ts';

export interface Ran {
  readonly code: number;
  /** What was written to standard output. */
  readonly out: string;
  /** What was written to standard error, without progress. */
  readonly notes: string;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** Called with each line of the result. */
  readonly onPrint?: (line: string) => void;
  /** Called with each line that is not part of the result. */
  readonly onNote?: (line: string) => void;
  /** Called each time progress is shown. */
  readonly onProgress?: () => void;
  /** Opens direct connections instead of the installed package. */
  readonly findConnect?: () => Connect | undefined;
}

/** A user who types commands on their own computer. */
export class CommandLine {
  readonly person: Person;
  /** A folder for the user's files; removed after the tests. */
  readonly folder: string;
  readonly env: Record<string, string>;

  private constructor(person: Person, folder: string) {
    this.person = person;
    this.folder = path.join(folder, 'files');
    this.env = { HOME: folder };
  }

  /** A new user, who has logged in on the command line. */
  static async create(service: Service): Promise<CommandLine> {
    const folder = await mkdtemp(path.join(tmpdir(), 'holdall-cli-'));
    after(() => rm(folder, { recursive: true, force: true }));
    const user = new CommandLine(await service.register('typist'), folder);
    await mkdir(user.folder);
    await user.run(['login', service.url], [user.person.username, PASSWORD]);
    // The command line's login has ended the person's session, because that one had no device.
    await user.person.logIn();
    return user;
  }

  /** @param answers the answers to the questions, in order */
  async run(
    words: readonly string[],
    answers: readonly string[] = [],
    { signal = new AbortController().signal, findConnect, ...watching }: RunOptions = {},
  ): Promise<Ran> {
    const terminal = new RecordingTerminal(answers, watching);
    const context = {
      ...{ env: this.env, terminal, signal },
      ...(findConnect === undefined ? {} : { findConnect }),
    };
    const code = await runDriveCommandLine(words, context);
    return { code, out: terminal.out, notes: terminal.notes };
  }

  /** The path of a file in the folder. */
  at(...segments: readonly string[]): string {
    return path.join(this.folder, ...segments);
  }
}

class RecordingTerminal implements Terminal {
  out = '';
  notes = '';
  readonly #answers: string[];
  readonly #watching: Omit<RunOptions, 'signal' | 'findConnect'>;

  constructor(answers: readonly string[], watching: Omit<RunOptions, 'signal' | 'findConnect'>) {
    this.#answers = [...answers];
    this.#watching = watching;
  }

  print(line: string): void {
    this.out += `${line}\n`;
    this.#watching.onPrint?.(line);
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.out += Buffer.from(bytes).toString();
  }

  note(line: string): void {
    this.notes += `${line}\n`;
    this.#watching.onNote?.(line);
  }

  progress(): void {
    this.#watching.onProgress?.();
  }

  async ask(question: string): Promise<string> {
    const answer = this.#answers.shift();
    if (answer === undefined) throw new Error(`Nobody answers "${question}".`);
    return answer;
  }
}
