import type { Connect, Holdall } from '../../client/src/client.ts';
import type { LoginFile } from './login-file.ts';

/** An option of a command: what `parseArgs` of `node:util` takes, and a line for the help text. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly short?: string;
  /** The placeholder for the value in the help text, such as `N`. */
  readonly value?: string;
  readonly does: string;
}

/** The option values of one call. */
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
 * A command for users of a drive. It only needs the address of a service and an app password.
 */
export interface DriveCommand {
  /** The words that the user types, such as `bin list`. */
  readonly name: string;
  /** The arguments, as the help text shows them. */
  readonly takes: string;
  /** One sentence for the help text. */
  readonly does: string;
  readonly options?: Readonly<Record<string, Option>>;
  /**
   * @param args the positional arguments
   * @throws UsageError for wrong arguments; HoldallError; the reason of the signal
   */
  run(args: readonly string[], values: Values, context: DriveContext): Promise<void>;
}

/** What the program provides to a command. */
export interface DriveContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  readonly login: LoginFile;
  /** Aborts the command. */
  readonly signal: AbortSignal;
  /**
   * Opens the service as the logged-in user.
   * @param clientId names this program in the events of its changes; `holdall` if absent
   * @throws NotLoggedIn
   */
  open(clientId?: string): Promise<Holdall>;
  /** Opens direct connections; undefined if the required package is not installed. */
  findConnect(): Connect | undefined;
}

/** Where a command reads its input and writes its output. */
export interface Terminal {
  /** Prints a line of the result. */
  print(line: string): void;
  /** Writes bytes of the result, and waits until they were accepted. */
  write(bytes: Uint8Array): Promise<void>;
  /** Prints a line that is not part of the result. */
  note(line: string): void;
  /** Shows the progress of a long command. */
  progress(line: string): void;
  /** Asks the user a question. A secret answer is not echoed. */
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

/** Some of the files failed. Each failure has been reported already. */
export class PartFailed extends Error {
  override readonly name = 'PartFailed';
}
