import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { FaultInjector, type FaultKind, listKinds } from './fault-injector.ts';
import type { FaultScope } from './fault-scope.ts';
import { replaceMethod } from './replace-method.ts';

const WAYS = ['500', '503 SlowDown', 'timeout', 'reset', 'reset in the answer'] as const;
type Way = (typeof WAYS)[number];

interface StoreFault {
  readonly way: Way;
  /**
   * Whether every attempt of the call fails. Otherwise only the first attempt fails, and the SDK's second one
   * succeeds.
   */
  readonly isLasting: boolean;
}

const STORE_FAULTS: Readonly<Record<string, StoreFault>> = Object.fromEntries(
  WAYS.flatMap((way) => [
    [`${way} once`, { way, isLasting: false }],
    [`${way} each time`, { way, isLasting: true }],
  ]),
);

/** Tells the proxy what to do with the call. The proxy removes it, and no signature covers it. */
const FAULT_HEADER = 'x-injected-fault';

const TIMEOUT_MS = 400;

type HandleParameters = Parameters<NodeHttpHandler['handle']>;

/** Numbers the calls of the SDK and marks the one that fails. Returns the kinds of faults. */
export function injectStoreFaults(scope: FaultScope): readonly FaultKind[] {
  const injector = new FaultInjector<StoreFault>(scope);
  const { handle } = NodeHttpHandler.prototype;
  let failing: FailingCall | undefined;
  const seen = new Set<string>();
  const replacement = function (this: NodeHttpHandler, ...[request, options]: HandleParameters) {
    // The attempts of one call have the same id.
    const id = request.headers['amz-sdk-invocation-id'] ?? '';
    let fault: StoreFault | undefined;
    if (!seen.has(id)) {
      seen.add(id);
      fault = injector.next();
      failing = fault && { id, fault, method: request.method, attempts: 1 };
    } else if (failing?.id === id) {
      failing.attempts += 1;
      if (failing.fault.isLasting) fault = failing.fault;
    }
    if (fault === undefined) return handle.call(this, request, options);
    request.headers[FAULT_HEADER] = fault.way;
    return handle.call(this, request, {
      ...options,
      ...(fault.way === 'timeout' ? { requestTimeout: TIMEOUT_MS } : {}),
    });
  };
  replaceMethod(NodeHttpHandler.prototype, 'handle', replacement);
  const isOvercome = ({ way, isLasting }: StoreFault) => {
    if (isLasting || failing === undefined) return false;
    // The SDK does not retry a download whose headers have arrived.
    if (way === 'reset in the answer' && failing.method === 'GET') return false;
    // After many failures, as in the long form, the SDK stops retrying for a while.
    return failing.attempts > 1;
  };
  return listKinds(injector, STORE_FAULTS, [503], isOvercome);
}

/** The SDK call that fails now or was the last to fail. */
interface FailingCall {
  readonly id: string;
  readonly fault: StoreFault;
  readonly method: string;
  attempts: number;
}

/** A proxy to the object store that does with a marked call what the mark says. */
export class FaultyStoreProxy {
  readonly #store: URL;
  readonly #sockets = new Set<Socket>();
  readonly #server: http.Server;

  private constructor(storeUrl: string) {
    this.#store = new URL(storeUrl);
    this.#server = http.createServer((request, response) => void this.#forward(request, response));
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(storeUrl: string): Promise<FaultyStoreProxy> {
    const proxy = new FaultyStoreProxy(storeUrl);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    // The address of a TCP server that listens is an object with a port.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #forward(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { [FAULT_HEADER]: way, ...headers } = request.headers;
    if (way === 'reset') return void request.socket.destroy();
    // Never answers, so the client gives up.
    if (way === 'timeout') return void request.resume();
    if (way === '500' || way === '503 SlowDown') {
      request.resume();
      await once(request, 'end');
      return void answerError(response, way);
    }
    const { hostname, port } = this.#store;
    const { method, url } = request;
    const forwarded = http.request({ host: hostname, port, method, path: url, headers });
    forwarded.on('error', () => request.socket.destroy());
    response.on('close', () => forwarded.destroy());
    forwarded.on('response', (answer) => {
      answer.on('error', () => request.socket.destroy());
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      if (way !== 'reset in the answer') return void answer.pipe(response);
      // The store has done its work, but at most half of its answer arrives.
      answer.once('data', (chunk: Buffer) => response.write(chunk.subarray(0, chunk.length / 2)));
      setTimeout(() => request.socket.destroy(), 5);
    });
    request.pipe(forwarded);
  }
}

function answerError(response: http.ServerResponse, way: Way): void {
  const code = way === '500' ? 'InternalError' : 'SlowDown';
  response.writeHead(way === '500' ? 500 : 503, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`);
}
