import type { InputOf, OperationName } from '../../../client/src/requests/operation-types.ts';
import { splitName, toUrl } from '../../../client/src/requests/outgoing.ts';

/** Only path and query are kept of it. */
const ANYWHERE = new URL('http://localhost');

/** The address of an operation at this service, for links and for what `ask` does not send. */
export function addressOf<Name extends OperationName>(
  operation: Name,
  input: Omit<InputOf<Name>, 'body'>,
): string {
  const { pathname, search } = toUrl(ANYWHERE, splitName(operation).path, input);
  return pathname + search;
}
