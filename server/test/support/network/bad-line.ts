import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** How many bytes may pass, upwards, before the line breaks. */
const LEAST_BYTES = 500_000;
const MOST_BYTES = 7_000_000;

/**
 * A way to the servers, by turns, on which every connection breaks sooner or later. The client always hears of it; the
 * server only every other time: otherwise its end stays open and silent, as when a phone loses its network.
 */
export class BadLine {
  readonly #targets: readonly URL[];
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #opened = 0;
  /** How often the line broke, and how often without the server knowing. */
  breaks = 0;
  silentBreaks = 0;

  constructor(urls: readonly string[]) {
    this.#targets = urls.map((url) => new URL(url));
  }

  /** Gives its address. */
  async open(): Promise<string> {
    this.#server = createServer((client) => this.#join(client)).listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    // A port that is listened on has an address with a number in it.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server?.close();
    if (this.#server !== undefined) await once(this.#server, 'close');
  }

  #join(client: Socket): void {
    const target = this.#targets[this.#opened % this.#targets.length] as URL;
    this.#opened += 1;
    const server = connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => this.#sockets.delete(socket));
    }
    let left = randomInt(LEAST_BYTES, MOST_BYTES);
    client.on('data', (chunk: Buffer) => {
      if (server.destroyed) return;
      left -= chunk.length;
      if (!server.write(chunk)) {
        client.pause();
        server.once('drain', () => client.resume());
      }
      if (left <= 0) this.#break(client, server);
    });
    server.on('data', (chunk) => void (client.destroyed || client.write(chunk)));
    // Whoever ends in peace ends the other too.
    client.on('end', () => server.end());
    server.on('close', () => client.destroy());
  }

  #break(client: Socket, server: Socket): void {
    this.breaks += 1;
    client.removeAllListeners('data').destroy();
    if (this.breaks % 2 === 0) server.destroy();
    else this.silentBreaks += 1;
  }
}
