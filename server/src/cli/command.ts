/** A command of the command line. */
export interface Command {
  /** The words that call it, such as `storage cors`. */
  readonly name: string;
  /** The arguments, as the usage shows them. */
  readonly takes: string;
  /** One line for the usage. */
  readonly does: string;
  /**
   * @param args the arguments after the name
   * @throws CommandFault for wrong arguments; ConfigError for wrong settings; the reason of the signal; other
   *   errors for anything else that fails
   */
  run(args: readonly string[], context: CommandContext): Promise<void>;
}

/** What a command gets from the program that runs it. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints a line of the result. */
  readonly say: (line: string) => void;
  /** Shows the progress of a long command on the terminal. */
  readonly progress: (sentence: string) => void;
  /** Aborts the command, which then cleans up and ends. */
  readonly signal: AbortSignal;
  /** The first line of standard input; empty if there is none. */
  readonly readLine: () => Promise<string>;
}

/** The arguments are wrong. The message is for the user. */
export class CommandFault extends Error {
  override readonly name = 'CommandFault';
}
