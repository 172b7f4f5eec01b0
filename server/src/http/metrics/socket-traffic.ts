import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Metric, single } from '../../base/metrics/metric.ts';

/** Counts the connections of a server and the bytes that pass through them, without work for each request. */
export class SocketTraffic {
  readonly #open = new Set<Socket>();
  #receivedBytes = 0;
  #sentBytes = 0;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => {
        this.#open.delete(socket);
        this.#receivedBytes += socket.bytesRead;
        this.#sentBytes += socket.bytesWritten;
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
        () => this.#sum(this.#receivedBytes, (socket) => socket.bytesRead),
      ),
      single(
        {
          name: 'holdall_http_sent_bytes_total',
          help: 'Bytes sent to clients and proxies, downloads included.',
          type: 'counter',
        },
        () => this.#sum(this.#sentBytes, (socket) => socket.bytesWritten),
      ),
    ];
  }

  #sum(closedBytes: number, bytesOf: (socket: Socket) => number): number {
    let sum = closedBytes;
    for (const socket of this.#open) sum += bytesOf(socket);
    return sum;
  }
}
