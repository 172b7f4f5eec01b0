import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chunksOf, inPieces } from '../base/bytes/byte-streams.ts';
import { Failure, type FailureKind } from '../base/failure.ts';
import type { Drive } from '../drive/drive.ts';
import { actorOf } from '../http/chosen-drive.ts';
import { downloadClientOf } from '../http/download/download-client.ts';
import { senderOf } from '../http/download/file-sender.ts';
import { logFailure, sendEarly } from '../http/errors/error-handler.ts';
import { leaveBodiesRaw, readRawBody } from '../http/parsing/bodies.ts';
import type { Server } from '../http/server.ts';
import { type Dav, READ_METHODS, WRITE_METHODS } from './dav.ts';
import { DavError } from './dav-error.ts';
import { directoryPage } from './methods/directory-page.ts';
import { DAV_ROOT, readTarget, toHref } from './protocol/href.ts';
import type { DavAnswer, DavRequest } from './protocol/messages.ts';
import { errorBody, messageBody } from './xml/multistatus.ts';
import { MAX_XML_BYTES } from './xml/read-xml.ts';

const ALLOW = [...READ_METHODS, ...WRITE_METHODS].join(', ');

/** Sent with every answer (RFC 4918, section 10.1). */
const CLASSES = { dav: '1, 2, 3' };
/** Windows looks for `MS-Author-Via` in the answer to OPTIONS. */
const OPTIONS_HEADERS = { ...CLASSES, allow: ALLOW, 'ms-author-via': 'DAV' };

const XML_TYPE = 'application/xml; charset=utf-8';

/** RFC 7617, section 2.1. */
const CHALLENGE = 'Basic realm="Holdall", charset="UTF-8"';
const ASK_FOR_APP_PASSWORD =
  'Log in with your account name and an app password. You can create an app password in your profile; ' +
  'the password of your account is not accepted here.';

interface DavSettings {
  readonly dav: Dav;
  readonly drive: Drive;
  /** The address that people use, if it is known. */
  readonly publicUrl: string | undefined;
  /** The location at which a front proxy serves the objects, if there is such a proxy. */
  readonly accelRedirect: string | undefined;
  /** Converts errors of other layers into a `Failure`. */
  readonly translateError: (error: unknown) => unknown;
}

/**
 * Mounts the drive as a WebDAV server at `/dav/` (RFC 4918). Its errors do not use the API's JSON envelope.
 */
export function davRoutes(server: Server, settings: DavSettings): void {
  for (const method of [...READ_METHODS, ...WRITE_METHODS]) {
    if (!server.supportedMethods.includes(method)) server.addHttpMethod(method);
  }
  rootRoutes(server);
  server.register(async (scope: Server) => {
    leaveBodiesRaw(scope);
    scope.addHook('onRequest', async (_request, reply) => void reply.headers(CLASSES));
    scope.setErrorHandler((error, request, reply) =>
      sendError(settings.translateError(error), request, reply),
    );
    const config = { access: 'login', takesBasic: true } as const;
    for (const url of ['/dav', '/dav/*']) {
      scope.route({
        method: [...READ_METHODS],
        url,
        config: { ...config, appPassword: 'read' },
        schema: { hide: true },
        handler: (request, reply) => read(settings, request, reply),
      });
      scope.route({
        method: [...WRITE_METHODS],
        url,
        config: { ...config, appPassword: 'write' },
        schema: { hide: true },
        handler: async (request, reply) =>
          send(reply, await settings.dav.answer(toRequest(settings, request))),
      });
      scope.route({
        method: ['POST', 'PATCH'],
        url,
        config: { ...config, appPassword: 'read' },
        schema: { hide: true },
        handler: async (_request, reply) => {
          reply.header('allow', ALLOW);
          throw new DavError(405, 'This method is not supported here.');
        },
      });
    }
  });
}

/** Windows asks a server's root about WebDAV before it tries the address that the user entered. */
function rootRoutes(server: Server): void {
  const config = { access: 'public', appPassword: 'read' } as const;
  server.route({
    method: 'OPTIONS',
    url: '/',
    config,
    schema: { hide: true },
    handler: (_request, reply) => reply.headers(OPTIONS_HEADERS).send(),
  });
  server.route({
    method: 'PROPFIND',
    url: '/',
    config,
    schema: { hide: true },
    handler: (_request, reply) => reply.headers(CLASSES).code(301).header('location', DAV_ROOT).send(),
  });
}

