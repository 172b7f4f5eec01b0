import type { Clock } from '../../base/clock.ts';
import type { Db } from '../../database/database.ts';
import type { Fault } from '../check.ts';
import type { IdRange, RowRules } from '../row-check.ts';
import { findBlobsToCheck, lockBlob, markUnreferenced, recountReferences } from './queries.ts';

/**
 * The reference count of a blob is the number of rows that refer to it, including those in recycle bins. A
 * blob without references is marked, so that the sweeper finds it.
 */
export function blobRules(clock: Clock): RowRules {
  return {
    label: 'blobs',
    table: 'blob',
    findFaults,
    lock: lockBlob,
    repairs: {
      'reference-count': (tx, id) => recountReferences(tx, id, clock.now()),
      'unreferenced-mark': (tx, id) => markUnreferenced(tx, id, clock.now()),
    },
  };
}

async function findFaults(db: Db, range: IdRange): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const blob of await findBlobsToCheck(db, range)) {
    const { id, references, reference_count: recorded } = blob;
    const add = (rule: string, sentence: string) => faults.push({ rule, subject: 'blob', id, sentence });
    if (blob.known_policy_id === null) {
      add(
        'blob-policy',
        `Blob ${id} is stored under the storage policy ${blob.policy_id}, which does not exist.`,
      );
    }
    if (blob.removing_at !== null) {
      if (references > 0)
        add('blob-removal', `Blob ${id} has ${references} references but is being removed.`);
    } else if (references !== recorded) {
      add(
        'reference-count',
        `Blob ${id} has ${references} references, but the recorded count is ${recorded}.`,
      );
    } else if (references === 0 && blob.unreferenced_at === null) {
      add('unreferenced-mark', `Blob ${id} has no references but is not marked for the clean-up.`);
    }
  }
  return faults;
}
