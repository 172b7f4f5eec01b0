import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

/** The line between a browser and a service: it counts what is sent, and can be cut. It ends with the test file. */
export class Line {
  readonly url: string;
  readonly #sockets: Set<Socket>;
  /** Bytes that have gone to the service. */
  sentBytes = 0;
  #isCut = false;

  private constructor(url: string, sockets: Set<Socket>) {
    this.url = url;
    this.#sockets = sockets;
  }

  static async open(target: string): Promise<Line> {
    const { hostname, port } = new URL(target);
    const sockets = new Set<Socket>();
    const keep = (socket: Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => socket.destroy());
    };
    const server = createServer((client) => {
      keep(client);
      if (line.#isCut) {
        client.destroy();
        return;
      }
      const service = connect(Number(port), hostname);
      keep(service);
      client.on('data', ({ length }) => {
        line.sentBytes += length;
      });
      client.pipe(service).pipe(client);
      client.on('close', () => service.destroy());
      service.on('close', () => client.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    // A port that is listened on has an address with a number in it.
    const line = new Line(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets);
    after(() => {
      line.cut();
      server.close();
    });
    return line;
  }

  /** Everything on its way is lost, and nothing gets through any more. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }
}
