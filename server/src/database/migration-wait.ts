import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE, SECOND } from '../base/clock.ts';
import type { Database } from './database.ts';
import type { SharedMigration } from './engine.ts';

export interface WaitOptions {
  /** Called with a sentence while the migration has to wait for others. */
  readonly onWait?: (sentence: string) => void;
  /** How long a migration pauses, and after what time it gives up. Only tests set these. */
  readonly pauseMs?: number;
  readonly maxBlockedMs?: number;
}

/** How long others may work between two attempts to lock a table. */
const PAUSE_MS = 5 * SECOND;
const MAX_BLOCKED_MS = 10 * MINUTE;
const REPORT_EVERY_MS = MINUTE;

/** Waits between two attempts at a migration, and reports what it waits for. */
export class MigrationWait {
  readonly #database: Database;
  readonly #sharedMigration: SharedMigration;
  readonly #pauseMs: number;
  readonly #maxBlockedMs: number;
  readonly #onWait: (sentence: string) => void;
  readonly #beganAt = performance.now();
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database, sharedMigration: SharedMigration, options: WaitOptions) {
    this.#database = database;
    this.#sharedMigration = sharedMigration;
    this.#pauseMs = options.pauseMs ?? PAUSE_MS;
    this.#maxBlockedMs = options.maxBlockedMs ?? MAX_BLOCKED_MS;
    this.#onWait = options.onWait ?? (() => {});
  }

  async forOther(): Promise<void> {
    this.#report(
      'Another instance is changing the schema of the database. The start waits until it is done.',
    );
    await sleep(Math.min(this.#pauseMs, SECOND));
  }

  /** @throws Error if waiting does not help, or has taken too long */
  async afterError(error: unknown): Promise<void> {
    if (!this.#sharedMigration.isBlocked(error)) throw explain(error);
    const blockers = await this.#sharedMigration.findBlockers(this.#database.db).catch(() => []);
    const who = blockers.length === 0 ? 'other connections' : blockers.join(', ');
    const sentence = `The schema cannot be changed while others read the same tables: ${who}.`;
    if (performance.now() - this.#beganAt >= this.#maxBlockedMs) {
      throw new Error(`${sentence} Let the backup or query end, or end it, and start again.`, {
        cause: error,
      });
    }
    this.#report(`${sentence} It is tried again every few seconds.`);
    await sleep(this.#pauseMs);
  }

  #report(sentence: string): void {
    const now = performance.now();
    if (now - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = now;
    this.#onWait(sentence);
  }
}

/** PostgreSQL's code for a statement that was cancelled, by a person or by a time limit. */
const CANCELLED = '57014';

function explain(error: unknown): unknown {
  const { cause } = error instanceof Error ? error : {};
  if (!(cause instanceof Error) || !('code' in cause) || cause.code !== CANCELLED) return error;
  return new Error(
    `PostgreSQL ended a statement of the migration: ${cause.message}. Nothing has changed; start again.`,
    { cause },
  );
}
