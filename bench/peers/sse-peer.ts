// The partner of the event stream figures: the minimum that a plain node:http server can do. It answers at
// the addresses of the service; everything posted is an event for all streams. Run as `sse-peer.ts`.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const streams = new Set<ServerResponse>();
let count = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write('event: READY\ndata: {}\n\n');
    streams.add(response);
    response.on('close', () => streams.delete(response));
    return;
  }
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text;
  });
  request.on('end', () => {
    const { path } = JSON.parse(body) as { path: string };
    count += 1;
    const data = JSON.stringify({ eventType: 'CREATED', fileId: count, fromPath: null, toPath: path });
    for (const stream of streams) stream.write(`id: ${count}\nevent: CREATED\ndata: ${data}\n\n`);
    const text = JSON.stringify({ code: 0, msg: 'success', data: { id: count } });
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  });
});
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a string
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
