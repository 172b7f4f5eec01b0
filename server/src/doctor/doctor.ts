import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { mapConcurrently } from '../base/concurrency/map-concurrently.ts';
import type { OrphanSearch } from '../blobs/blobs.ts';
import type { Database } from '../database/database.ts';
import type { NameIndexConsistency } from '../database/name-index.ts';
import { blobRules } from './blobs/rules.ts';
import type { Check, CheckProgress, Fault, OnRepair } from './check.ts';
import { COUNTS, findMiscounted, lockCounted, recount } from './counts/queries.ts';
import { driveRules, ownershipRules } from './drives/rules.ts';
import { entryRules, loopRules } from './entries/rules.ts';
import { KeyCheck, type KeyRule } from './key-check.ts';
import { linkRules } from './links/rules.ts';
import { ObjectCheck, type PolicyStore } from './objects/check.ts';
import { RowCheck, type RowRules } from './row-check.ts';
import { textRules } from './texts/rules.ts';
import { TotalCheck } from './totals/check.ts';

export type { Check, Fault, OnRepair } from './check.ts';
export type { PolicyStore } from './objects/check.ts';

/** How many suspected faults are collected before they are checked again. */
const RECHECK_BATCH = 5_000;

const MAX_CONCURRENT_RECHECKS = 8;

/** The delays before each recheck of a suspected fault. A fault that survives all of them is reported. */
const RECHECK_DELAYS_MS: readonly number[] = [200, 1_000];

interface DoctorParts {
  readonly database: Database;
  readonly clock: Clock;
  /** The stores to check. Objects of policies that cannot be opened are not checked. */
  readonly stores: readonly PolicyStore[];
  readonly orphans: OrphanSearch;
  /** The minimum age of an orphan. Younger objects may belong to a request that has not committed yet. */
  readonly graceMs: number;
  /** Also checks the database files, and reads every object. */
  readonly isDeep: boolean;
}

/** All checks, in the order in which they run. */
export function listChecks(parts: DoctorParts): readonly Check[] {
  const { database, clock } = parts;
  const { consistency } = database.engine.nameIndex;
  return [
    ...(parts.isDeep ? [new DatabaseFileCheck(database)] : []),
    // Must run before the drive check, which sums kept bytes by the versions' drive column.
    new KeyCheck(database, 'counts', countRules),
    new RowCheck(database, driveRules),
    new KeyCheck(database, 'owners of drives', ownershipRules),
    new RowCheck(database, entryRules),
    new RowCheck(database, loopRules),
    ...(consistency === undefined ? [] : [new RowCheck(database, nameIndexRules(consistency))]),
    new RowCheck(database, blobRules(clock)),
    new RowCheck(database, textRules(database)),
    new TotalCheck(database),
    new KeyCheck(database, 'links', linkRules),
    new ObjectCheck(parts),
  ];
}

interface DoctorRun {
  readonly checks: readonly Check[];
  readonly signal: AbortSignal;
  /** If given, faults are repaired where that is safe, and this runs in the transaction of each repair. */
  readonly onRepair?: OnRepair;
  /** Called once for each confirmed fault. */
  readonly onFault: (fault: Fault, isRepaired: boolean) => void;
  readonly onProgress?: (label: string, checked: number) => void;
  readonly recheckDelaysMs?: readonly number[];
}

export interface DoctorReport {
  /** How many things were checked, by the label of the check. */
  readonly checked: Readonly<Record<string, number>>;
  readonly faults: number;
  readonly repaired: number;
}

/**
 * Runs the checks while the server keeps running. Every suspected fault is checked again, twice by default,
 * because rows that change during a check may only look wrong.
 *
 * @throws the reason of the signal; Failure `unavailable` if the database or a store is unreachable
 */
export async function runDoctor(run: DoctorRun): Promise<DoctorReport> {
  const { signal, onRepair } = run;
  const checked: Record<string, number> = {};
  let [faults, repaired] = [0, 0];
  for (const check of run.checks) {
    let suspects: Fault[] = [];
    const confirmSuspects = async () => {
      for (const fault of await confirmFaults(check, suspects, run)) {
        signal.throwIfAborted();
        const isRepaired =
          onRepair !== undefined && ((await check.repair?.(fault, onRepair, signal)) ?? false);
        faults += 1;
        if (isRepaired) repaired += 1;
        run.onFault(fault, isRepaired);
      }
      suspects = [];
    };
    checked[check.label] = 0;
    for await (const progress of check.findFaults(signal)) {
      const count = (checked[check.label] ?? 0) + progress.checked;
      checked[check.label] = count;
      run.onProgress?.(check.label, count);
      suspects.push(...progress.faults);
      if (suspects.length >= RECHECK_BATCH) await confirmSuspects();
    }
    await confirmSuspects();
  }
  return { checked, faults, repaired };
}

/** The suspects that are still faults after every recheck. */
async function confirmFaults(
  check: Check,
  suspects: readonly Fault[],
  { signal, recheckDelaysMs = RECHECK_DELAYS_MS }: DoctorRun,
): Promise<readonly Fault[]> {
  let remaining = suspects;
  for (const delayMs of recheckDelaysMs) {
    if (remaining.length === 0) return [];
    await sleep(delayMs, undefined, { signal });
    const rechecked = await mapConcurrently(remaining, MAX_CONCURRENT_RECHECKS, (fault) => {
      signal.throwIfAborted();
      return check.recheck(fault, signal);
    });
    remaining = rechecked.filter((fault) => fault !== undefined);
  }
  return remaining;
}

/**
 * Checks that the database files are not damaged. Only SQLite needs this: PostgreSQL checks its own files.
 */
class DatabaseFileCheck implements Check {
  readonly label = 'database files';
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async *findFaults(): AsyncGenerator<CheckProgress> {
    const checked = this.#database.engine.integrityQuery === undefined ? 0 : 1;
    yield { checked, faults: (await this.#database.findDamage()).map(toFault) };
  }

  async recheck(fault: Fault): Promise<Fault | undefined> {
    return (await this.#database.findDamage()).map(toFault).find(({ id }) => id === fault.id);
  }
}

function toFault(message: string): Fault {
  return {
    rule: 'database-file',
    subject: 'database',
    id: message,
    sentence: `The database is damaged: ${message}.`,
  };
}

/** The search index must contain every entry under its current name, and nothing else. */
function nameIndexRules(consistency: NameIndexConsistency): RowRules {
  return {
    label: 'names in the search index',
    table: 'entry',
    findFaults: async (db, { after, through }) => {
      const { rows } = await consistency.findInconsistentIds(after, through).execute(db);
      return rows.map(({ id }) => ({
        rule: 'search-index',
        subject: 'entry',
        id,
        sentence: `Entry ${id} and its record in the search index differ.`,
      }));
    },
    repairs: {
      'search-index': async (tx, id) => {
        for (const statement of consistency.repairId(id)) await statement.execute(tx);
      },
    },
  };
}

/** Counted and copied columns must match what they count or copy. */
const countRules: readonly KeyRule[] = COUNTS.map((count) => {
  const { table, column, isRepairable } = count;
  const rule: KeyRule = {
    rule: `${table}-${column}`.replaceAll('_', '-').replace(/-id$/, ''),
    table,
    findKeys: (db, page) => findMiscounted(db, count, page),
    describe: (key) => `The ${column} of ${table} ${key} is not what the rest of the database says.`,
  };
  if (!isRepairable) return rule;
  return {
    ...rule,
    repair: {
      lock: (tx, key) => lockCounted(tx, count, key),
      run: (tx, key) => recount(tx, count, key),
    },
  };
});
