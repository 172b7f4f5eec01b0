import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Instant, MINUTE, SECOND } from '../../base/clock.ts';
import { Turns } from '../../base/concurrency/turns.ts';
import type { Tx } from '../../database/database.ts';
import type { Flag } from '../../database/flag.ts';
import { analyses } from '../analysis/terms.ts';
import type { Pressure } from './pressure.ts';
import {
  type ClaimedText,
  claimFirst,
  claimRepeated,
  findDueDrive,
  findRepeated,
  giveBack,
  giveBackLost,
  hasDueText,
} from './queue-queries.ts';
import {
  addNextBlobs,
  clearLastError,
  findScanned,
  hasBlobAfter,
  putScanned,
  restoreScan,
} from './scan-queries.ts';
import { TextAttempts, type TextAttemptsParts } from './text-attempts.ts';
import { TextWriter } from './text-writer.ts';

/** Half of the processors, so the rest is left to the service. */
const MAX_CONCURRENT = 4;
const CONCURRENT = Math.max(1, Math.min(MAX_CONCURRENT, Math.floor(availableParallelism() / 2)));

const SCAN_BATCH = 500;
/** Texts that are claimed together. Few, because new files wait until they have been taken. */
const CLAIM_BATCH = 4;

/** Longer than a claimed text can wait and take, because each file has a time limit. */
const CLAIM_MS = 30 * MINUTE;
/** The delay before a text is taken that was claimed by services that died, more than once. */
const LOST_DELAY_MS = 10 * MINUTE;
/** While texts are taken and no more are due, how often new ones are looked for. */
const LOOK_MS = 5 * SECOND;
/** Younger files come before the backlog. */
const NEW_MS = 10 * MINUTE;
/** When a blob is this old, no transaction that inserts a smaller id is running any more. */
const SETTLED_MS = 15 * MINUTE;

/** After so many files in a row that cannot be read, the run ends: their store cannot be reached. */
const MAX_OUTAGES = 4;

/**
 * The pauses before texts are claimed while the service is busy. The first ones are short, because a few
 * requests are no load. Even on a busy machine, texts are taken after the last one.
 */
const PAUSES_MS: readonly number[] = [10, 50, 250, SECOND, 3 * SECOND, 5 * SECOND];
/** After a pause without load, so much time passes before the next pause. */
const QUIET_MS = 100;

export interface IndexingParts extends TextAttemptsParts {
  readonly pressure: Pressure;
  /** How many texts are taken at the same time; only tests set it. */
  readonly concurrent?: number;
}

/** Which blobs this instance has looked at. */
interface Scan {
  /** What the database says. It leaves out young blobs. */
  readonly recorded: number;
  readonly last: number;
  readonly beganAt: Instant;
}

/** The texts that a run has claimed. */
class Claims {
  readonly ready: ClaimedText[] = [];
  /** The work on each text that is being taken. */
  readonly running = new Map<ClaimedText, Promise<void>>();
  /** Those whose outcome is not written yet. */
  readonly open = new Set<ClaimedText>();
  /** Files in a row that could not be read. */
  outages = 0;
  /** Why no more texts are claimed. Those that are being taken still end. */
  outage: Error | undefined;
  fault: unknown;

  add(claimed: readonly ClaimedText[]): void {
    this.ready.push(...claimed);
    for (const text of claimed) this.open.add(text);
  }
}

/**
 * Takes the texts of stored files and writes them to the index. The rows of `text_queue` are the queue. It is
 * filled from the ids of blobs, so no upload waits for it. Only the holder of a lease runs it. If the lease is
 * lost, two may run for a time: then only the newer attempt at a text counts.
 */
export class Indexing {
  readonly #parts: IndexingParts;
  readonly #attempts: TextAttempts;
  readonly #writer: TextWriter;
  /** The drive whose turn was the last one, of new files and of the backlog. */
  readonly #lastDrive = new Map<Flag, number>();
  #scan: Scan = { recorded: -1, last: 0, beganAt: 0 };
  /** When the service was last seen without load, on the monotonic clock. */
  #quietAt = Number.NEGATIVE_INFINITY;

