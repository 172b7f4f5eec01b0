import { OBJECT_CLAIMS } from '../../../src/app/parts.ts';
import { SECOND } from '../../../src/base/clock.ts';
import { OrphanSearch } from '../../../src/blobs/blobs.ts';
import type { Database } from '../../../src/database/database.ts';
import {
  type DoctorReport,
  type Fault,
  listChecks,
  type OnRepair,
  runDoctor,
} from '../../../src/doctor/doctor.ts';
import type { ObjectStore } from '../../../src/storage/object-store.ts';
import { TestClock } from '../app/test-clock.ts';

interface FoundFault extends Fault {
  readonly isRepaired: boolean;
}

/** Runs the doctor on a drive whose objects are all in one store. */
export async function diagnose(
  { database, store }: { database: Database; store: ObjectStore },
  options: {
    isDeep?: boolean;
    onRepair?: OnRepair;
    graceMs?: number;
    recheckDelaysMs?: readonly number[];
    signal?: AbortSignal;
  } = {},
): Promise<{ faults: readonly FoundFault[]; report: DoctorReport }> {
  const policy = await database.db
    .selectFrom('storage_policy')
    .select('id')
    .where('is_default', '=', 1)
    .executeTakeFirst();
  const faults: FoundFault[] = [];
  const report = await runDoctor({
    checks: listChecks({
      database,
      clock: new TestClock(),
      stores: policy === undefined ? [] : [{ policyId: policy.id, store, isExclusive: true }],
      orphans: new OrphanSearch({
        database,
        // Negative, so every object is old enough: objects uploaded in parts are dated by the start of the
        // upload.
        uploadSessionTtlMs: -1_000_000 * SECOND,
        claims: OBJECT_CLAIMS,
      }),
      graceMs: options.graceMs ?? -60 * SECOND,
      isDeep: options.isDeep ?? false,
    }),
    signal: options.signal ?? new AbortController().signal,
    onFault: (fault, isRepaired) => faults.push({ ...fault, isRepaired }),
    recheckDelaysMs: options.recheckDelaysMs ?? [0, 0],
    ...(options.onRepair === undefined ? {} : { onRepair: options.onRepair }),
  });
  return { faults, report };
}
