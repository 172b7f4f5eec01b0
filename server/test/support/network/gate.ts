import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { findFreePorts } from '../../../../tools/processes/free-ports.ts';

/** A proxy to a server that a test can close and open again; its address stays the same. */
export class Gate {
  readonly #target: { host: string; port: number };
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  constructor(target: { host: string; port: number }) {
    this.#target = target;
  }

  get port(): number {
    return this.#port;
  }

  async open(): Promise<void> {
    // A port below the ephemeral range, so the system assigns it to no one while the gate is closed.
    if (this.#port === 0) this.#port = await findFreePorts(1);
    this.#server = createServer((incoming) => {
      const outgoing = connect(this.#target);
      for (const socket of [incoming, outgoing]) {
        this.#sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => this.#sockets.delete(socket));
      }
      incoming.pipe(outgoing).pipe(incoming);
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Closes all connections and accepts no new ones. */
  async close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(server, 'close');
  }
}
