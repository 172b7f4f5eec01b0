import { AsyncLocalStorage } from 'node:async_hooks';
import http from 'node:http';
import { replaceMethod } from './replace-method.ts';

/** The calls that are counted and may fail: those of requests, or those of background work. */
export type Scope = 'requests' | 'background';

const currentRequest = new AsyncLocalStorage<object>();

/** Marks the calls made by the requests that a server receives, so faults affect nothing else. */
export class FaultScope {
  #round: object = {};
  #scope: Scope | undefined;

  /** @param port the port of the service; other servers in this process are ignored */
  constructor(port: () => number) {
    const scope = this;
    const { emit } = http.Server.prototype;
    replaceMethod(http.Server.prototype, 'emit', function (this: http.Server, ...parameters: unknown[]) {
      const [event, request] = parameters;
      const send = () => Reflect.apply(emit, this, parameters);
      if (event !== 'request' || !(request instanceof http.IncomingMessage)) return send();
      if (request.socket.localPort !== port()) return send();
      const round = scope.#round;
      const emitBody = request.emit;
      // Body events are emitted by the socket, so without this they would not belong to the request.
      const emitInRequest = (...event: unknown[]) =>
        currentRequest.run(round, () => Reflect.apply(emitBody, request, event));
      Object.assign(request, { emit: emitInRequest });
      return currentRequest.run(round, send);
    });
  }

  /** Begins a round: only calls of requests that arrive from now on, or of work outside requests, count. */
  begin(scope: Scope): void {
    this.#round = {};
    this.#scope = scope;
  }

  end(): void {
    this.#scope = undefined;
  }

  get isCounted(): boolean {
    if (this.#scope === undefined) return false;
    const request = currentRequest.getStore();
    return this.#scope === 'requests' ? request === this.#round : request === undefined;
  }
}

/** Runs work of the test that no fault may affect. */
export function outsideFaults<T>(work: () => Promise<T>): Promise<T> {
  return currentRequest.run(OUTSIDE, work);
}

const OUTSIDE = {};
