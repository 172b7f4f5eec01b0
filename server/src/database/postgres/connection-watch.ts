import { performance } from 'node:perf_hooks';
import pg, { type ClientBase } from 'pg';
import { networkErrorCodeOf } from '../../base/network/network-error.ts';
import { destroySocket } from './sockets.ts';
import { WatchedConnection } from './watched-connection.ts';

export interface WatchLimits {
  /** How long a statement may wait without receiving a byte before the server is asked about it. */
  readonly silenceMs: number;
  /** How long the server may take to answer that question. */
  readonly answerMs: number;
  /** How often the connections are checked. */
  readonly everyMs: number;
}

export const WATCH_LIMITS: WatchLimits = { silenceMs: 5_000, answerMs: 5_000, everyMs: 1_000 };

/** A statement that has run this long is only given up once the server has been unreachable for as long. */
const LONG_MS = 60_000;

/** If a timer is this late, the process itself was paused, so silence proves nothing. */
const PAUSE_MS = 1_000;

/**
 * Finds connections that died silently: the host lost power, its address moved, or a firewall forgot the
 * connection. The kernel only notices after 15 minutes. PostgreSQL's own time limits do not help: they only
 * end statements on the server.
 *
 * A time limit per statement would have to be short for requests, but hours long for migrations. Instead,
 * when a statement has waited for some seconds without a byte, the server is asked over a new connection
 * whether it is still working on the statement. The connection is dead if the server is not, or does not
 * answer either. It is destroyed: its statement fails, the pool opens another connection, and the server
 * releases the transaction's locks (docs/decisions/0016-silent-database-connections.md).
 */
export class ConnectionWatch {
  readonly #url: string;
  readonly #limits: WatchLimits;
  readonly #connections = new Set<WatchedConnection>();
  #timer: NodeJS.Timeout | undefined;
  #lookedAt = 0;
  #isAsking = false;
  /** When the server stopped answering; undefined while it answers. */
  #unreachableSince: number | undefined;

  constructor(url: string, limits: WatchLimits) {
    this.#url = url;
    this.#limits = limits;
  }

  /** Watches a new connection. Must be called before its first statement. */
  add(client: ClientBase): WatchedConnection {
    const connection = new WatchedConnection(client);
    this.#connections.add(connection);
    client.once('end', () => this.#remove(connection));
    if (this.#timer === undefined) {
      this.#lookedAt = performance.now();
      this.#timer = setInterval(() => this.#look(), this.#limits.everyMs).unref();
    }
    return connection;
  }

  #remove(connection: WatchedConnection): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const now = performance.now();
    const wasPaused = now - this.#lookedAt > this.#limits.everyMs + PAUSE_MS;
    this.#lookedAt = now;
    for (const connection of this.#connections) connection.listen(now, wasPaused);
    const silent = [...this.#connections].filter((each) => each.silentMs(now) >= this.#limits.silenceMs);
    if (silent.length > 0 && !this.#isAsking) void this.#askAbout(silent);
  }

  /** Never throws. */
  async #askAbout(silent: readonly WatchedConnection[]): Promise<void> {
    this.#isAsking = true;
    const beganAt = performance.now();
    try {
      await this.#withServer((server) => this.#judge(silent, server));
      this.#unreachableSince = undefined;
    } catch (error) {
      // Lets answers that have already arrived be read first.
      await new Promise((resolve) => setImmediate(resolve));
      if (performance.now() - beganAt < this.#limits.answerMs * 2 + PAUSE_MS) {
        this.#judgeUnanswered(silent, error, beganAt);
      }
    } finally {
      this.#isAsking = false;
    }
  }

  async #judge(silent: readonly WatchedConnection[], server: pg.Client): Promise<void> {
    const { rows } = await server.query<{ pid: number; began: string; works: boolean }>(
      // A server process that waits for the client is not working: its answer or our statement was lost.
      `select pid, backend_start::text as began,
          state = 'disabled' or (state in ('active', 'fastpath function call')
            and wait_event_type is distinct from 'Client') as works
        from pg_stat_activity where pid = any($1)`,
      [silent.map(({ pid }) => pid ?? 0)],
    );
    const now = performance.now();
    const dead = silent.filter((connection) =>
      connection.isDead(
        rows.find(({ pid, began }) => connection.isServedBy(pid, began))?.works ?? false,
        now,
      ),
    );
    if (dead.length === 0) return;
    for (const connection of dead) connection.destroy(silence());
    // Idle connections may have died for the same reason. Each would make a request wait just as long.
    for (const connection of this.#connections) if (!connection.isInUse) connection.destroy(silence());
    await server.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where (pid::text || ' ' || backend_start::text) = any($1)`,
      [dead.map(({ backend }) => backend)],
    );
  }

  /**
   * Handles a check that failed: the server rejected it, for example because it has too many connections, or
   * did not answer.
   */
  #judgeUnanswered(silent: readonly WatchedConnection[], error: unknown, beganAt: number): void {
    const now = performance.now();
    this.#unreachableSince ??= beganAt;
    const isReachable = isAnswer(error);
    const isLasting = now - this.#unreachableSince >= LONG_MS;
    for (const connection of silent) {
      if (isLasting || (!isReachable && connection.pendingMs(now) < LONG_MS))
        connection.destroy(silence(error));
    }
  }

  async #withServer(work: (server: pg.Client) => Promise<void>): Promise<void> {
    const server = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: this.#limits.answerMs,
      query_timeout: this.#limits.answerMs,
      application_name: 'holdall connection check',
    });
    server.on('error', () => {});
    try {
      await server.connect();
      await work(server);
    } finally {
      destroySocket(server);
    }
  }
}

/**
 * Whether the error is the server's own answer: those have an SQLSTATE. `57P03` does not count: the server is
 * still starting.
 */
function isAnswer(error: unknown): boolean {
  if (networkErrorCodeOf(error) !== undefined) return false;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && code !== '57P03';
}

function silence(cause?: unknown): Error {
  return Object.assign(new Error('The database connection is dead: it gave no answer.', { cause }), {
    code: 'ETIMEDOUT',
  });
}
