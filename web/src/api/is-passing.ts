import { HoldallError } from '../../../client/src/errors/errors.ts';

/** Whether trying again later may help. It would not for a body that was sent too slowly. */
export function isPassing(error: unknown): boolean {
  return error instanceof HoldallError && error.isPassing && error.kind !== 'too-slow';
}
