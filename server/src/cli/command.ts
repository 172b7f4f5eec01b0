/** One thing that the command line can do. */
export interface Command {
  /** By which it is called, such as `storage cors`. */
  readonly name: string;
  /** What may follow the name, for the usage. */
  readonly takes: string;
  /** What it does, for the usage: one line. */
  readonly does: string;
  /**
   * Resolves when it is done.
   * @throws CommandFault; ConfigError; the reason of the signal; anything else for what went wrong on the way
   */
  run(words: readonly string[], context: CommandContext): Promise<void>;
}

export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints one line. */
  readonly say: (line: string) => void;
  /** Shows how far a long command is, where somebody looks. */
  readonly progress: (sentence: string) => void;
  /** Ends what runs, cleanly. */
  readonly signal: AbortSignal;
  /** The first line of what is sent to the program. */
  readonly readLine: () => Promise<string>;
}

/** What cannot be done as it was asked for, in a sentence for the person. */
export class CommandFault extends Error {
  override readonly name = 'CommandFault';
}
