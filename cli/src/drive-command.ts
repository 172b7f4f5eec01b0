import type { Connect, Holdall } from '../../client/src/client.ts';
import type { LoginFile } from './login-file.ts';

/** An option of a command, as `parseArgs` of `node:util` takes it, with a line for the usage. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly short?: string;
  /** What stands for the value in the usage, such as `N`. */
  readonly value?: string;
  readonly does: string;
}

/** The options of a call. */
export class Values {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  is(name: string): boolean {
    return this.#values[name] === true;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** @throws UsageError unless it is a whole number of at least `min` */
  count(name: string, min = 1): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const count = Number(text);
    if (!Number.isSafeInteger(count) || count < min) {
      throw new UsageError(`--${name} takes a whole number of at least ${min}, not "${text}".`);
    }
    return count;
  }

  /** @throws UsageError unless it is one of these */
  oneOf<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const choice = choices.find((known) => known === text.toLowerCase());
    if (choice === undefined) throw new UsageError(`--${name} takes one of: ${choices.join(', ')}.`);
    return choice;
  }
}

/**
 * A command for people who use a drive. It needs the address of a service and an app password, nothing else.
 */
export interface DriveCommand {
  /** The words that call it, such as `bin list`. */
  readonly name: string;
  /** The arguments, as the usage shows them. */
  readonly takes: string;
  /** One sentence for the usage. */
  readonly does: string;
  readonly options?: Readonly<Record<string, Option>>;
  /**
   * @param args the positional arguments
   * @throws UsageError for wrong arguments; HoldallError; the reason of the signal
   */
  run(args: readonly string[], values: Values, context: DriveContext): Promise<void>;
}

/** What a command gets from the program that runs it. */
export interface DriveContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  readonly login: LoginFile;
  /** Aborts the command. */
  readonly signal: AbortSignal;
  /**
   * The service as the logged-in user.
   * @param clientId the name of the program in the events of its changes; `holdall` if absent
   * @throws NotLoggedIn
   */
  open(clientId?: string): Promise<Holdall>;
  /** How direct connections are opened; undefined if the package that does it is not installed. */
  findConnect(): Connect | undefined;
}

/** Where a command reads and writes. */
export interface Terminal {
  /** Prints a line of the result. */
  print(line: string): void;
  /** Writes bytes of the result, and waits until they are taken. */
  write(bytes: Uint8Array): Promise<void>;
  /** Prints a line that is not part of the result. */
  note(line: string): void;
  /** Shows the progress of a long command. */
  progress(line: string): void;
  /** Asks the user. A secret answer is not shown while it is typed. */
  ask(question: string, options?: { readonly isSecret?: boolean }): Promise<string>;
}

/** The arguments are wrong. The message is for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export class NotLoggedIn extends Error {
  override readonly name = 'NotLoggedIn';

  constructor() {
    super('You are not logged in. Run "holdall login https://your.drive" first.');
  }
}

/** Some of the files failed; each has been reported. */
export class PartFailed extends Error {
  override readonly name = 'PartFailed';
}
