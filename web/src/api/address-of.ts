import type { InputOf, OperationName } from '../../../client/src/requests/operation-types.ts';
import { splitName, toUrl } from '../../../client/src/requests/outgoing.ts';

/** A placeholder origin: only the path and query are used. */
const ANYWHERE = new URL('http://localhost');

/** The URL of an operation at this service, for links and for requests that `ask` does not send. */
export function addressOf<Name extends OperationName>(
  operation: Name,
  input: Omit<InputOf<Name>, 'body'>,
): string {
  const { pathname, search } = toUrl(ANYWHERE, splitName(operation).path, input);
  return pathname + search;
}
