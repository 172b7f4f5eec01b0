import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Whether bytes of a connection are forwarded. */
interface Link {
  isSilent: boolean;
}

/**
 * A proxy whose connections can become silent: both sides stay open, but no byte, FIN or RST gets through. A
 * server that lost power or a firewall that forgot a connection behaves like this.
 */
export class SilentProxy {
  readonly #target: { host: string; port: number };
  readonly #sockets = new Set<Socket>();
  readonly #links = new Set<Link>();
  readonly #server: Server;
  #isFrozen = false;

  constructor(target: { host: string; port: number }) {
    this.#target = target;
    this.#server = createServer((client) => this.#forward(client));
  }

  /** Opens the proxy, and returns its port. */
  async open(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    // The address of a TCP server that listens is an object with a port.
    return (this.#server.address() as AddressInfo).port;
  }

  /** The number of connections that are not silent. */
  get liveConnections(): number {
    return [...this.#links].filter(({ isSilent }) => !isSilent).length;
  }

  /** Silences all connections that are open; new ones work. */
  silence(): void {
    for (const link of this.#links) link.isSilent = true;
  }

  /** Silences all connections, including new ones, until {@link thaw}. */
  freeze(): void {
    this.#isFrozen = true;
    this.silence();
  }

  /** New connections work again. */
  thaw(): void {
    this.#isFrozen = false;
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    if (this.#server.listening) await once(this.#server, 'close');
  }

  #forward(client: Socket): void {
    const link: Link = { isSilent: this.#isFrozen };
    this.#links.add(link);
    const server = connect(this.#target);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => from.destroy());
      from.on('data', (chunk) => void (link.isSilent || to.destroyed || to.write(chunk)));
      from.on('close', () => {
        this.#sockets.delete(from);
        if (link.isSilent) return;
        this.#links.delete(link);
        to.destroy();
      });
    }
  }
}
