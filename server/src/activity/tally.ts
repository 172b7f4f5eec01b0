import type { Instant } from '../base/clock.ts';
import { type LocalCalendar, startOfQuarter } from './local-calendar.ts';

/** Counts that are not written yet. */
export interface Counted {
  /** Number of requests by the start of their 15-minute bucket. */
  readonly requests: ReadonlyMap<Instant, number>;
  /** The active accounts of each day, with the time of their last request. */
  readonly active: ReadonlyMap<string, ReadonlyMap<number, Instant>>;
}

/**
 * Counts requests and active accounts in memory. A request costs one addition, and an authenticated one a map
 * entry. The size is limited by the number of accounts that are active between two writes. While the database
 * is unavailable it does not grow, as no request is authenticated then.
 */
export class Tally {
  readonly #calendar: LocalCalendar;
  #requests = new Map<Instant, number>();
  #active = new Map<string, Map<number, Instant>>();
  #quarter: Instant = 0;
  #inQuarter = 0;
  /** The map of the current day in `#active`; undefined until an account is active after `takeAll`. */
  #today: Map<number, Instant> | undefined;
  #day = '';
  #dayStart: Instant = 0;
  #dayEnd: Instant = 0;

  constructor(calendar: LocalCalendar) {
    this.#calendar = calendar;
  }

  countRequest(now: Instant): void {
    const quarter = startOfQuarter(now);
    if (quarter !== this.#quarter) this.#closeQuarter(quarter);
    this.#inQuarter += 1;
  }

  recordActiveAccount(accountId: number, now: Instant): void {
    if (now >= this.#dayEnd || now < this.#dayStart) this.#openDay(now);
    this.#today ??= this.#dayOf(this.#day);
    this.#today.set(accountId, now);
  }

  /** Returns the counts and resets them. */
  takeAll(): Counted {
    this.#closeQuarter(this.#quarter);
    const taken = { requests: this.#requests, active: this.#active };
    this.#requests = new Map();
    this.#active = new Map();
    this.#today = undefined;
    return taken;
  }

  /** Adds back counts that could not be written. */
  restore({ requests, active }: Counted): void {
    for (const [quarter, count] of requests) this.#addRequests(quarter, count);
    for (const [day, accounts] of active) {
      const own = this.#dayOf(day);
      for (const [accountId, at] of accounts) own.set(accountId, Math.max(at, own.get(accountId) ?? 0));
    }
  }

  #closeQuarter(next: Instant): void {
    if (this.#inQuarter > 0) this.#addRequests(this.#quarter, this.#inQuarter);
    this.#inQuarter = 0;
    this.#quarter = next;
  }

  #addRequests(quarter: Instant, count: number): void {
    this.#requests.set(quarter, (this.#requests.get(quarter) ?? 0) + count);
  }

  #openDay(now: Instant): void {
    this.#today = undefined;
    this.#day = this.#calendar.dayOf(now);
    this.#dayStart = this.#calendar.startOfDay(now);
    this.#dayEnd = this.#calendar.endOfDay(now);
  }

  #dayOf(day: string): Map<number, Instant> {
    const known = this.#active.get(day);
    if (known !== undefined) return known;
    const created = new Map<number, Instant>();
    this.#active.set(day, created);
    return created;
  }
}
