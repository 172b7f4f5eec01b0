import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Metric, single } from '../../base/metrics/metric.ts';

/** Counts a server's connections and the bytes that pass through them, without any work per request. */
export class SocketTraffic {
  readonly #open = new Set<Socket>();
  readonly #received = new ByteCount((socket) => socket.bytesRead);
  readonly #sent = new ByteCount((socket) => socket.bytesWritten);

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => {
        this.#open.delete(socket);
        this.#received.addClosed(socket);
        this.#sent.addClosed(socket);
      });
    });
  }

  listMetrics(): readonly Metric[] {
    return [
      single(
        { name: 'holdall_http_connections', help: 'Open connections of clients and proxies.', type: 'gauge' },
        () => this.#open.size,
      ),
      single(
        {
          name: 'holdall_http_received_bytes_total',
          help: 'Bytes received from clients and proxies, uploads included.',
          type: 'counter',
        },
        () => this.#received.count(this.#open),
      ),
      single(
        {
          name: 'holdall_http_sent_bytes_total',
          help: 'Bytes sent to clients and proxies, downloads included.',
          type: 'counter',
        },
        () => this.#sent.count(this.#open),
      ),
    ];
  }
}

/** The bytes of all connections in one direction. */
class ByteCount {
  readonly #bytesOf: (socket: Socket) => number;
  #ofClosed = 0;
  #counted = 0;

  constructor(bytesOf: (socket: Socket) => number) {
    this.#bytesOf = bytesOf;
  }

  addClosed(socket: Socket): void {
    this.#ofClosed += this.#bytesOf(socket);
  }

  /**
   * Never returns less than before. The plain sum can shrink: bytes that wait to be sent count, but are
   * dropped when a client disconnects.
   */
  count(open: Iterable<Socket>): number {
    let sum = this.#ofClosed;
    for (const socket of open) sum += this.#bytesOf(socket);
    this.#counted = Math.max(this.#counted, sum);
    return this.#counted;
  }
}
