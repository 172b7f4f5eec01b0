import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { after } from 'node:test';

const A = 1;

/** Starts a name server that knows one IPv4 address for every name. Returns its address and port. */
export async function startNameServer(address: string): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, sender) => {
    // The question begins after the header and ends 5 bytes after the zero that ends the name.
    const nameEnd = query.indexOf(0, 12);
    const isA = query.readUInt16BE(nameEnd + 1) === A;
    const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
    // The name in the question (0xc00c), type A, class IN, 60 s, 4 bytes.
    const record = [0xc0, 0x0c, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)];
    const parts = [header, query.subarray(12, nameEnd + 5), Buffer.from(isA ? record : [])];
    socket.send(Buffer.concat(parts), sender.port, sender.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  after(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}
