import { performance } from 'node:perf_hooks';
import type { ClientBase } from 'pg';
import { destroySocket, socketOf } from './sockets.ts';

/**
 * How many times in a row the server must deny working on a statement. After the first time, the answer may
 * still be on its way.
 */
const REQUIRED_DENIALS = 2;

/** One connection of the pool, as `ConnectionWatch` sees it. */
export class WatchedConnection {
  readonly #client: ClientBase;
  /** The server process that serves this connection, and when it began, because pids are reused. */
  #served: { readonly pid: number; readonly began: string } | undefined;
  /** When the statement that is waiting for its answer began; undefined if there is none. */
  #beganAt: number | undefined;
  #heardAt = 0;
  #bytesRead = 0;
  #denials = 0;
  /** Whether the pool has handed it out. */
  isInUse = true;

  constructor(client: ClientBase) {
    this.#client = client;
    this.#noteStatements();
  }

  /** Sets which server process serves this connection. */
  identify(pid: number, began: string): void {
    this.#served = { pid, began };
  }

  get pid(): number | undefined {
    return this.#served?.pid;
  }

  /** Identifies the server process. */
  get backend(): string {
    return `${this.#served?.pid} ${this.#served?.began}`;
  }

  isServedBy(pid: number, began: string): boolean {
    return this.#served?.pid === pid && this.#served.began === began;
  }

  pendingMs(now: number): number {
    return this.#beganAt === undefined ? 0 : now - this.#beganAt;
  }

  /**
   * How long the statement has waited since the last byte, or since the server last said that it is working
   * on it.
   */
  silentMs(now: number): number {
    return this.#beganAt === undefined ? 0 : now - Math.max(this.#beganAt, this.#heardAt);
  }

  /** Checks whether bytes have arrived. @param wasPaused whether this process was paused meanwhile */
  listen(now: number, wasPaused: boolean): void {
    const { bytesRead } = socketOf(this.#client);
    if (bytesRead === this.#bytesRead && !wasPaused) return;
    this.#bytesRead = bytesRead;
    this.#heardAt = now;
    this.#denials = 0;
  }

  /** Takes the server's answer about the statement. @returns whether the connection has died */
  isDead(isWorkedOn: boolean, now: number): boolean {
    const isAnswered = this.#beganAt === undefined || socketOf(this.#client).bytesRead > this.#bytesRead;
    if (isAnswered) return false;
    if (isWorkedOn) {
      this.#heardAt = now;
      this.#denials = 0;
      return false;
    }
    this.#denials += 1;
    return this.#denials >= REQUIRED_DENIALS;
  }

  /** Makes the statement fail. The pool then removes the connection. */
  destroy(error: Error): void {
    destroySocket(this.#client, error);
  }

  #noteStatements(): void {
    const query: (...args: unknown[]) => unknown = this.#client.query.bind(this.#client);
    const queryNoted = (...args: unknown[]) => {
      const running = query(...args);
      if (running instanceof Promise) {
        this.#beganAt = performance.now();
        running.then(this.#end, this.#end);
      }
      return running;
    };
    this.#client.query = queryNoted as ClientBase['query'];
  }

  /** A connection runs one statement after another. */
  readonly #end = () => {
    this.#beganAt = undefined;
    this.#denials = 0;
  };
}
