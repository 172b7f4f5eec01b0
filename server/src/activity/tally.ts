import type { Instant } from '../base/clock.ts';
import { type LocalCalendar, startOfQuarter } from './local-calendar.ts';

/** What has been counted and not yet written. */
export interface Counted {
  readonly requests: ReadonlyMap<Instant, number>;
  /** By day: who was active, and when last. */
  readonly active: ReadonlyMap<string, ReadonlyMap<number, Instant>>;
}

/**
 * Counts in memory: an addition for a request, an entry in a map for a caller. What it holds is bounded by who calls
 * between two writings; while the database is away nobody is let in by a token.
 */
export class Tally {
  readonly #calendar: LocalCalendar;
  #requests = new Map<Instant, number>();
  #active = new Map<string, Map<number, Instant>>();
  #quarter: Instant = 0;
  #inQuarter = 0;
  /** Of `#active`, once somebody has come since the last taking. */
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

  noteActive(accountId: number, now: Instant): void {
    if (now >= this.#dayEnd || now < this.#dayStart) this.#openDay(now);
    this.#today ??= this.#dayOf(this.#day);
    this.#today.set(accountId, now);
  }

  /** Gives what was counted, and begins anew. */
  take(): Counted {
    this.#closeQuarter(this.#quarter);
    const taken = { requests: this.#requests, active: this.#active };
    this.#requests = new Map();
    this.#active = new Map();
    this.#today = undefined;
    return taken;
  }

  /** Counts again what could not be written. */
  giveBack({ requests, active }: Counted): void {
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
    const made = new Map<number, Instant>();
    this.#active.set(day, made);
    return made;
  }
}
