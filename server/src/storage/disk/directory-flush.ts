import { closeAtOnce, flushAll, openDirectory } from './file-calls.ts';

/**
 * Makes names in directories durable. A flush covers every rename that was done before it started, so of many
 * writers into one directory one flushes for all: while a flush runs, those who come later wait for the next.
 */
export class DirectoryFlush {
  readonly #rounds = new Map<string, Round>();
  readonly #flushNow: (directory: string) => Promise<void>;

  constructor(flushNow: (directory: string) => Promise<void> = flushDirectory) {
    this.#flushNow = flushNow;
  }

  /** Resolves when every name that the directory has now is durable. */
  flush(directory: string): Promise<void> {
    const round = this.#rounds.get(directory);
    if (round === undefined) return this.#start(directory);
    // The one that runs may have begun before our rename. The next begins whether or not it ends well.
    round.next ??= round.running.then(
      () => this.#start(directory),
      () => this.#start(directory),
    );
    return round.next;
  }

  #start(directory: string): Promise<void> {
    const round: Round = { running: this.#flushNow(directory), next: undefined };
    this.#rounds.set(directory, round);
    const leave = () => {
      if (round.next === undefined) this.#rounds.delete(directory);
    };
    round.running.then(leave, leave);
    return round.running;
  }
}

interface Round {
  readonly running: Promise<void>;
  next: Promise<void> | undefined;
}

async function flushDirectory(directory: string): Promise<void> {
  const descriptor = await openDirectory(directory);
  try {
    await flushAll(descriptor);
  } finally {
    closeAtOnce(descriptor);
  }
}