async function read(
  settings: DavSettings,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (request.method === 'OPTIONS') return reply.headers(OPTIONS_HEADERS).send();
  const davRequest = toRequest(settings, request);
  if (request.method === 'PROPFIND') return send(reply, await settings.dav.answer(davRequest));
  const entry = await settings.dav.find(davRequest);
  if (entry.isDirectory)
    return reply
      .type('text/html; charset=utf-8')
      .send(directoryPage(entry.name, mountAddressOf(settings, request, davRequest)));
  const download = await settings.drive.downloads.open(
    entry.driveId,
    entry.id,
    downloadClientOf(request, reply),
  );
  if (download.kind === 'zip') throw new DavError(404, 'The file has just been replaced.');
  return await senderOf(settings.accelRedirect)(request, reply, download.file);
}

/** The full URL of a directory, with the public host if it is known. */
function mountAddressOf({ publicUrl }: DavSettings, request: FastifyRequest, { path }: DavRequest): URL {
  const asked = `${request.protocol}://${request.host}`;
  return new URL(toHref(path, true), publicUrl ?? (URL.canParse(asked) ? asked : 'https://localhost'));
}

function toRequest({ publicUrl }: DavSettings, request: FastifyRequest): DavRequest {
  const hosts = [request.host, ...(publicUrl === undefined ? [] : [new URL(publicUrl).host])];
  return {
    ...readTarget(request.url),
    method: request.method,
    headers: request.headers,
    actor: actorOf(request),
    hosts,
    hasBody: request.arrivingBody !== undefined,
    content: () => readRawBody(request),
    readXml: () => readXml(request),
  };
}

/** @throws DavError 413; Failure `invalid` when the connection breaks; `too-slow` */
async function readXml(request: FastifyRequest): Promise<Uint8Array> {
  if (request.arrivingBody === undefined) return new Uint8Array();
  if (Number(request.headers['content-length'] ?? 0) > MAX_XML_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of chunksOf(request.raw)) {
      bytes += chunk.byteLength;
      if (bytes > MAX_XML_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Failure || error instanceof DavError) throw error;
    throw new Failure('invalid', 'The request was interrupted.', { cause: error });
  }
  return Buffer.concat(chunks);
}

function tooLarge(): DavError {
  return new DavError(413, `The XML has more than ${MAX_XML_BYTES} bytes.`);
}

function send(reply: FastifyReply, { status, headers = {}, body }: DavAnswer): FastifyReply {
  reply.code(status).headers(headers);
  if (body === undefined) return reply.send();
  reply.type(XML_TYPE);
  if (typeof body === 'string') return reply.send(body);
  const stream = Readable.from(inPieces(body));
  const { id: requestId, log } = reply.request;
  stream.once('error', (error) => log.warn({ requestId, err: error }, 'an answer was interrupted'));
  return reply.send(stream);
}

/** Sends a `DAV:error` element if RFC 4918 defines a condition, otherwise only the status. */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  for (const name of ['content-length', 'content-disposition', 'content-range', 'etag', 'last-modified']) {
    reply.removeHeader(name);
  }
  reply.headers(CLASSES).header('cache-control', 'no-store');
  const { status, body } =
    error instanceof DavError ? describe(error) : describeFailure(error, request, reply);
  if (status === 401) reply.header('www-authenticate', CHALLENGE);
  if (body !== '') reply.type(XML_TYPE);
  sendEarly(request, reply.code(status), body);
}

function describe({ status, condition }: DavError) {
  return { status, body: condition === undefined ? '' : errorBody(condition) };
}

function describeFailure(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const failure = logFailure(error, request, reply);
  const status = failure === undefined ? 500 : FAILURE_STATUS[failure.kind];
  return { status, body: status === 401 ? messageBody(ASK_FOR_APP_PASSWORD) : '' };
}

/** The status of each kind of failure in WebDAV. Clients only look at the status (RFC 4918, section 11). */
const FAILURE_STATUS: Readonly<Record<FailureKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  precondition: 412,
  rejected: 403,
  expired: 410,
  // RFC 4918, section 11.5: there is no space left. For a file that is too large in itself, PUT returns 413.
  'over-limit': 507,
  'too-many': 429,
  unsupported: 415,
  'too-slow': 408,
  unavailable: 503,
};
