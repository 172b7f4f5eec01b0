import { ApiError } from './api-error.ts';
import { accessToken, endRefusedSession, updateSecondFactorNeed } from './session.ts';

type Scalar = string | number | boolean;

export interface AskOptions {
  readonly query?: Readonly<Record<string, Scalar | undefined>>;
  /** Sent as JSON, unless it is a form or a blob. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Compared with other requests of the page. */
  readonly priority?: RequestPriority;
  /** It is sent although the page is left. */
  readonly outlivesPage?: boolean;
}

type Method = 'OPTIONS' | 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Sends a request as the logged-in user and returns the `data` of the response.
 * @throws ApiError
 */
export async function ask<T>(method: Method, path: string, options: AskOptions = {}): Promise<T> {
  return (await askWithHeaders<T>(method, path, options)).data;
}

/** The same, with the headers of the response. @throws ApiError */
export async function askWithHeaders<T>(
  method: Method,
  path: string,
  options: AskOptions = {},
): Promise<{ readonly data: T; readonly headers: Headers }> {
  const response = await fetchAnswer(method, path, options);
  const envelope: unknown = await response.json().catch(() => undefined);
  if (!isEnvelope(envelope)) throw new ApiError(response.status, `HTTP ${response.status}`);
  if (envelope.code !== 0) {
    const retryAfter = Number(response.headers.get('retry-after')) || undefined;
    const required = requiredBy(response);
    const field = response.headers.get('x-service-field') ?? undefined;
    throw new ApiError(response.status, envelope.msg, { retryAfter, data: envelope.data, required, field });
  }
  // The response matches the schema of the endpoint; the caller names the type of that schema.
  return { data: envelope.data as T, headers: response.headers };
}

/** Returns the raw response. @throws ApiError with status 0 if there is none */
export async function fetchAnswer(method: Method, path: string, options: AskOptions = {}): Promise<Response> {
  const token = await accessToken();
  const response = await send(method, path, options, token);
  // The session ended on the server: by another login, a new password or a ban.
  if (response.status === 401) endRefusedSession(token, (name) => response.headers.get(name));
  // The operator requires one since the page was opened. The page that sets it up opens at once.
  if (requiredBy(response) === 'second-factor') updateSecondFactorNeed(true);
  return response;
}

function requiredBy(response: Response): string | undefined {
  return response.headers.get('x-service-required') ?? undefined;
}

async function send(
  method: Method,
  path: string,
  { query, body, headers, signal, priority, outlivesPage }: AskOptions,
  token: string | undefined,
): Promise<Response> {
  const isRaw = body instanceof FormData || body instanceof Blob;
  try {
    return await fetch(path + toQuery(query), {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      ...(priority === undefined ? {} : { priority }),
      ...(outlivesPage === true ? { keepalive: true } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'The service cannot be reached.', { cause: error });
  }
}

function toQuery(query: AskOptions['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}

function isEnvelope(value: unknown): value is { code: number; msg: string; data: unknown } {
  return typeof value === 'object' && value !== null && 'code' in value && 'msg' in value;
}
