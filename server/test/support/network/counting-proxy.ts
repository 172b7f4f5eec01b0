import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

/**
 * A proxy between a browser and a service that counts the sent bytes and can be disconnected. It is closed at
 * the end of the test file.
 */
export class CountingProxy {
  readonly url: string;
  readonly #sockets: Set<Socket>;
  /** Bytes that were sent to the service. */
  sentBytes = 0;
  #isDisconnected = false;

  private constructor(url: string, sockets: Set<Socket>) {
    this.url = url;
    this.#sockets = sockets;
  }

  static async open(target: string): Promise<CountingProxy> {
    const { hostname, port } = new URL(target);
    const sockets = new Set<Socket>();
    const track = (socket: Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => socket.destroy());
    };
    const server = createServer((client) => {
      track(client);
      if (proxy.#isDisconnected) {
        client.destroy();
        return;
      }
      const service = connect(Number(port), hostname);
      track(service);
      client.on('data', ({ length }) => {
        proxy.sentBytes += length;
      });
      client.pipe(service).pipe(client);
      client.on('close', () => service.destroy());
      service.on('close', () => client.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    // The address of a TCP server that listens is an object with a port.
    const proxy = new CountingProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets);
    after(() => {
      proxy.disconnect();
      server.close();
    });
    return proxy;
  }

  /** Closes all connections and accepts no new ones until {@link reconnect}. */
  disconnect(): void {
    this.#isDisconnected = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  reconnect(): void {
    this.#isDisconnected = false;
  }
}
