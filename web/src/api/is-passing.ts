import { HoldallError } from '../../../client/src/errors/errors.ts';

/** Whether trying again later may help. A body that was too slow would be so again. */
export function isPassing(error: unknown): boolean {
  return error instanceof HoldallError && error.isPassing && error.kind !== 'too-slow';
}
