import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { type Duplex, finished, Readable } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../base/failure.ts';
import { setBearerChallenge } from '../caller.ts';
import type { ErrorEnvelope } from '../envelope.ts';
import { FIXED_HEADERS, setFixedHeaders } from '../security-headers.ts';
import { codeOf, codeOfStatus, type ErrorKind, familyOf, isDavUrl, statusOf } from './error-codes.ts';
import { OutageLog } from './outage-log.ts';
import { ProtocolError } from './protocol-error.ts';

const INTERNAL_ERROR = 'Something went wrong on our side. The request id leads to the cause in the log.';

/** Seconds for `Retry-After` if the failure has none. */
const RETRY_AFTER: Readonly<Partial<Record<ErrorKind, number>>> = { unavailable: 5, 'too-many': 1 };

/** Names the rejected member of the body, so that a form can show the error beside its field. */
const FIELD_HEADER = 'x-service-field';

/** Says why the login session of the sent token has ended. */
const SESSION_END_HEADER = 'x-service-session-end';

/** How long the rest of a rejected body is read and dropped, so that the client can receive the response. */
const DRAIN_MS = 3_000;

/** The page for people who open an address that does not exist. */
interface NotFoundPage {
  /** Whether a browser requests a page, as opposed to a program that requests data. */
  readonly matches: (request: FastifyRequest) => boolean;
  readonly send: (reply: FastifyReply) => Promise<FastifyReply>;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined while there is no web client. */
    notFoundPage: NotFoundPage | undefined;
  }
}

/**
 * Answers every error with the error envelope of the API family. For an address that does not exist, browsers
 * get `notFoundPage` instead, if it is set.
 */
export function handleErrors(server: FastifyInstance, translate: (error: unknown) => unknown): void {
  server.decorate('notFoundPage', undefined);
  server.setErrorHandler((error, request, reply) => answerError(translate(error), request, reply));
  server.setNotFoundHandler((request, reply) => {
    const page = server.notFoundPage;
    if (page?.matches(request)) return page.send(reply);
    return answerError(new Failure('not-found', 'There is nothing at this address.'), request, reply);
  });
}

/**
 * Fastify's `frameworkErrors`: errors before a route is found, such as a URL that cannot be decoded. The
 * error message contains the URL and any secrets in it, so the error is not logged as the cause.
 */
export function answerFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  // The hook that usually sets these headers has not run.
  setFixedHeaders(request, reply);
  const isInternal = (error.statusCode ?? 500) >= 500;
  const failure = new Failure('invalid', 'The address of the request cannot be understood.');
  answerError(isInternal ? error : failure, request, reply);
}

/**
 * Node's `clientError`: bytes that are not HTTP, or headers that do not arrive in time. The URL is unknown,
 * so the response uses the legacy format.
 */
export function answerMalformedHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const kind = isSlow ? 'too-slow' : 'invalid';
  const envelope: ErrorEnvelope = {
    code: codeOf(kind, 'legacy'),
    msg: isSlow ? 'The headers of the request arrive too slowly.' : 'The request is not valid HTTP.',
    data: null,
  };
  const text = JSON.stringify(envelope);
  const head = [
    `HTTP/1.1 ${statusOf(kind)} ${STATUS_CODES[statusOf(kind)]}`,
    ...Object.entries(FIXED_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof ProtocolError) {
    const { status, message } = error;
    sendError(request, reply, status, codeOfStatus(status, familyOf(request.url)), message);
    return;
  }
  const failure = logFailure(error, request, reply);
  const kind: ErrorKind = failure?.kind ?? 'internal';
  if (kind === 'unauthenticated') setBearerChallenge(reply);
  if (failure?.field !== undefined) reply.header(FIELD_HEADER, failure.field);
  if (failure?.sessionEnd !== undefined) reply.header(SESSION_END_HEADER, failure.sessionEnd);
  const code = codeOf(kind, familyOf(request.url));
  sendError(request, reply, statusOf(kind), code, failure?.message ?? INTERNAL_ERROR);
}

