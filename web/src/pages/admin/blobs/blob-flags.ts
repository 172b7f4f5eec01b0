import type { AdminBlob } from '../../../../../client/src/client.ts';
import type { Tone } from '../pieces/mark.tsx';

export type BlobFlag = 'missing' | 'unknown' | 'orphan' | 'mismatch' | 'good';

export const FLAG_TONES = {
  missing: 'bad',
  unknown: 'plain',
  orphan: 'doubtful',
  mismatch: 'doubtful',
  good: 'good',
} as const satisfies Record<BlobFlag, Tone>;

/** The faults of an object, the worst first. */
export function flagsOf(
  blob: Pick<AdminBlob, 'blobMissing' | 'orphanRisk' | 'referenceMismatch'>,
): readonly BlobFlag[] {
  const flags: BlobFlag[] = [];
  if (blob.blobMissing === true) flags.push('missing');
  // The store did not answer, so it is unknown whether the object is missing.
  if (blob.blobMissing === null) flags.push('unknown');
  if (blob.orphanRisk) flags.push('orphan');
  if (blob.referenceMismatch) flags.push('mismatch');
  return flags.length === 0 ? ['good'] : flags;
}