  constructor(parts: IndexingParts) {
    this.#parts = parts;
    this.#attempts = new TextAttempts(parts);
    this.#writer = new TextWriter(parts.database, ({ claimed }, error) =>
      this.#attempts.failedOutcome(claimed, error),
    );
  }

  async hasWork(): Promise<boolean> {
    const { database, clock } = this.#parts;
    const now = clock.now();
    const from = this.#startScan(await findScanned(database.db), now).last;
    return (await hasBlobAfter(database.db, from)) || (await hasDueText(database.db, now));
  }

  /**
   * Takes all texts that are due. Ends early while the disk is nearly full.
   * @throws the reason of the signal; Failure `unavailable` if the database is unavailable; an error of the
   *   store if files cannot be read
   */
  async run(signal: AbortSignal): Promise<void> {
    const { database } = this.#parts;
    signal.throwIfAborted();
    await database.transactVolatile((tx) => this.#restore(tx));
    const claims = new Claims();
    const stop = new AbortController();
    try {
      await this.#indexAll(claims, AbortSignal.any([signal, stop.signal]));
    } finally {
      stop.abort();
      await Promise.all(claims.running.values());
      // At the end of the service, others may take these texts at once.
      if (claims.open.size > 0) await this.#giveBackAll(claims.open).catch(() => {});
    }
    await database.transactVolatile(clearLastError);
  }

  /** Repairs what a service that died has left. */
  async #restore(tx: Tx): Promise<void> {
    const now = this.#parts.clock.now();
    await restoreScan(tx);
    await giveBackLost(tx, { now, later: now + LOST_DELAY_MS });
  }

  async #indexAll(claims: Claims, signal: AbortSignal): Promise<void> {
    const { ready, running } = claims;
    const { concurrent = CONCURRENT } = this.#parts;
    for (;;) {
      signal.throwIfAborted();
      if (claims.fault === undefined && claims.outage === undefined && ready.length === 0) {
        claims.add(await this.#claimNext([...running.keys()], signal));
      }
      if (claims.fault !== undefined) throw claims.fault;
      if (claims.outage !== undefined) break;
      while (running.size < concurrent) {
        const next = ready.shift();
        if (next === undefined) break;
        running.set(next, this.#indexText(next, claims, signal));
      }
      if (running.size === 0) return;
      await waitForAny(running.values(), running.size < concurrent ? LOOK_MS : undefined);
    }
    await Promise.all(running.values());
    throw claims.fault ?? claims.outage;
  }

  /** Never rejects. */
  async #indexText(claimed: ClaimedText, claims: Claims, signal: AbortSignal): Promise<void> {
    try {
      const outcome = await this.#attempts.run(claimed, signal);
      await this.#writer.write(outcome);
      claims.open.delete(claimed);
      claims.outages = outcome.outage === undefined ? 0 : claims.outages + 1;
      // Otherwise every file would wait for a store that does not answer.
      if (claims.outages >= MAX_OUTAGES) claims.outage ??= outcome.outage;
    } catch (error) {
      claims.fault ??= error;
    } finally {
      claims.running.delete(claimed);
    }
  }

  /** Looks at the blobs since its last call, and once a minute at all that may have been committed late. */
  async #addNewBlobs(signal: AbortSignal): Promise<void> {
    const { database, clock } = this.#parts;
    const now = clock.now();
    let scanned = await findScanned(database.db);
    this.#scan = this.#startScan(scanned, now);
    if (!(await hasBlobAfter(database.db, this.#scan.last))) return;
    // Without other instances, ids are committed in their order. A blob from the far future was stored while
    // the clock was wrong.
    const youngMs = database.isShared ? SETTLED_MS : 0;
    const young = { from: now - youngMs, to: now + youngMs };
    const turns = new Turns();
    for (;;) {
      signal.throwIfAborted();
      if (turns.isOver()) await turns.next();
      const page = { after: this.#scan.last, limit: SCAN_BATCH, now, newSince: now - NEW_MS };
      const done = await database.transactVolatile(async (tx) => {
        const lastId = await addNextBlobs(tx, page);
        if (lastId === undefined) return undefined;
        return { lastId, recorded: await putScanned(tx, { scanned, throughId: lastId, young }) };
      });
      if (done === undefined) return;
      // After a rebuild has begun, the next call starts again.
      scanned = done.recorded ?? scanned;
      this.#scan = { ...this.#scan, recorded: scanned, last: done.lastId };
    }
  }

  /** Where the next look at the blobs begins. */
  #startScan(recorded: number, now: Instant): Scan {
    const isFresh = recorded === this.#scan.recorded && now - this.#scan.beganAt < MINUTE;
    return isFresh ? this.#scan : { recorded, last: recorded, beganAt: now };
  }

  async #waitWhileBusy(signal: AbortSignal): Promise<void> {
    const { pressure } = this.#parts;
    if (performance.now() < this.#quietAt + QUIET_MS) return;
    // With the permit, no own analysis is running that would count as load.
    const isBusyFor = (ms: number) => analyses.run(() => pressure.isBusyFor(ms, signal), signal);
    for (const ms of PAUSES_MS) {
      if (await isBusyFor(ms)) continue;
      this.#quietAt = performance.now();
      return;
    }
  }

  /** Claims a few texts, new ones first. @param running the texts that are being taken */
  async #claimNext(running: readonly ClaimedText[], signal: AbortSignal): Promise<readonly ClaimedText[]> {
    const { database, pressure } = this.#parts;
    if (running.some(({ isSuspect }) => isSuspect)) return [];
    if (await pressure.isDiskFull()) return [];
    await this.#addNewBlobs(signal);
    await this.#waitWhileBusy(signal);
    const turns = new Turns();
    for (;;) {
      signal.throwIfAborted();
      if (turns.isOver()) await turns.next();
      const claimed = await database.transactVolatile((tx) => this.#claim(tx, running));
      if (claimed === undefined) return [];
      // Texts of purged files must not hide those behind them.
      if (claimed.length > 0) return claimed;
    }
  }

  /** Returns undefined if no text can be claimed now, and an empty list if all were postponed. */
  async #claim(tx: Tx, running: readonly ClaimedText[]): Promise<readonly ClaimedText[] | undefined> {
    for (const isBacklog of [0, 1] as const) {
      const first = await this.#claimFirst(tx, isBacklog);
      if (first !== undefined) return first;
      const claim = this.#newClaim(isBacklog);
      const repeated = await findRepeated(tx, claim);
      if (repeated === undefined) continue;
      // Alone, because the text may be the one that ended the service, or took all memory.
      if (repeated.isSuspect && running.length > 0) return undefined;
      return await claimRepeated(tx, { ...claim, ...repeated, limit: CLAIM_BATCH });
    }
    return undefined;
  }

  /** Claims texts of one drive after another. */
  async #claimFirst(tx: Tx, isBacklog: Flag): Promise<readonly ClaimedText[] | undefined> {
    let claimed: ClaimedText[] | undefined;
    const claim = this.#newClaim(isBacklog);
    for (let turn = 0; turn < CLAIM_BATCH; turn += 1) {
      const driveId = await this.#findNextDrive(tx, isBacklog, claim.now);
      if (driveId === undefined) break;
      claimed = [...(claimed ?? []), ...((await claimFirst(tx, { ...claim, driveId })) ?? [])];
    }
    return claimed;
  }

  #newClaim(isBacklog: Flag) {
    const now = this.#parts.clock.now();
    return { isBacklog, now, until: now + CLAIM_MS };
  }

  async #findNextDrive(tx: Tx, isBacklog: Flag, now: Instant): Promise<number | undefined> {
    const after = this.#lastDrive.get(isBacklog) ?? -1;
    const next =
      (await findDueDrive(tx, { isBacklog, after, now })) ??
      (await findDueDrive(tx, { isBacklog, after: -1, now }));
    if (next !== undefined) this.#lastDrive.set(isBacklog, next);
    return next;
  }

  async #giveBackAll(claimed: Iterable<ClaimedText>): Promise<void> {
    const { database, clock } = this.#parts;
    await database.transactVolatile(async (tx) => {
      for (const text of claimed) await giveBack(tx, text, { dueAt: clock.now(), isCounted: false });
    });
  }
}

/** Resolves with the first of the promises, or after a time. */
async function waitForAny(promises: Iterable<Promise<void>>, maxMs: number | undefined): Promise<void> {
  if (maxMs === undefined) return await Promise.race(promises);
  const end = new AbortController();
  try {
    await Promise.race([...promises, sleep(maxMs, undefined, { signal: end.signal }).catch(() => {})]);
  } finally {
    end.abort();
  }
}
