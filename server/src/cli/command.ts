/** One thing that the command line can do. */
export interface Command {
  /** By which it is called, such as `storage cors`. */
  readonly name: string;
  /** What may follow the name, for the usage. */
  readonly takes: string;
  /** What it does, for the usage: one line. */
  readonly does: string;
  /** @throws CommandFault; ConfigError; anything else for what went wrong on the way */
  run(words: readonly string[], surroundings: Surroundings): Promise<void>;
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints one line. */
  readonly say: (line: string) => void;
}

/** What cannot be done as it was asked for, in a sentence for the person. */
export class CommandFault extends Error {
  override readonly name = 'CommandFault';
}
