import type { InputOf, OperationName } from '../../../client/src/requests/operation-types.ts';
import { splitName, toUrl } from '../../../client/src/requests/outgoing.ts';
import type { DriveId, DriveOf } from './in-drive.ts';

/** A placeholder origin: only the path and query are used. */
const ANYWHERE = new URL('http://localhost');

/** The URL of an operation at this service, for links and for requests that `ask` does not send. */
export function addressOf<Name extends OperationName>(
  operation: Name,
  input: Omit<InputOf<Name>, 'body'> & DriveOf<Name>,
): string {
  const { drive, ...rest } = input as Omit<InputOf<Name>, 'body'> & { readonly drive?: DriveId };
  const url = toUrl(ANYWHERE, splitName(operation).path, rest);
  // Addresses cannot have headers.
  if (drive !== undefined) url.searchParams.set('drive', String(drive));
  return url.pathname + url.search;
}
