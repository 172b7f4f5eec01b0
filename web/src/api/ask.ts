import { UnreachableError } from '../../../client/src/errors/errors.ts';
import type {
  Arguments,
  DataOf,
  DataOperation,
  InputOf,
  OperationName,
  RequestOptions,
} from '../../../client/src/requests/operation-types.ts';
import { newRequester } from './requester.ts';
import { accessToken, endRefusedSession, updateSecondFactorNeed } from './session.ts';

/** What an operation takes, and how it is sent. It can be left out if nothing in it is required. */
type CallOf<Name extends OperationName> =
  Record<never, never> extends InputOf<Name>
    ? [call?: InputOf<Name> & RequestOptions]
    : [call: InputOf<Name> & RequestOptions];

/** As the logged-in user. A refused token ends the session. */
const requester = newRequester({ credentials: { authorize, renew: async () => false }, fetch: send });

/** Calls an operation and gives the `data` of its answer. @throws HoldallError; the reason of the signal */
export function ask<Name extends DataOperation>(
  operation: Name,
  ...[call]: CallOf<Name>
): Promise<DataOf<Name>> {
  return requester.ask(operation, ...argumentsOf<Name>(call));
}

/** The key and the function of a query that asks the service. */
export function queryOf<Name extends DataOperation>(
  queryKey: readonly unknown[],
  operation: Name,
  ...[call]: CallOf<Name>
) {
  return {
    queryKey,
    queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<DataOf<Name>> =>
      requester.ask(operation, ...argumentsOf<Name>(call, { ...call, signal })),
  };
}

/** Gives the whole response, whose body is not read yet. @throws HoldallError; the reason of the signal */
export function open<Name extends OperationName>(
  operation: Name,
  ...[call]: CallOf<Name>
): Promise<Response> {
  return requester.open(operation, ...argumentsOf<Name>(call));
}

function argumentsOf<Name extends OperationName>(
  call: (InputOf<Name> & RequestOptions) | undefined,
  options: RequestOptions | undefined = call,
): Arguments<Name> {
  // The library takes the input and the options apart, and reads other members of each. Whether they may be
  // absent is decided in one way by both types, which the compiler cannot know before it knows the name.
  return [call, options] as unknown as Arguments<Name>;
}

/**
 * Sends a request to an address that the service gave, and gives the response whatever its status.
 * @throws UnreachableError; the reason of the signal
 */
export async function fetchAnswer(address: string, init: AddressOptions = {}): Promise<Response> {
  const authorization = await authorize();
  const headers = { ...(authorization === undefined ? {} : { authorization }), ...init.headers };
  try {
    return await send(address, { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new UnreachableError(error);
  }
}

interface AddressOptions {
  readonly method?: 'GET' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

async function authorize(): Promise<string | undefined> {
  const token = await accessToken();
  return token === undefined ? undefined : `Bearer ${token}`;
}

async function send(address: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(address, init);
  // The session ended on the server: by another login, a new password or a ban.
  if (response.status === 401) {
    const token = new Headers(init.headers).get('authorization')?.replace(/^Bearer /, '');
    endRefusedSession(token, (name) => response.headers.get(name));
  }
  // The operator requires one since the page was opened. The page that sets it up opens at once.
  if (response.headers.get('x-service-required') === 'second-factor') updateSecondFactorNeed(true);
  return response;
}
