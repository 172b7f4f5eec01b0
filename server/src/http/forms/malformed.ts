import { Failure } from '../../base/failure.ts';

export function malformed(detail = '', cause?: unknown): Failure {
  return new Failure('invalid', `The form is malformed. ${detail}`.trimEnd(), { cause });
}
