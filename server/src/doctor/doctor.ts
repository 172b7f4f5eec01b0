import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { mapConcurrently } from '../base/concurrency/map-concurrently.ts';
import type { OrphanSearch } from '../blobs/blobs.ts';
import type { Database } from '../database/database.ts';
import { accountRules } from './account-rules.ts';
import { blobRules } from './blob-rules.ts';
import type { AlsoDo, Check, Fault } from './check.ts';
import { DamageCheck } from './damage-check.ts';
import { entryRules, loopRules } from './entry-rules.ts';
import { LinkCheck } from './link-check.ts';
import { nameRules } from './name-rules.ts';
import { ObjectCheck, type PolicyStore } from './object-check.ts';
import { RowCheck } from './row-check.ts';
import { TotalCheck } from './total-check.ts';

export type { AlsoDo, Check, Fault } from './check.ts';
export type { PolicyStore } from './object-check.ts';

/** Faults that are looked at again together. */
const BATCH = 5_000;

const LOOKS_AT_ONCE = 8;

/** Before a fault is believed it is looked at again, so long after the time before. */
const PATIENCE_MS: readonly number[] = [200, 1_000];

export interface DoctorParts {
  readonly database: Database;
  readonly clock: Clock;
  /** Those that can be reached; what lies elsewhere is not looked at. */
  readonly stores: readonly PolicyStore[];
  readonly orphans: OrphanSearch;
  /** How old an object has to be that belongs to nobody. */
  readonly graceMs: number;
  /** Reads every object. */
  readonly isDeep: boolean;
}

/** Everything that can be looked for, in the order of looking. */
export function listChecks(parts: DoctorParts): readonly Check[] {
  const { database, clock } = parts;
  const { consistency } = database.engine.nameIndex;
  return [
    ...(parts.isDeep ? [new DamageCheck(database)] : []),
    new RowCheck(database, accountRules),
    new RowCheck(database, entryRules),
    new RowCheck(database, loopRules),
    ...(consistency === undefined ? [] : [new RowCheck(database, nameRules(consistency))]),
    new RowCheck(database, blobRules(clock)),
    new TotalCheck(database),
    new LinkCheck(database),
    new ObjectCheck(parts),
  ];
}

export interface Examination {
  readonly checks: readonly Check[];
  readonly signal: AbortSignal;
  /** Has what a program may put right put right, with something else in the same transaction. */
  readonly mend?: AlsoDo;
  /** Hears of each fault when it is sure. */
  readonly onFault: (fault: Fault, isMended: boolean) => void;
  readonly onProgress?: (looksAt: string, looked: number) => void;
  readonly patienceMs?: readonly number[];
}

export interface Diagnosis {
  /** By what was looked at, how many. */
  readonly looked: Readonly<Record<string, number>>;
  readonly faults: number;
  readonly mended: number;
}

/**
 * Reads everything and compares what is counted with what is there, while the service goes on. What looks like a fault is
 * looked at again, twice: what changes just now is right the next time.
 *
 * @throws the reason of the signal; Failure `unavailable` when database or store are out of reach
 */
export async function examine(examination: Examination): Promise<Diagnosis> {
  const looked: Record<string, number> = {};
  let [faults, mended] = [0, 0];
  for (const check of examination.checks) {
    let suspects: Fault[] = [];
    const judge = async () => {
      for (const fault of await confirm(check, suspects, examination)) {
        const { mend, signal } = examination;
        signal.throwIfAborted();
        const isMended =
          mend !== undefined && check.isMendable(fault) && (await check.mend(fault, mend, signal));
        faults += 1;
        if (isMended) mended += 1;
        examination.onFault(fault, isMended);
      }
      suspects = [];
    };
    looked[check.looksAt] = 0;
    for await (const progress of check.find(examination.signal)) {
      const count = (looked[check.looksAt] ?? 0) + progress.looked;
      looked[check.looksAt] = count;
      examination.onProgress?.(check.looksAt, count);
      suspects.push(...progress.faults);
      if (suspects.length >= BATCH) await judge();
    }
    await judge();
  }
  return { looked, faults, mended };
}

async function confirm(
  check: Check,
  suspects: readonly Fault[],
  { signal, patienceMs = PATIENCE_MS }: Examination,
): Promise<readonly Fault[]> {
  let standing = suspects;
  for (const delayMs of patienceMs) {
    if (standing.length === 0) return [];
    await sleep(delayMs, undefined, { signal });
    const again = await mapConcurrently(standing, LOOKS_AT_ONCE, (fault) => {
      signal.throwIfAborted();
      return check.lookAgain(fault, signal);
    });
    standing = again.filter((fault) => fault !== undefined);
  }
  return standing;
}
