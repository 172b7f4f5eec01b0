import { HoldallError, ProtocolError, TimeoutError, UnreachableError } from '../errors/errors.ts';
import { parseEnvelope, readError } from '../errors/read-error.ts';
import type { Credentials } from './credentials.ts';
import type { Arguments, DataOf, DataOperation, OperationName, RequestOptions } from './operation-types.ts';
import { type AnyInput, splitName, toBody, toUrl } from './outgoing.ts';
import { backoffMs, wait } from './waiting.ts';

export interface RequesterSettings {
  /** The address of the service. */
  readonly url: URL;
  readonly credentials: Credentials;
  /** Sends the requests, as the global `fetch` does. */
  readonly fetch: typeof fetch;
  /** Milliseconds for one attempt. */
  readonly timeoutMs: number;
  /** How many times a failed attempt is repeated. */
  readonly retries: number;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
}

type ReadAnswer<T> = (response: Response) => Promise<T>;

/** If the service asks to wait longer than this, the call is not repeated and the error is thrown. */
const MAX_WAIT_SECONDS = 30;

/** Sends requests: adds the login, limits the time, repeats failed attempts and converts errors. */
export class Requester {
  readonly settings: RequesterSettings;

  constructor(settings: RequesterSettings) {
    this.settings = settings;
  }

  /** A requester with some settings changed. */
  with(changed: Partial<RequesterSettings>): Requester {
    return new Requester({ ...this.settings, ...changed });
  }

  /**
   * Calls an operation and returns the `data` of its response.
   * @throws HoldallError; the reason of the signal
   */
  ask<Name extends DataOperation>(
    operation: Name,
    ...[input, options]: Arguments<Name>
  ): Promise<DataOf<Name>> {
    const { method, path } = splitName(operation);
    return this.#send(method, path, input ?? {}, options ?? {}, async (response) => {
      const envelope = parseEnvelope(await response.text());
      if (envelope?.code !== 0) {
        const { status } = response;
        throw new ProtocolError(`${operation} is no call of Holdall at this address.`, { status });
      }
      // The response follows the schema of the operation, from which the type was generated.
      return envelope.data as DataOf<Name>;
    });
  }

  /**
   * Calls an operation and returns the response, whose body is not read yet.
   * @throws HoldallError for a status above 399; the reason of the signal
   */
  open<Name extends OperationName>(operation: Name, ...[input, options]: Arguments<Name>): Promise<Response> {
    const { method, path } = splitName(operation);
    return this.#send(method, path, input ?? {}, options ?? {}, async (response) => response);
  }

  /** Like `open`, but sends HEAD for an operation named with GET. */
  head<Name extends OperationName>(operation: Name, ...[input, options]: Arguments<Name>): Promise<Response> {
    const { path } = splitName(operation);
    return this.#send('HEAD', path, input ?? {}, options ?? {}, async (response) => response);
  }

  async #send<T>(
    method: string,
    path: string,
    input: AnyInput,
    options: RequestOptions,
    read: ReadAnswer<T>,
  ): Promise<T> {
    const { retries = this.settings.retries, signal } = options;
    const outgoing = { method, path, input, options };
    let hasRenewed = false;
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      const authorization = await this.settings.credentials.authorize(signal);
      try {
        return await this.#attempt(outgoing, authorization, read);
      } catch (error) {
        if (!(error instanceof HoldallError) || !toBody(input.body).isRepeatable) throw error;
        const mayRenew = error.status === 401 && authorization !== undefined && !hasRenewed;
        if (mayRenew && (await this.settings.credentials.renew(authorization, signal))) {
          hasRenewed = true;
          attempt -= 1;
          continue;
        }
        if (attempt > retries || !mayRepeat(method, error)) throw error;
        await wait(backoffMs(attempt, error.retryAfterSeconds), signal);
      }
    }
  }

  async #attempt<T>(
    { method, path, input, options }: Outgoing,
    authorization: string | undefined,
    read: ReadAnswer<T>,
  ): Promise<T> {
    const { url: base, headers, timeoutMs, fetch } = this.settings;
    const { body, type, isRepeatable } = toBody(input.body);
    const limit = new TimeLimit(options.timeoutMs ?? timeoutMs, options.signal, `${method} ${path}`);
    const request: RequestInit & Pick<RequestOptions, 'priority'> & { duplex?: 'half' } = {
      method,
      signal: limit.signal,
      headers: {
        ...headers,
        ...(authorization === undefined ? {} : { authorization }),
        ...(type === undefined ? {} : { 'content-type': type }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(isRepeatable ? {} : { duplex: 'half' }),
      ...(options.priority === undefined ? {} : { priority: options.priority }),
      ...(options.keepalive === true ? { keepalive: true } : {}),
    };
    try {
      const response = await fetch(toUrl(base, path, input), request);
      if (response.status >= 400) throw await readError(response, method);
      return await read(response);
    } catch (error) {
      if (error instanceof HoldallError) throw error;
      throw limit.signal.aborted ? limit.signal.reason : new UnreachableError(error);
    } finally {
      limit.end();
    }
  }
}

interface Outgoing {
  readonly method: string;
  readonly path: string;
  readonly input: AnyInput;
  readonly options: RequestOptions;
}

/**
 * Whether the request may be sent a second time. After 429, the service has done nothing. After any other
 * error, it may have acted, which matters only for requests that change something.
 */
function mayRepeat(method: string, { kind, isPassing, retryAfterSeconds = 0 }: HoldallError): boolean {
  if (retryAfterSeconds > MAX_WAIT_SECONDS) return false;
  return kind === 'too-many' || (isPassing && ['GET', 'HEAD', 'OPTIONS'].includes(method));
}

/** A time limit for one attempt, combined with the signal of the caller. */
class TimeLimit {
  /** Aborted by the caller, or with a `TimeoutError` when the time is up. */
  readonly signal: AbortSignal;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param timeoutMs milliseconds; 0 is no limit */
  constructor(timeoutMs: number, signal: AbortSignal | undefined, what: string) {
    const controller = new AbortController();
    const signals = signal === undefined ? [controller.signal] : [signal, controller.signal];
    this.signal = AbortSignal.any(signals);
    if (timeoutMs > 0) {
      const end = () => controller.abort(new TimeoutError(`${what} took more than ${timeoutMs / 1_000} s.`));
      this.#timer = setTimeout(end, timeoutMs);
    }
  }

  /** Ends the limit. The signal of the caller still counts. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
