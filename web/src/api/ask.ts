import { UnreachableError } from '../../../client/src/errors/errors.ts';
import type {
  Arguments,
  DataOf,
  DataOperation,
  InputOf,
  OperationName,
  RequestOptions,
} from '../../../client/src/requests/operation-types.ts';
import type { DriveId, DriveOf } from './in-drive.ts';
import { newRequester } from './requester.ts';
import { accessToken, endRefusedSession, updateSecondFactorNeed } from './session.ts';

type Call<Name extends OperationName> = InputOf<Name> & DriveOf<Name> & RequestOptions;

/**
 * The input of an operation, its drive and the options of its request. Optional if nothing in it is required.
 */
type CallOf<Name extends OperationName> =
  Record<never, never> extends InputOf<Name> & DriveOf<Name> ? [call?: Call<Name>] : [call: Call<Name>];

/** Names the drive of a call. Without it, the call is about the personal drive. */
const DRIVE_HEADER = 'x-service-drive';

/** Sends requests as the logged-in user. A rejected token ends the session. */
const requester = newRequester({ credentials: { authorize, renew: async () => false }, fetch: send });

/** Calls an operation and returns the `data` of the response. @throws HoldallError; `signal.reason` */
export function ask<Name extends DataOperation>(
  operation: Name,
  ...[call]: CallOf<Name>
): Promise<DataOf<Name>> {
  return requester.ask(operation, ...argumentsOf<Name>(call));
}

/** The key and function of a query that calls the service. */
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

/** Returns the whole response with its body unread. @throws HoldallError; `signal.reason` */
export function open<Name extends OperationName>(
  operation: Name,
  ...[call]: CallOf<Name>
): Promise<Response> {
  return requester.open(operation, ...argumentsOf<Name>(call));
}

function argumentsOf<Name extends OperationName>(
  call: Call<Name> | undefined,
  options: (RequestOptions & { readonly drive?: DriveId }) | undefined = call,
): Arguments<Name> {
  const drive = options?.drive;
  // The library splits input and options, and reads different members of each. Both types agree on whether
  // they may be absent, but the compiler cannot know that for an unknown operation name.
  return [call, drive === undefined ? options : withDrive(options, drive)] as unknown as Arguments<Name>;
}

function withDrive(options: RequestOptions | undefined, drive: number): RequestOptions {
  return { ...options, headers: { ...options?.headers, [DRIVE_HEADER]: String(drive) } };
}

/**
 * Sends a request to a URL that the service has provided. Returns the response, whatever its status.
 * @throws UnreachableError; `signal.reason`
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
  // The session ended on the server, for example because of another login, a new password or a block.
  if (response.status === 401) {
    const token = new Headers(init.headers).get('authorization')?.replace(/^Bearer /, '');
    endRefusedSession(token, (name) => response.headers.get(name));
  }
  // The operator has started to require a second factor. Its setup page opens immediately.
  if (response.headers.get('x-service-required') === 'second-factor') updateSecondFactorNeed(true);
  return response;
}
