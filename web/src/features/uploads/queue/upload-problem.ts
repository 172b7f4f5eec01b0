import { ApiError } from '../../../api/api-error.ts';
import type { Problem, Upload } from '../upload.ts';
import { FileChanged, StoreFailure } from '../upload-failures.ts';
import { InTheWay } from './taken-names.ts';

/** What a person is told of an error that has ended an upload. */
export function problemOf(error: unknown, { size }: Upload, maxUploadSizeBytes: number): Problem {
  if (error instanceof FileChanged) return { kind: 'changed' };
  if (error instanceof InTheWay) return { kind: error.kind };
  if (error instanceof StoreFailure) return { kind: 'store' };
  if (!(error instanceof ApiError)) return { kind: 'unknown' };
  if (error.status !== 413) return { kind: 'refused', error };
  return { kind: size > maxUploadSizeBytes ? 'too-large' : 'over-quota' };
}
