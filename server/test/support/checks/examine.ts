import { OBJECT_CLAIMS } from '../../../src/app/parts.ts';
import { SECOND } from '../../../src/base/clock.ts';
import { OrphanSearch } from '../../../src/blobs/blobs.ts';
import type { Database } from '../../../src/database/database.ts';
import { type AlsoDo, type Diagnosis, examine, type Fault, listChecks } from '../../../src/doctor/doctor.ts';
import type { ObjectStore } from '../../../src/storage/object-store.ts';
import { TestClock } from '../app/test-clock.ts';

export interface FoundFault extends Fault {
  readonly isMended: boolean;
}

/** What the doctor says of a drive whose objects all lie in one store. */
export async function askDoctor(
  { database, store }: { database: Database; store: ObjectStore },
  options: {
    isDeep?: boolean;
    mend?: AlsoDo;
    graceMs?: number;
    patienceMs?: readonly number[];
    signal?: AbortSignal;
  } = {},
): Promise<{ faults: readonly FoundFault[]; diagnosis: Diagnosis }> {
  const policy = await database.db
    .selectFrom('storage_policy')
    .select('id')
    .where('is_default', '=', 1)
    .executeTakeFirst();
  const faults: FoundFault[] = [];
  const diagnosis = await examine({
    checks: listChecks({
      database,
      clock: new TestClock(),
      stores: policy === undefined ? [] : [{ policyId: policy.id, store, isOurs: true }],
      orphans: new OrphanSearch({
        database,
        // What came in parts is dated by its beginning, so nothing would be old enough.
        uploadSessionTtlMs: -1_000_000 * SECOND,
        claims: OBJECT_CLAIMS,
      }),
      graceMs: options.graceMs ?? -60 * SECOND,
      isDeep: options.isDeep ?? false,
    }),
    signal: options.signal ?? new AbortController().signal,
    onFault: (fault, isMended) => faults.push({ ...fault, isMended }),
    patienceMs: options.patienceMs ?? [0, 0],
    ...(options.mend === undefined ? {} : { mend: options.mend }),
  });
  return { faults, diagnosis };
}
