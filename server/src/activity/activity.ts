import { type Clock, DAY, type Instant, SECOND } from '../base/clock.ts';
import type { Database, Tx } from '../database/database.ts';
import { deleteRowsOf } from '../database/owned-rows.ts';
import { LocalCalendar } from './local-calendar.ts';
import {
  addActiveAccounts,
  addRequests,
  countActiveAccounts,
  deleteActivityBefore,
  findActiveUsernames,
  findRequestCounts,
  putLastActivity,
} from './queries.ts';
import { type Counted, Tally } from './tally.ts';

const FLUSH_MS = 5 * SECOND;
const BATCH = 500;
/** How many days of active users are shown, and how many users are named per day at most. */
export const DAYS_SHOWN = 7;
export const MAX_USERNAMES = 1_000;
const RETENTION_MS = 60 * DAY;

interface RequestTimeline {
  /** Requests of today. */
  readonly requestCount: number;
  readonly requestTimeline: readonly { hour: number; label: string; requestCount: number }[];
}

interface DailyActiveUsers {
  readonly date: string;
  readonly label: string;
  readonly userCount: number;
  readonly usernames: readonly string[];
}

interface ActivityParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly onFault: (error: unknown) => void;
}

/**
 * Usage statistics: requests per hour and active accounts per day. They are counted in memory, written every
 * few seconds, and added up in the database for all instances. Stopping writes the remaining counts; a crash
 * loses those of the last seconds.
 */
export class Activity {
  readonly #parts: ActivityParts;
  readonly #calendar: LocalCalendar;
  readonly #tally: Tally;
  /** The accounts that are already written for the last written day. */
  #written: { day: string; accounts: Set<number> } = { day: '', accounts: new Set() };
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(parts: ActivityParts) {
    this.#parts = parts;
    this.#calendar = new LocalCalendar(parts.timeZone);
    this.#tally = new Tally(this.#calendar);
  }

  /** Counts a request. */
  countRequest(): void {
    this.#tally.countRequest(this.#parts.clock.now());
  }

  /** Records that an account made an authenticated request. */
  recordActiveAccount(accountId: number): void {
    this.#tally.recordActiveAccount(accountId, this.#parts.clock.now());
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.flush().catch(this.#parts.onFault);
    }, FLUSH_MS).unref();
  }

  /** Writes the remaining counts. Must be called when no more requests can arrive. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush().catch(this.#parts.onFault);
  }

  /** Writes the counts. If that fails, they stay in memory for the next attempt. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(
      () => this.#flushNow(),
      () => this.#flushNow(),
    );
    return this.#flushing;
  }

  /** Today's requests. The counts of other instances may be a few seconds old. */
  async getTimeline(): Promise<RequestTimeline> {
    await this.flush();
    const now = this.#parts.clock.now();
    const hours = this.#calendar.hoursUntil(now);
    const counts = await findRequestCounts(this.#parts.database.db, hours[0]?.start ?? now);
    const requestTimeline = hours.map(({ hour, label, start, end }) => ({
      hour,
      label,
      requestCount: counts
        .filter(({ quarter }) => start <= quarter && quarter < end)
        .reduce((sum, { requests }) => sum + requests, 0),
    }));
    const requestCount = requestTimeline.reduce((sum, hour) => sum + hour.requestCount, 0);
    return { requestCount, requestTimeline };
  }

  /** The active users of the last seven days, including today and days without any. */
  async getDailyActiveUsers(): Promise<readonly DailyActiveUsers[]> {
    await this.flush();
    const days = this.#calendar.daysUntil(this.#parts.clock.now(), DAYS_SHOWN);
    const { db } = this.#parts.database;
    const found = await countActiveAccounts(db, days[0]?.date ?? '');
    const counts = new Map(found.map(({ day, count }) => [day, count]));
    const users: DailyActiveUsers[] = [];
    for (const { date, label } of days) {
      const userCount = counts.get(date) ?? 0;
      const usernames = userCount === 0 ? [] : await findActiveUsernames(db, date, MAX_USERNAMES);
      users.push({ date, label, userCount, usernames });
    }
    return users;
  }

  /** Deletes statistics that are older than 60 days. */
  async deleteExpired(): Promise<void> {
    const before = this.#parts.clock.now() - RETENTION_MS;
    await this.#parts.database.transact((tx) =>
      deleteActivityBefore(tx, before, this.#calendar.dayOf(before)),
    );
  }

  /** Deletes the statistics about an account that is being deleted. */
  async deleteAllOf(accountId: number, signal: AbortSignal): Promise<void> {
    // Later counts of a deleted account are ignored.
    await this.flush();
    await deleteRowsOf(this.#parts.database, 'active_day', accountId, signal);
    await deleteRowsOf(this.#parts.database, 'last_activity', accountId, signal);
  }

  async #flushNow(): Promise<void> {
    const counted = this.#tally.takeAll();
    if (counted.requests.size === 0 && counted.active.size === 0) return;
    try {
      await this.#parts.database.transact((tx) => this.#write(tx, counted));
    } catch (error) {
      this.#tally.restore(counted);
      throw error;
    }
    this.#rememberWritten(counted);
  }

  async #write(tx: Tx, { requests, active }: Counted): Promise<void> {
    await addRequests(tx, requests);
    const pairs = [...active]
      .flatMap(([day, accounts]) => [...accounts.keys()].map((accountId) => ({ day, accountId })))
      .filter(({ day, accountId }) => day !== this.#written.day || !this.#written.accounts.has(accountId))
      .toSorted((a, b) => a.accountId - b.accountId || (a.day < b.day ? -1 : 1));
    for (const batch of batchesOf(pairs)) await addActiveAccounts(tx, batch);
    const lastActivity = new Map<number, Instant>();
    for (const accounts of active.values()) {
      for (const [accountId, at] of accounts) {
        lastActivity.set(accountId, Math.max(at, lastActivity.get(accountId) ?? 0));
      }
    }
    const rows = [...lastActivity]
      .map(([accountId, activeAt]) => ({ accountId, activeAt }))
      .toSorted((a, b) => a.accountId - b.accountId);
    for (const batch of batchesOf(rows)) await putLastActivity(tx, batch);
  }

  #rememberWritten({ active }: Counted): void {
    const [day, accounts] = [...active].toSorted(([a], [b]) => (a < b ? -1 : 1)).at(-1) ?? [];
    if (day === undefined || accounts === undefined) return;
    if (day !== this.#written.day) this.#written = { day, accounts: new Set() };
    for (const accountId of accounts.keys()) this.#written.accounts.add(accountId);
  }
}

function* batchesOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += BATCH) yield rows.slice(start, start + BATCH);
}
