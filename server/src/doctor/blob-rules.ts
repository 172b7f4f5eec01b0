import type { Clock } from '../base/clock.ts';
import type { Db } from '../database/database.ts';
import { findBlobLooks, holdBlob, markUnreferenced, putReferenceCount } from './blob-queries.ts';
import type { Fault } from './check.ts';
import type { IdRange, RowRules } from './row-check.ts';

/** A blob counts every row that refers to it, those in the recycle bin too; the sweeper knows of those with none. */
export function blobRules(clock: Clock): RowRules {
  return {
    looksAt: 'blobs',
    table: 'blob',
    look,
    hold: holdBlob,
    mends: {
      'reference-count': (tx, id) => putReferenceCount(tx, id, clock.now()),
      'unreferenced-mark': (tx, id) => markUnreferenced(tx, id, clock.now()),
    },
  };
}

async function look(db: Db, range: IdRange): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const blob of await findBlobLooks(db, range)) {
    const { id, used, reference_count: counted } = blob;
    const tell = (rule: string, sentence: string) => faults.push({ rule, subject: 'blob', id, sentence });
    if (blob.known_policy_id === null) {
      tell('blob-policy', `Blob ${id} lies in the storage policy ${blob.policy_id}, which does not exist.`);
    }
    if (blob.removing_at !== null) {
      if (used > 0) tell('blob-removal', `Blob ${id} is used ${used} times and is being removed.`);
    } else if (used !== counted) {
      tell('reference-count', `Blob ${id} is used ${used} times and counts ${counted}.`);
    } else if (used === 0 && blob.unreferenced_at === null) {
      tell('unreferenced-mark', `Blob ${id} is used no more, and the clean-up does not know.`);
    }
  }
  return faults;
}