/**
 * Logs an error if it concerns the operator, and adds `Retry-After` if waiting helps. Returns the Failure
 * that the caller gets; undefined for a fault of the server.
 */
export function logFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Failure | undefined {
  const failure = error instanceof Failure ? error : toFailure(error);
  logCause(error, failure, request);
  const retryAfter = failure?.retryAfterSeconds ?? RETRY_AFTER[failure?.kind ?? 'internal'];
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  return failure;
}

function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  code: number,
  msg: string,
): void {
  // Headers that a route has set for a file do not apply to the envelope.
  for (const name of ['content-length', 'content-disposition', 'content-range', 'etag', 'last-modified']) {
    reply.removeHeader(name);
  }
  reply.code(status).header('cache-control', 'no-store');
  const envelope: ErrorEnvelope = { code, msg, data: null };
  // WebDAV clients do not know the envelope, and the error of an unknown WebDAV address needs no body.
  const hasEnvelope = !isDavUrl(request.url);
  if (hasEnvelope) reply.type('application/json; charset=utf-8');
  sendEarly(request, reply, hasEnvelope ? JSON.stringify(envelope) : '');
}

function logCause(
  error: unknown,
  failure: Failure | undefined,
  { id: requestId, log, server }: FastifyRequest,
): void {
  if (failure === undefined) log.error({ requestId, err: error }, 'request failed');
  // A full disk concerns the operator, like an unreachable store. It has a cause; other limits have none.
  else if (failure.kind === 'unavailable' || (failure.kind === 'over-limit' && failure.cause !== undefined)) {
    outageLogOf(server.server).warn(server.log, requestId, failure);
  }
  // Callers' mistakes are logged at debug level only, so that no one can fill the log with them.
  else if (failure.cause !== undefined) log.debug({ requestId, err: failure.cause }, failure.message);
}

/** One outage log for each server: tests run several servers in one process. */
const outageLogs = new WeakMap<object, OutageLog>();

function outageLogOf(server: object): OutageLog {
  const outageLog = outageLogs.get(server) ?? new OutageLog();
  outageLogs.set(server, outageLog);
  return outageLog;
}

/** Converts an error that Fastify raised because of the request; undefined for a fault of the server. */
function toFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { validation, validationContext, code, statusCode } = error as FastifyError;
  if (validation !== undefined)
    return new Failure('invalid', describeValidation(validation, validationContext));
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Failure('over-limit', 'The body is too large.');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Failure('invalid', 'The Content-Type of the body is not one that this address takes.');
  }
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY') return new Failure('invalid', 'The body is not valid JSON.');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Failure('invalid', 'The request cannot be understood.', { cause: error });
  }
  return undefined;
}

function describeValidation(
  [first]: NonNullable<FastifyError['validation']>,
  context: FastifyError['validationContext'],
): string {
  const place = first?.instancePath.slice(1).replaceAll('/', '.');
  const where = place ? `${place} ` : context === 'body' && first?.keyword === 'type' ? 'The body ' : '';
  const allowed = first?.params.allowedValues;
  const choices = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
  return `${where}${first?.message ?? 'is not valid'}${choices}.`;
}

/**
 * Sends the response of an error, perhaps before the request body was read. In that case the rest of the body
 * is read and dropped for a few seconds, and only then the response ends. The client does not have to wait,
 * because it knows the response's length.
 *
 * If the response ended first, Node would close the connection of a client that asked for `Connection:
 * close`. Closing with unread bytes resets the connection, often before the client has read the response. If
 * the body ends in time, the connection can be used for the next request.
 */
export function sendEarly(request: FastifyRequest, reply: FastifyReply, text: string): void {
  const { raw } = request;
  if (raw.complete || raw.destroyed) return void reply.send(text);
  const response = (async function* () {
    yield text;
    await discardBody(raw);
  })();
  reply.header('content-length', Buffer.byteLength(text)).send(Readable.from(response));
}

function discardBody(raw: IncomingMessage): Promise<void> {
  raw.unpipe();
  raw.resume();
  return new Promise((resolve) => {
    const timer = setTimeout(() => raw.socket.destroy(), DRAIN_MS);
    finished(raw, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
