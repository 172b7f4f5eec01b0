import { once } from 'node:events';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  fastify,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/failure.ts';
import type { Ids } from '../base/ids.ts';
import { DurationHistogram } from '../base/metrics/duration-histogram.ts';
import type { Metric } from '../base/metrics/metric.ts';
import type { ListenAddress } from '../base/network/listen-address.ts';
import { guardAccess, type Traffic } from './access.ts';
import type { ExplainRefusal, FindCaller } from './caller.ts';
import type { FindDriveRole } from './chosen-drive.ts';
import { allowOrigins } from './cors.ts';
import { answerFrameworkError, answerMalformedHttp, handleErrors } from './errors/error-handler.ts';
import { readForwardedIds } from './forwarded-ids.ts';
import { FloodLimiter } from './limits/flood-limiter.ts';
import { RequestConcurrency } from './limits/request-concurrency.ts';
import { limitSlowBodies } from './limits/slow-bodies.ts';
import { createMetricsServer, exposeMetrics } from './metrics/metrics.ts';
import { MetricsPage } from './metrics/metrics-page.ts';
import { SocketTraffic } from './metrics/socket-traffic.ts';
import { describeApi } from './openapi/openapi.ts';
import { MAX_BODY_BYTES, parseBodies } from './parsing/bodies.ts';
import { checkHost } from './parsing/host.ts';
import { checkTextOfUrls } from './parsing/request-text.ts';
import { useValidators } from './parsing/validators.ts';
import { onRequestEnd, type RequestEnd } from './request-end.ts';
import { rejectForeignCode, setSecurityHeaders } from './security-headers.ts';
import { useSerializers } from './serializers.ts';
import { onSlowRequest } from './slow-requests.ts';
import { isTrustedProxy, type TrustedProxies } from './trusted-proxies.ts';

/** Fastify with types derived from TypeBox schemas. Routes are registered on it. */
export type Server = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

interface ServerParts {
  readonly logger: FastifyBaseLogger;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly version: string;
  /** How many proxies a request passes through, or their addresses and networks. */
  readonly trustProxy: TrustedProxies;
  readonly corsOrigins: readonly string[];
  readonly rateLimits: boolean;
  /** Requests of one client address at the same time. */
  readonly maxRequestsPerAddress: number;
  /** How long a request may wait for its answer before it is logged as slow; 0 disables that. */
  readonly slowRequestMs: number;
  /** Whether the log line of each request contains the client's address. */
  readonly logsAddresses: boolean;
  /** The interval between checks for slow bodies; only tests set it. */
  readonly bodyTickMs?: number | undefined;
  readonly metrics: {
    readonly list: readonly Metric[];
    readonly histograms: readonly DurationHistogram[];
    readonly token: string | undefined;
    /** Where the metrics are served instead of on this server. */
    readonly address: ListenAddress | undefined;
  };
  /** Called with the name of a limit that has rejected a request. */
  readonly onLimited: (limit: string) => void;
  readonly findCaller: FindCaller;
  readonly findDriveRole: FindDriveRole;
  readonly explainRefusal: ExplainRefusal;
  readonly traffic: Traffic;
  /** Converts errors of other layers, such as an unreachable database, into a `Failure`. */
  readonly translateError: (error: unknown) => unknown;
}

/**
 * A socket without traffic is closed after this time. Long polls and event streams send something far more
 * often.
 */
const IDLE_SOCKET_MS = 120_000;
const HEADERS_MS = 30_000;
const HEADERS_CHECK_MS = 5_000;
const KEEP_ALIVE_MS = 75_000;

/**
 * Creates the HTTP server with everything that routes rely on: access, limits, validation, errors, metrics,
 * OpenAPI.
 */
