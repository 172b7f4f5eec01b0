import { once } from 'node:events';
import { type Transferable, Worker } from 'node:worker_threads';

/** Less than the memory limit of the process: a large heap ends only the thread. */
const MAX_HEAP_MB = 640;

/** Collects garbage early: PDFs would leave 300 MB of it, and the process would be replaced after a few. */
const YOUNG_HEAP_MB = 32;

/** A thread that uses no processor time for this long waits for something that never happens. */
const STALLED_MS = 3_000;

export class Stalled extends Error {}

interface ThreadOptions {
  readonly workerData?: unknown;
  /** The whole environment of the thread. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * The thread of a child process that works on one file after another. The work blocks, and the process must
 * keep watching its memory and time.
 */
export class WorkThread<Message> {
  readonly #thread: Worker;
  #current:
    | { readonly onMessage: (message: Message) => void; readonly onEnd: (error: Error) => void }
    | undefined;
  #files = 0;
  #failure = new Error('The thread has ended.');

  private constructor(thread: Worker) {
    this.#thread = thread;
    thread.on('message', (message: Message) => this.#current?.onMessage(message));
    thread.on('error', (error: Error) => {
      this.#failure = error;
    });
    // An error of an earlier file can end the thread. So the process only answers for its first file. After
    // others it crashes, and the service tries the file in a new process.
    thread.once('exit', () => {
      if (this.#current === undefined || this.#files > 1) process.exit(1);
      this.#current.onEnd(this.#failure);
    });
  }

  /** Resolves with the first message, because the time for loading the code is not that of the first file. */
  static async start<Message>(
    script: URL,
    { workerData, env = {} }: ThreadOptions = {},
  ): Promise<WorkThread<Message>> {
    const thread = new Worker(script, {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
      workerData,
      env: { ...env },
      // The standard output of the process is for answers.
      stdout: true,
    });
    thread.stdout.resume();
    await once(thread, 'message');
    return new WorkThread<Message>(thread);
  }

  /**
   * @param read returns the answer if the message has it, and undefined for other messages
   * @returns the answer, or the error that ended the work. After an error, the process must be replaced.
   */
  async ask<Answer>(
    request: unknown,
    moved: readonly Transferable[],
    read: (message: Message) => Answer | undefined,
  ): Promise<Answer | Error> {
    const { promise, resolve } = Promise.withResolvers<Answer | Error>();
    const onMessage = (message: Message) => {
      const answer = read(message);
      if (answer !== undefined) resolve(answer);
    };
    this.#files += 1;
    this.#current = { onMessage, onEnd: resolve };
    let last = this.#thread.performance.eventLoopUtilization();
    const watch = setInterval(() => {
      const { active } = this.#thread.performance.eventLoopUtilization(last);
      last = this.#thread.performance.eventLoopUtilization();
      if (active < 1) resolve(new Stalled());
    }, STALLED_MS);
    this.#thread.postMessage(request, moved);
    const end = await promise;
    clearInterval(watch);
    this.#current = undefined;
    return end;
  }
}
