import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SECOND } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';

/*
 * A client that sends its body byte by byte could hold a connection, memory and perhaps a lock for as long as
 * it likes. So a body without file content must arrive within 30 s. File content must arrive at 1 KiB/s or
 * more, averaged over a minute, from the second minute on.
 *
 * Time is counted in ticks, one per second, and only while the service waits for the client. So a slow disk,
 * a busy event loop or a suspended machine never counts against a client.
 */

const MAX_WAIT_TICKS = 30;
const WINDOW_TICKS = 60;
const MIN_WINDOW_BYTES = WINDOW_TICKS * 1_024;
/** How long the reader of an interrupted body may take to finish before the connection is closed. */
const RESPONSE_TICKS = 30;

declare module 'fastify' {
  interface FastifyRequest {
    /** The body, if the request has one. */
    arrivingBody: ArrivingBody | undefined;
  }
}

/**
 * Interrupts bodies that arrive too slowly. Their readers get a Failure `too-slow`, which is answered with
 * 408.
 */
export function limitSlowBodies(server: FastifyInstance, tickMs: number = SECOND): void {
  const bodies = new SlowBodies();
  server.decorateRequest('arrivingBody', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request.raw)) request.arrivingBody = bodies.watch(request.raw, reply.raw);
    done();
  });
  server.addHook('onResponse', (request, _reply, done) => {
    // The next tick would find it as well. This saves memory: all small requests of a second would be kept
    // until then.
    if (request.arrivingBody !== undefined && request.raw.complete) bodies.unwatch(request.arrivingBody);
    done();
  });
  const timer = setInterval(() => bodies.tick(), tickMs).unref();
  server.addHook('onClose', async () => clearInterval(timer));
}

/** Must be called before file content is read, because file content may take longer than other bodies. */
export function expectFileContent(request: FastifyRequest): void {
  request.arrivingBody?.expectFileContent();
}

/** RFC 9112, section 6: a request has a body if one of these headers is present. */
function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

export class SlowBodies {
  readonly #bodies = new Set<ArrivingBody>();

  watch(request: IncomingMessage, response: ServerResponse): ArrivingBody {
    const body = new ArrivingBody(request, response);
    this.#bodies.add(body);
    return body;
  }

  unwatch(body: ArrivingBody): void {
    this.#bodies.delete(body);
  }

  /** Must be called once a second. */
  tick(): void {
    for (const body of this.#bodies) {
      if (body.hasEnded) this.#bodies.delete(body);
      else body.tick();
    }
  }
}

/** A body that has not arrived completely. */
class ArrivingBody {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #waitTicks = 0;
  /** Bytes received at each tick of the last minute, oldest first. Undefined for bodies without a file. */
  #receivedBytes: number[] | undefined;
  #ticksSinceInterruption: number | undefined;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
  }

  get hasEnded(): boolean {
    return this.#request.complete || this.#request.socket.destroyed;
  }

  expectFileContent(): void {
    // The connection counts all of its bytes, but only differences are used. No other request can arrive on
    // the connection before the body has ended.
    this.#receivedBytes ??= [this.#request.socket.bytesRead];
  }

  tick(): void {
    if (this.#ticksSinceInterruption !== undefined) {
      this.#ticksSinceInterruption += 1;
      if (this.#ticksSinceInterruption > RESPONSE_TICKS) this.#request.socket.destroy();
    } else if (this.#isWaitedFor() && this.#isTooSlow()) {
      this.#interrupt();
    }
  }

  /** Whether the service has read everything that has arrived, and so waits for the client. */
  #isWaitedFor(): boolean {
    return this.#request.readableLength === 0 && this.#request.readableFlowing !== false;
  }

  #isTooSlow(): boolean {
    const received = this.#receivedBytes;
    if (received === undefined) {
      this.#waitTicks += 1;
      return this.#waitTicks >= MAX_WAIT_TICKS;
    }
    const { bytesRead } = this.#request.socket;
    received.push(bytesRead);
    if (received.length <= WINDOW_TICKS) return false;
    return bytesRead - (received.shift() ?? 0) < MIN_WINDOW_BYTES;
  }

  /**
   * Makes reading the body fail. Destroying the request would do that as well, but it would close the
   * connection before the response is sent.
   */
  #interrupt(): void {
    this.#ticksSinceInterruption = 0;
    if (this.#response.headersSent) return void this.#request.socket.destroy();
    this.#response.setHeader('connection', 'close');
    // An error without a listener would end the process, and there is none before the body is read.
    this.#request.on('error', () => {});
    this.#request.emit('error', tooSlow(this.#receivedBytes !== undefined));
  }
}

function tooSlow(isFile: boolean): Failure {
  const what = isFile ? 'The file' : 'The body of the request';
  return new Failure('too-slow', `${what} arrives too slowly.`);
}
