import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { threadScript } from '../../base/thread-script.ts';
import type { CheckpointMode, LogSize, SqliteSession, StatementResult } from './session.ts';
import type { ThreadAnswer, ThreadRequest } from './thread-messages.ts';

/** A thread takes about 15 MB, so it ends after being idle for this long. */
const IDLE_MS = 10_000;

/**
 * A connection on its own thread: its statements may take seconds without blocking the event loop. The thread
 * starts with the first request. If it dies, the open transaction fails, and the next one starts a new
 * thread.
 */
export class ThreadedSession implements SqliteSession {
  readonly #file: string;
  readonly #idleMs: number;
  #thread: SessionThread | undefined;
  #isInTransaction = false;
  #idleTimer: NodeJS.Timeout | undefined;

  /** @param idleMs how long the thread may be idle before it ends; set by tests */
  constructor(file: string, idleMs = IDLE_MS) {
    this.#file = file;
    this.#idleMs = idleMs;
  }

  get hasThread(): boolean {
    return this.#thread?.isAlive === true;
  }

  async begin(isReadOnly: boolean): Promise<void> {
    await this.#ask({ kind: 'begin', isReadOnly });
    this.#isInTransaction = true;
  }

  async commit(): Promise<void> {
    await this.#ask({ kind: 'commit' });
    this.#endTransaction();
  }

  async rollback(): Promise<void> {
    try {
      // A thread that died has rolled back: its connection is closed.
      if (this.#thread?.isAlive) await this.#thread.ask({ kind: 'rollback' });
    } finally {
      this.#endTransaction();
    }
  }

  execute(sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
    return this.#ask({ kind: 'execute', sql, parameters });
  }

  /** See `LocalSession`. */
  async checkpoint(mode: CheckpointMode): Promise<LogSize> {
    const { rows } = await this.#ask({ kind: 'checkpoint', mode });
    return rows[0] as LogSize;
  }

  /** Resolves when the thread has closed its connection and ended. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.end();
  }

  async #ask(request: ThreadRequest): Promise<StatementResult> {
    clearTimeout(this.#idleTimer);
    if (this.#thread?.isAlive !== true) {
      if (this.#isInTransaction) throw threadDied();
      this.#thread = new SessionThread(this.#file);
    }
    const thread = this.#thread;
    try {
      return await thread.ask(request);
    } finally {
      this.#startIdleTimer();
    }
  }

  #endTransaction(): void {
    this.#isInTransaction = false;
    this.#startIdleTimer();
  }

  #startIdleTimer(): void {
    clearTimeout(this.#idleTimer);
    if (this.#isInTransaction || this.#thread?.isIdle !== true) return;
    this.#idleTimer = setTimeout(() => void this.close(), this.#idleMs).unref();
  }
}

interface Asked {
  readonly resolve: (result: StatementResult) => void;
  readonly reject: (error: Error) => void;
}

/** A running thread, from its start to its end. */
class SessionThread {
  readonly #worker: Worker;
  /** The unanswered requests, in order. */
  readonly #asked: Asked[] = [];
  readonly #exited: Promise<unknown>;
  isAlive = true;

  constructor(file: string) {
    this.#worker = new Worker(threadScript('session-thread', import.meta.url), { workerData: file });
    this.#exited = once(this.#worker, 'exit');
    // If the thread throws, `once` rejects with its error. The requests are rejected below.
    this.#exited.catch(() => undefined);
    this.#worker.on('message', (answer: ThreadAnswer) => this.#onAnswer(answer));
    this.#worker.on('error', (error) => this.#onEnd(error));
    this.#worker.on('exit', () => this.#onEnd());
  }

  get isIdle(): boolean {
    return this.isAlive && this.#asked.length === 0;
  }

  ask(request: ThreadRequest): Promise<StatementResult> {
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult>();
    this.#worker.postMessage(request);
    this.#asked.push({ resolve, reject });
    // Keeps the process running until the answer arrives. An idle thread does not keep it running.
    this.#worker.ref();
    return promise;
  }

  async end(): Promise<void> {
    if (this.isAlive) await this.ask({ kind: 'close' }).catch(() => undefined);
    this.#worker.ref();
    await this.#exited.catch(() => undefined);
  }

  #onAnswer(answer: ThreadAnswer): void {
    const asked = this.#asked.shift();
    if (this.#asked.length === 0) this.#worker.unref();
    if ('error' in answer) asked?.reject(toError(answer.error));
    else asked?.resolve(answer);
  }

  #onEnd(cause?: unknown): void {
    this.isAlive = false;
    for (const { reject } of this.#asked.splice(0)) reject(threadDied(cause));
  }
}

function threadDied(cause?: unknown): Error {
  return new Error('The thread of the database connection died.', { cause });
}

/** Callers recognize SQLite's errors by their class and code. */
function toError({ message, code }: { readonly message: string; readonly code: string | undefined }): Error {
  return code === undefined ? new Error(message) : new Sqlite.SqliteError(message, code);
}
