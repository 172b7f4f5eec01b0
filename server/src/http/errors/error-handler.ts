import type { IncomingMessage } from 'node:http';
import { type Duplex, finished, Readable } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../base/failure.ts';
import { askForToken } from '../caller.ts';
import type { ErrorEnvelope } from '../envelope.ts';
import { FIXED_HEADERS } from '../security-headers.ts';
import { codeOf, codeOfStatus, type ErrorKind, familyOf, statusOf } from './error-codes.ts';
import { ProtocolRefusal } from './protocol-refusal.ts';

const OUR_FAULT = 'Something went wrong on our side. The request id leads to the cause in the log.';

/** Seconds to wait before trying again, where the failure does not say (contract, section 1, "Errors"). */
const RETRY_AFTER: Readonly<Partial<Record<ErrorKind, number>>> = { unavailable: 5, 'too-many': 1 };

/** How long the rest of a refused body is read and dropped, so that the client gets to see the answer. */
const DRAIN_MS = 3_000;

/** Answers every error in the envelope of the address's family (contract, section 1, "Errors"). */
export function handleErrors(server: FastifyInstance, translate: (error: unknown) => unknown): void {
  server.setErrorHandler((error, request, reply) => answerError(translate(error), request, reply));
  server.setNotFoundHandler((request, reply) => {
    answerError(new Failure('not-found', 'There is nothing at this address.'), request, reply);
  });
}

/**
 * Fastify's `frameworkErrors`: what fails before a route is found (an address that cannot be decoded). Its
 * message has the address in it, with whatever secrets that carries, so it is no cause for the log.
 */
export function answerFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const isOurFault = (error.statusCode ?? 500) >= 500;
  const failure = new Failure('invalid', 'The address of the request cannot be understood.');
  answerError(isOurFault ? error : failure, request, reply);
}

/**
 * Node's `clientError`: what is not even HTTP. Its address is not known, so the answer is the legacy
 * family's.
 */
export function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const envelope: ErrorEnvelope = {
    code: codeOf('invalid', 'legacy'),
    msg: 'The request is not valid HTTP.',
    data: null,
  };
  const text = JSON.stringify(envelope);
  const head = [
    `HTTP/1.1 ${statusOf('invalid')} Bad Request`,
    ...Object.entries(FIXED_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof ProtocolRefusal) {
    const { status, message } = error;
    refuse(request, reply, status, codeOfStatus(status, familyOf(request.url)), message);
    return;
  }
  const failure = error instanceof Failure ? error : toFailure(error);
  const kind: ErrorKind = failure?.kind ?? 'internal';
  logCause(error, failure, request);
  const retryAfter = failure?.retryAfterSeconds ?? RETRY_AFTER[kind];
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  if (kind === 'unauthenticated') askForToken(reply);
  const code = codeOf(kind, familyOf(request.url));
  refuse(request, reply, statusOf(kind), code, failure?.message ?? OUR_FAULT);
}

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  code: number,
  msg: string,
): void {
  // Headers meant for a file would lie about the envelope.
  for (const name of ['content-length', 'content-disposition', 'content-range', 'etag', 'last-modified']) {
    reply.removeHeader(name);
  }
  reply.code(status).header('cache-control', 'no-store').type('application/json; charset=utf-8');
  send(request, reply, { code, msg, data: null });
}

function logCause(
  error: unknown,
  failure: Failure | undefined,
  { id: requestId, log }: FastifyRequest,
): void {
  if (failure === undefined) log.error({ requestId, err: error }, 'a request failed');
  else if (failure.kind === 'unavailable') {
    log.warn({ requestId, err: failure.cause ?? failure }, failure.message);
  }
  // What callers do wrong they are told; a log that anybody can fill helps nobody.
  else if (failure.cause !== undefined) log.debug({ requestId, err: failure.cause }, failure.message);
}

/** What Fastify refuses by itself, in our words; undefined for what is our own fault. */
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
 * Sends the answer, which may come before the body is read. The rest is then read and dropped for a few
 * seconds, and the answer ends only after it (its length is known, so the client does not wait): Node closes
 * a connection of which the client asked that, as soon as the answer ends, and closing with bytes unread
 * resets it, often before the client has read why. A body that ends in time leaves the connection good for
 * the next request.
 */
function send(request: FastifyRequest, reply: FastifyReply, envelope: ErrorEnvelope): void {
  const { raw } = request;
  if (raw.complete || raw.destroyed) return void reply.send(envelope);
  const text = JSON.stringify(envelope);
  const answer = (async function* () {
    yield text;
    await dropBody(raw);
  })();
  reply.header('content-length', Buffer.byteLength(text)).send(Readable.from(answer));
}

function dropBody(raw: IncomingMessage): Promise<void> {
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
