import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chunksOf, inPieces } from '../base/bytes/byte-streams.ts';
import { checkRole, noDrive } from '../base/domain/drives.ts';
import { Failure, type FailureKind } from '../base/failure.ts';
import type { Drive } from '../drive/drive.ts';
import { callerOf } from '../http/caller.ts';
import { actorOf } from '../http/chosen-drive.ts';
import { downloadClientOf } from '../http/download/download-client.ts';
import { senderOf } from '../http/download/file-sender.ts';
import { logFailure, sendEarly } from '../http/errors/error-handler.ts';
import { leaveBodiesRaw, readRawBody } from '../http/parsing/bodies.ts';
import type { Server } from '../http/server.ts';
import { type Dav, READ_METHODS, WRITE_METHODS } from './dav.ts';
import { DavError } from './dav-error.ts';
import { directoryPage } from './methods/directory-page.ts';
import {
  DAV_ROOT,
  type EntryTarget,
  isSharedRoot,
  readTarget,
  SHARED_DRIVES,
  toHref,
} from './protocol/href.ts';
import type { DavAnswer, DavRequest } from './protocol/messages.ts';
import { LIST_NAME } from './shared-drives/drive-list.ts';
import { fixed, type SharedDrives } from './shared-drives/shared-drives.ts';
import { errorBody, messageBody } from './xml/multistatus.ts';
import { MAX_XML_BYTES } from './xml/read-xml.ts';

const ALLOW_READING = READ_METHODS.join(', ');
/** A VIEWER may also copy to another drive. */
const ALLOW_VIEWER = `${ALLOW_READING}, COPY`;
const ALLOW = [...READ_METHODS, ...WRITE_METHODS].join(', ');

const CHANGES: ReadonlySet<string> = new Set(WRITE_METHODS);
/** Methods that create what is not there. */
const CREATIONS: ReadonlySet<string> = new Set(['PUT', 'MKCOL', 'LOCK']);

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
 * Mounts the personal drive as a WebDAV server at `/dav/` (RFC 4918), and the shared drives below `/drives/`.
 * Errors do not use the API's JSON envelope.
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
    scope.addHook('onRequest', (request) => chooseSharedDrive(settings.dav.sharedDrives, request));
    const config = { access: 'login', takesBasic: true } as const;
    for (const url of ['/dav', '/dav/*', '/drives', '/drives/*']) {
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
          send(reply, await settings.dav.answer(toRequest(settings, request, targetOf(request)))),
      });
      scope.route({
        method: ['POST', 'PATCH'],
        url,
        config: { ...config, appPassword: 'read' },
        schema: { hide: true },
        handler: async (request, reply) => {
          reply.header('allow', allowOf(request));
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
  if (request.method === 'OPTIONS')
    return reply.headers({ ...OPTIONS_HEADERS, allow: allowOf(request) }).send();
  const target = readTarget(request.url);
  if (target === 'drives') return await readDriveList(settings, request, reply);
  const davRequest = toRequest(settings, request, target);
  if (request.method === 'PROPFIND') return send(reply, await settings.dav.answer(davRequest));
  const entry = await settings.dav.find(davRequest);
  if (entry.isDirectory) {
    const name = entry.parentId === null ? (target.driveName ?? '') : entry.name;
    return sendDirectoryPage(settings, request, reply, {
      name,
      href: toHref(target.root, target.path, true),
    });
  }
  const download = await settings.drive.downloads.open(
    entry.driveId,
    entry.id,
    downloadClientOf(request, reply),
  );
  if (download.kind === 'zip') throw new DavError(404, 'The file has just been replaced.');
  return await senderOf(settings.accelRedirect)(request, reply, download.file);
}

/** GET, HEAD or PROPFIND of the list of shared drives. */
async function readDriveList(
  settings: DavSettings,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (request.method !== 'PROPFIND')
    return sendDirectoryPage(settings, request, reply, { name: LIST_NAME, href: SHARED_DRIVES });
  const { headers } = request;
  const { accountId } = callerOf(request);
  return send(reply, await settings.dav.listDrives({ headers, accountId, readXml: () => readXml(request) }));
}

/** Sends the page with the full URL of a directory, which has the public host if it is known. */
function sendDirectoryPage(
  { publicUrl }: DavSettings,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, href }: { readonly name: string; readonly href: string },
): FastifyReply {
  const asked = `${request.protocol}://${request.host}`;
  const address = new URL(href, publicUrl ?? (URL.canParse(asked) ? asked : 'https://localhost'));
  return reply.type('text/html; charset=utf-8').send(directoryPage(name, address));
}

/**
 * Finds the shared drive in the address, like `findChosenDrive` for the API. The list of shared drives and
 * their roots cannot be changed.
 * @throws Failure `not-found` if the caller has no such drive; `forbidden`; `invalid`; DavError 403
 */
async function chooseSharedDrive(sharedDrives: SharedDrives, request: FastifyRequest): Promise<void> {
  const target = readTarget(request.url);
  const { method } = request;
  const isChange = CHANGES.has(method);
  if (target === 'drives') {
    if (isChange) throw fixed();
    return;
  }
  if (target.driveName === undefined) return;
  const isRoot = isSharedRoot(target);
  const drive = await sharedDrives.find(callerOf(request).accountId, target.driveName);
  if (drive === undefined) {
    throw isRoot && CREATIONS.has(method) ? fixed() : noDrive();
  }
  // A COPY only reads here if its destination is in another drive. Otherwise, the drive's lock checks the role.
  checkRole(drive.role, isChange && method !== 'COPY' ? 'EDITOR' : 'VIEWER');
  if (isRoot && isChange) throw fixed();
  request.chosenDrive = drive;
}

/** The methods that the caller may use at an address. Below `/drives/`, that depends on the caller's role. */
function allowOf(request: FastifyRequest): string {
  if (readTarget(request.url) === 'drives') return ALLOW_READING;
  return request.chosenDrive?.role === 'VIEWER' ? ALLOW_VIEWER : ALLOW;
}

/** The address of a request that changes something. @throws DavError 403 for the list of shared drives */
function targetOf(request: FastifyRequest): EntryTarget {
  const target = readTarget(request.url);
  if (target === 'drives') throw fixed();
  return target;
}

function toRequest({ publicUrl }: DavSettings, request: FastifyRequest, target: EntryTarget): DavRequest {
  const hosts = [request.host, ...(publicUrl === undefined ? [] : [new URL(publicUrl).host])];
  return {
    ...target,
    method: request.method,
    headers: request.headers,
    actor: actorOf(request),
    personalDriveId: callerOf(request).driveId,
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
