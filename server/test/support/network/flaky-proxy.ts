import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** After a random number of bytes between these limits, on all connections together, one breaks. */
const MIN_BYTES = 300_000;
const MAX_BYTES = 3_000_000;

/**
 * A proxy that distributes connections over the servers in turn, and breaks them again and again. How often
 * depends on the bytes, and not on how many connections carry them. The client always notices. The server notices only every second time: otherwise its side stays open and
 * silent, as when a phone loses its network.
 */
export class FlakyProxy {
  readonly #targets: readonly URL[];
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #opened = 0;
  #remaining = randomInt(MIN_BYTES, MAX_BYTES);
  /** How many connections broke, and how many of them without the server noticing. */
  breaks = 0;
  silentBreaks = 0;

  constructor(urls: readonly string[]) {
    this.#targets = urls.map((url) => new URL(url));
  }

  /** Starts the proxy and returns its URL. */
  async open(): Promise<string> {
    this.#server = createServer((client) => this.#forward(client)).listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    // The address of a TCP server that listens is an object with a port.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server?.close();
    if (this.#server !== undefined) await once(this.#server, 'close');
  }

  #forward(client: Socket): void {
    const target = this.#targets[this.#opened % this.#targets.length] as URL;
    this.#opened += 1;
    const server = connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => this.#sockets.delete(socket));
    }
    client.on('data', (chunk: Buffer) => {
      if (server.destroyed) return;
      this.#remaining -= chunk.length;
      if (!server.write(chunk)) {
        client.pause();
        server.once('drain', () => client.resume());
      }
      if (this.#remaining <= 0) this.#break(client, server);
    });
    server.on('data', (chunk) => void (client.destroyed || client.write(chunk)));
    // Passes a regular end of one side on to the other.
    client.on('end', () => server.end());
    server.on('close', () => client.destroy());
  }

  #break(client: Socket, server: Socket): void {
    this.breaks += 1;
    this.#remaining = randomInt(MIN_BYTES, MAX_BYTES);
    client.removeAllListeners('data').destroy();
    if (this.breaks % 2 === 0) server.destroy();
    else this.silentBreaks += 1;
  }
}