export async function createServer(parts: ServerParts): Promise<Server> {
  const server = fastify({
    loggerInstance: parts.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger per request costs more than the lines it writes. The lines contain the request id instead.
    childLoggerFactory: (logger) => logger,
    requestIdHeader: false,
    genReqId: countRequests(parts.ids),
    trustProxy: isTrustedProxy(parts.trustProxy),
    bodyLimit: MAX_BODY_BYTES,
    connectionTimeout: IDLE_SOCKET_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // No limit for a whole request: an upload may take hours while bytes arrive
    // (`limits/slow-bodies.ts`).
    requestTimeout: 0,
    http: {
      headersTimeout: HEADERS_MS,
      // Node looks for expired requests only this often, every 30 s by default.
      connectionsCheckingInterval: HEADERS_CHECK_MS,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerMalformedHttp,
    routerOptions: { maxParamLength: 512 },
    // Otherwise Fastify loads its own compilers, although `useValidators` and `useSerializers` replace them.
    schemaController: { compilersFactory: { buildValidator: neverCalled, buildSerializer: neverCalled } },
  }).withTypeProvider<TypeBoxTypeProvider>();

  ignoreUnknownExpectations(server);
  const durations = new DurationHistogram(
    'holdall_http_request_duration_seconds',
    'Time from the first byte of a request to the last byte of its response.',
    ['method', 'route', 'status'],
  );
  onRequestEnd(server, (end) => {
    logRequest(end, parts.logsAddresses);
    durations.observe(end.seconds, end.method, end.route, String(end.status));
  });
  onSlowRequest(server, parts.slowRequestMs, logSlowRequest);
  setSecurityHeaders(server);
  readForwardedIds(server, parts.trustProxy);
  checkHost(server);
  answerWhileClosing(server);
  if (parts.corsOrigins.length > 0) await allowOrigins(server, parts.corsOrigins);
  limitSlowBodies(server, parts.bodyTickMs);
  guardAccess(server, {
    findCaller: parts.findCaller,
    findDriveRole: parts.findDriveRole,
    explainRefusal: parts.explainRefusal,
    floods: new FloodLimiter(parts.clock, parts.rateLimits, parts.onLimited),
    concurrency: new RequestConcurrency(
      parts.rateLimits ? parts.maxRequestsPerAddress : undefined,
      parts.onLimited,
    ),
    traffic: parts.traffic,
  });
  rejectForeignCode(server);
  checkTextOfUrls(server);
  useValidators(server);
  useSerializers(server);
  parseBodies(server);
  handleErrors(server, parts.translateError);
  describeApi(server, parts.version);
  mountMetrics(server, durations, parts.metrics);
  return server;
}

function mountMetrics(
  server: FastifyInstance,
  durations: DurationHistogram,
  { list, histograms, token, address }: ServerParts['metrics'],
): void {
  const traffic = new SocketTraffic(server.server);
  const page = new MetricsPage([...traffic.listMetrics(), ...list], [durations, ...histograms]);
  if (address === undefined) {
    exposeMetrics(server, page, token);
    return;
  }
  const own = createMetricsServer(page, token);
  server.addHook('onReady', async () => {
    own.listen(address);
    await once(own, 'listening');
  });
  server.addHook('onClose', async () => {
    own.closeAllConnections();
    own.close();
  });
}

function neverCalled(): never {
  throw new Error('The compilers of this server are set.');
}

/**
 * Generates request ids: a random prefix per start, and a counter. They are unique, and cheaper than a random
 * id per request.
 */
function countRequests(ids: Ids): () => string {
  const prefix = ids.token(48);
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

/**
 * Logs one line per request. It contains the route pattern, never the URL as it was sent: URLs contain share
 * tokens, signatures and, for event streams, the access token. Headers and bodies are never logged.
 */
function logRequest(
  { request, method, route, status, seconds, isAborted }: RequestEnd,
  logsAddresses: boolean,
): void {
  request.log.info(
    {
      requestId: request.id,
      ...request.forwardedIds,
      method,
      route,
      status,
      milliseconds: Math.round(seconds * 10_000) / 10,
      account: request.caller?.accountId,
      ...(logsAddresses && { address: request.ip }),
      ...(isAborted && { aborted: true }),
    },
    'request',
  );
}

function logSlowRequest(request: FastifyRequest, seconds: number): void {
  const { id: requestId, method, routeOptions, forwardedIds } = request;
  const route = routeOptions.url ?? 'none';
  request.log.warn(
    { requestId, ...forwardedIds, method, route, seconds: Math.round(seconds * 10) / 10 },
    'a request is slow',
  );
}

/**
 * Node answers an `Expect` other than `100-continue` with a bare 417. The header may be ignored instead (RFC
 * 9110, section 10.1.1), like everything else that the service does not know.
 */
function ignoreUnknownExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Bodies up to this size arrive before the connections are cut. */
const MAX_CLOSING_BODY_BYTES = 1_048_576;

/**
 * Answers requests that arrive while the server closes: a proxy may have sent one on an idle connection just
 * before. The connection ends with the answer. A longer upload is rejected, because it would be cut off.
 */
function answerWhileClosing(server: FastifyInstance): void {
  let closing = false;
  server.addHook('preClose', async () => {
    closing = true;
  });
  server.addHook('onRequest', ({ headers }, reply, done) => {
    if (!closing) return done();
    reply.header('connection', 'close');
    const length =
      headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
    if (length <= MAX_CLOSING_BODY_BYTES) done();
    else done(new Failure('unavailable', 'The service is shutting down.', { retryAfterSeconds: 10 }));
  });
}
