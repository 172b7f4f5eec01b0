import { Failure, type FailureKind } from '../../base/failure.ts';
import { ZipFault } from '../../formats/zip/reading/fault.ts';
import { type FailureCategory, JobFailure } from '../engine/job.ts';

/** What a drive refuses is its state; only a path that nothing could have is the archive's own. */
const CATEGORIES: Partial<Readonly<Record<FailureKind, FailureCategory>>> = {
  conflict: 'DATA_STATE',
  'not-found': 'DATA_STATE',
  'over-limit': 'DATA_STATE',
  invalid: 'UNSUPPORTED_INPUT',
};

/** The error as a task tells it. What says nothing about archive or drive stays as it is: a lost attempt, a store out of reach. */
export function toJobFailure(error: unknown): unknown {
  if (error instanceof ZipFault) return new JobFailure('UNSUPPORTED_INPUT', error.message, { cause: error });
  const category = error instanceof Failure ? CATEGORIES[error.kind] : undefined;
  if (!(error instanceof Failure) || category === undefined) return error;
  return new JobFailure(category, error.message, { cause: error });
}

/** The entry that the task was made for is in the bin, or gone. */
export function sourceIsGone(): JobFailure {
  return new JobFailure('DATA_STATE', 'The file or directory is not there any more.');
}
